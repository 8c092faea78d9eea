"""`zeroth-tui config`: every setting with its value and where it comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.test_settings import EVERYTHING
from zeroth_tui.cli import main
from zeroth_tui.keys import known_keys
from zeroth_tui.settings import KNOWN, Settings, load


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read nothing of the tester's own settings."""
    for name in ("CONFIG", *(known.name.upper() for known in KNOWN)):
        monkeypatch.delenv(f"ZEROTH_TUI_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what the command prints."""
    assert main(["config", *words]) == 0
    return capsys.readouterr().out


VIEW = '\n[[views]]\nname = "A \\"b\\" \\u202e"\nsort = "cost"\nmode = "failures"\n'


@pytest.mark.parametrize("text", ["", EVERYTHING, VIEW, EVERYTHING + VIEW])
def test_what_is_printed_is_a_settings_file_of_the_same_effect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "mine.toml").write_text(text)
    out = printed(capsys, "--config", "mine.toml")
    assert "\u202e" not in out
    (tmp_path / "printed.toml").write_text(out)
    assert load({}, tmp_path / "printed.toml") == load({}, tmp_path / "mine.toml")


def test_every_line_that_is_commented_out_may_be_uncommented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys).splitlines()
    scalars = len(KNOWN) - 2  # all but keymap and views
    usual = [line.removeprefix("# ") for line in lines if " = " in line]
    (tmp_path / "all.toml").write_text("\n".join([*usual[:scalars], "[keymap]", *usual[scalars:]]))
    keymap = load({}, tmp_path / "all.toml").keymap
    assert keymap == {name: binding.key for name, binding in known_keys().items()}
    assert printed(capsys, "--config", "all.toml")  # nor do the usual keys clash


def test_each_value_says_where_it_comes_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text("\nrefresh = 2\n")
    monkeypatch.setenv("ZEROTH_TUI_CONFIG", "mine.toml")
    monkeypatch.setenv("ZEROTH_TUI_TIME_ZONE", "UTC")
    out = printed(capsys, "some.db", "--plain")
    assert "# The file: mine.toml" in out.replace("# Settings of zeroth-tui. ", "# ")
    for lines in (
        '# from: DATABASE\ndatabase = "some.db"\n',
        '# from: default\ntheme = "dark"\n',
        "# from: --plain\nplain = true\n",
        '# from: ZEROTH_TUI_TIME_ZONE\ntime_zone = "UTC"\n',
        "# from: mine.toml:2\nrefresh = 2.0\n",
    ):
        assert lines in out


def test_programs_get_the_same_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(f"{EVERYTHING}{VIEW}")
    facts = json.loads(printed(capsys, "--json", "--config", "mine.toml", "--theme", "light"))
    assert (facts["file"], facts["exists"]) == ("mine.toml", True)
    assert tuple(facts["settings"]) == Settings.__struct_fields__
    assert facts["settings"]["theme"] == {"value": "light", "from": "option", "place": "--theme"}
    assert facts["settings"]["columns"] == {
        "value": ["status", "cost"],
        "from": "file",
        "place": "mine.toml:8",
    }
    assert facts["settings"]["views"]["value"] == [
        {
            "name": 'A "b" \u202e',
            "filter": "",
            "sort": "cost",
            "descending": True,
            "mode": "failures",
        }
    ]


def test_a_bad_setting_is_one_sentence_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text("# \nplain = 'yes'")
    assert main(["config", "--config", "mine.toml"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == 'zeroth-tui: mine.toml:2: plain "yes" must be true or false\n'
    assert main(["config", "--theme", "nrod"]) == 2
    assert capsys.readouterr().err.startswith('zeroth-tui: --theme: theme "nrod" must be dark, ')


def test_the_readme_lists_every_setting() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text()
    section = text.split("\n## Settings\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| `")]
    cells = [tuple(cell.strip() for cell in row) for row in rows]
    assert cells == [(f"`{k.name}`", k.meaning, k.allowed, _default(k.name)) for k in KNOWN]


def _default(name: str) -> str:
    """Return a default as the table has it."""
    value = getattr(Settings(), name)
    if isinstance(value, bool | float):
        return f"`{str(value).lower()}`"
    return f'`"{value}"`' if value else "none"


def test_keys_that_clash_are_told_with_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text('[keymap]\n\nexplorer.act = "t"\n')
    assert main(["config", "--config", "mine.toml"]) == 2
    assert capsys.readouterr().err == (
        'zeroth-tui: mine.toml:3: "t" would be the key of explorer.act and of explorer.mode in the'
        " same place\n"
    )
