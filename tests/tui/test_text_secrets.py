"""Which names and which stretches of text are secrets."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from zeroth_tui.text import MASK, block, is_secret, mask_json, mask_text


@pytest.mark.parametrize(
    "key",
    [
        "authorization",
        "Authorization",
        "Proxy-Authorization",
        "api_key",
        "x-api-key",
        "apiKey",
        "APIKEY",
        "OPENAI_API_KEY",
        "password",
        "db.password",
        "dbPassword",
        "passwd",
        "pwd",
        "secret",
        "client_secret",
        "clientSecret",
        "secret_key",
        "private-key",
        "aws_secret_access_key",
        "token",
        "access_token",
        "refreshToken",
        "X-Auth-Token",
        "authtoken",
        "access_tokens",
        "credentials",
        "set-cookie",
        "ｐａｓｓｗｏｒｄ",  # noqa: RUF001 - fullwidth letters are the point
    ],
)
def test_secret_names(key: str) -> None:
    assert is_secret(key)


@pytest.mark.parametrize(
    "key",
    [
        "tokens",
        "token_count",
        "max_tokens",
        "maxTokens",
        "token_usage",
        "input_tokens",
        "token_dispatch",
        "key",
        "monkey",
        "primary_key",
        "author",
        "authorized",
        "pass",
        "compass",
        "",
    ],
)
def test_names_that_are_no_secret(key: str) -> None:
    assert not is_secret(key)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Bearer xyz", f"Bearer {MASK}"),
        ("sent 'bearer abc.def' twice", f"sent 'bearer {MASK}' twice"),
        ("password=xyz, retry", f"password={MASK}, retry"),
        ("PASSWORD: 'two words' next", f"PASSWORD: '{MASK}' next"),
        ('{"api_key": "a\\"b", "n": 1}', f'{{"api_key": "{MASK}", "n": 1}}'),
        (r"{\"token\": \"abc\", \"n\": 1}", rf"{{\"token\": \"{MASK}\", \"n\": 1}}"),
        ('token="cut off here', f'token="{MASK}"'),
        ("Authorization: Basic YWxh", f"Authorization: {MASK}"),
        ("postgres://bob:pw@db:5432/x", f"postgres://bob:{MASK}@db:5432/x"),
        ("redis://:p@ss@host/0", f"redis://:{MASK}@host/0"),
        ("url?a=1&access_token=abc&b=2", f"url?a=1&access_token={MASK}&b=2"),
        ("key ghp_0123456789abcdefghij0", f"key {MASK}"),
        ("login failed: password=xyz", f"login failed: password={MASK}"),
        ("a=b=c=token=xyz d", f"a=b=c=token={MASK} d"),
        ("max_tokens=100 tokens: 5", "max_tokens=100 tokens: 5"),
        ("see http://host:8080/path", "see http://host:8080/path"),
        ("mail bob@example.org", "mail bob@example.org"),
        ("password is wrong", "password is wrong"),
    ],
)
def test_secrets_in_free_text(text: str, masked: str) -> None:
    assert mask_text(text) == masked


@pytest.mark.parametrize(
    ("stored", "masked"),
    [
        ('{"password":"a\\"b","x":1}', f'{{"password":"{MASK}","x":1}}'),
        ('{"secret": {"a":["]",1]} ,"x":1}', f'{{"secret": "{MASK}" ,"x":1}}'),
        ('{"token":12,"tokens":12}', f'{{"token":"{MASK}","tokens":12}}'),
        ('{"token":null,"api_key":""}', '{"token":null,"api_key":""}'),
        ('{"\\u0070assword":"x"}', f'{{"\\u0070assword":"{MASK}"}}'),
        ('{"note":"password","x":"secret"}', '{"note":"password","x":"secret"}'),
        ('{"password":"cut o', f'{{"password":"{MASK}"'),
        ('{"password":[1,{"a":', f'{{"password":"{MASK}"'),
        ("not json", "not json"),
    ],
)
def test_secrets_in_json(stored: str, masked: str) -> None:
    assert mask_json(stored) == masked


@pytest.mark.parametrize("clean", [mask_text, mask_json, block])
@pytest.mark.parametrize("unit", ["\\", '\\"', 'a="', "a=", "a://a:", '"token":[', "[{", "eyJa."])
def test_time_grows_with_the_text_and_no_faster(clean: Callable[[str], str], unit: str) -> None:
    hostile = (unit * 65536)[:65536]
    start = time.process_time()
    clean(hostile)
    assert time.process_time() - start < 10  # quadratic time is minutes here, linear below a second
