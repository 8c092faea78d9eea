"""The settings file and the environment: what is read, and the sentence for what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from zeroth_store.browse import RunOrder
from zeroth_tui.commands import explore
from zeroth_tui.commands.arguments import find_settings
from zeroth_tui.settings import KNOWN, Settings, SettingsError, find, load
from zeroth_tui.views.named_views import NamedView


def read(folder: Path, text: str, **environ: str) -> Settings:
    """Load a settings file that holds a text."""
    file = folder / "settings.toml"
    file.write_text(text)
    return load(environ, file)


def refused(folder: Path, text: str, **environ: str) -> str:
    """Return the sentence for settings that cannot be used, without the folder."""
    with pytest.raises(SettingsError) as caught:
        read(folder, text, **environ)
    return str(caught.value).replace(str(folder), "")


EVERYTHING = """\
database = "a.db"
theme = "nord"
plain = true
hints = false
read_only = true
time_zone = "Europe/Berlin"
refresh = 5
columns = [
  "status",
  "cost",
]
[keymap]
explorer.act = "a"
"run.next" = "ctrl+n,f5"
"""


def test_every_setting_is_read_from_the_file(tmp_path: Path) -> None:
    assert read(tmp_path, EVERYTHING) == Settings(
        database="a.db",
        theme="nord",
        plain=True,
        hints=False,
        read_only=True,
        time_zone="Europe/Berlin",
        refresh=5.0,
        columns=("status", "cost"),
        keymap={"explorer.act": "a", "run.next": "ctrl+n,f5"},
    )


def test_nothing_is_set_where_there_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load({}) == Settings()


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"missing\.toml cannot be read: No such file"):
        load({}, tmp_path / "missing.toml")
    with pytest.raises(SettingsError, match=r"missing\.toml cannot be read: No such file"):
        load({"ZEROTH_TUI_CONFIG": str(tmp_path / "missing.toml")})


def test_a_variable_names_the_file_and_an_option_another(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("refresh = 2")
    (tmp_path / "b.toml").write_text("refresh = 3")
    named = {"ZEROTH_TUI_CONFIG": str(tmp_path / "a.toml")}
    assert load(named).refresh == 2
    assert load(named, tmp_path / "b.toml").refresh == 3


def test_variables_win_over_the_file_and_options_over_both(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("# mine\n\ndatabase = 'a.db'\nrefresh = 2\ntheme = 'nord'\nplain = true")
    environ = {"ZEROTH_TUI_REFRESH": "0.5", "ZEROTH_TUI_THEME": "light", "ZEROTH_TUI_PLAIN": "no"}
    found = find(environ, file, {"theme": "dark", "database": None})
    assert found.settings == Settings(database="a.db", refresh=0.5, theme="dark", plain=False)
    assert {name: (origin.kind, found.place(name)) for name, origin in found.origins.items()} == {
        "database": ("file", f"{file}:3"),
        "theme": ("option", "--theme"),
        "plain": ("environment", "ZEROTH_TUI_PLAIN"),
        "hints": ("default", ""),
        "read_only": ("default", ""),
        "time_zone": ("default", ""),
        "refresh": ("environment", "ZEROTH_TUI_REFRESH"),
        "columns": ("default", ""),
        "keymap": ("default", ""),
        "views": ("default", ""),
    }


def test_all_settings_are_known_in_their_order() -> None:
    assert tuple(known.name for known in KNOWN) == Settings.__struct_fields__


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "\ntheme = 'nrod'",
            (
                '/settings.toml:2: theme "nrod" must be dark, light, high-contrast, colour-blind,'
                " terminal or a theme of Textual such as nord"
            ),
        ),
        ("plain = 'yes'", '/settings.toml:1: plain "yes" must be true or false'),
        ("# x\nread_only = 1", "/settings.toml:2: read_only 1 must be true or false"),
        ("database = ''", '/settings.toml:1: database "" must be a path'),
        (
            'time_zone = """\nMars"""',
            '/settings.toml:1: time_zone "Mars" must be local, UTC or a name such as Europe/Berlin',
        ),
        (
            "time_zone = '../UTC'",
            (
                '/settings.toml:1: time_zone "../UTC" must be local, UTC or a name such as'
                " Europe/Berlin"
            ),
        ),
        ("refresh = 0", "/settings.toml:1: refresh 0 must be a number from 0.1 to 60"),
        ("refresh = nan", "/settings.toml:1: refresh nan must be a number from 0.1 to 60"),
        ("refresh = true", "/settings.toml:1: refresh true must be a number from 0.1 to 60"),
        (
            "plain = true\ncolumns = [\n  'age',\n  'cots',\n]",
            (
                '/settings.toml:2: columns ["age", "cots"] must be a list of some of status, took,'
                " age, written, cost, scope, graph, thread, why"
            ),
        ),
        (
            "columns = ['age', 'age']",
            (
                '/settings.toml:1: columns ["age", "age"] must be a list of some of status, took,'
                " age, written, cost, scope, graph, thread, why"
            ),
        ),
        ("keymap = 'x'", "/settings.toml:1: keymap must be a table, headed [keymap]"),
        (
            "[keymap]\nlist.up = 'w'\nlist.down = 7",
            '/settings.toml:3: list.down 7 must be keys as in "x" or "ctrl+x,f5"',
        ),
        (
            "theme = 'dark'\ndatabse = 'x'",
            (
                '/settings.toml:2: there is no setting "databse". Known settings: database, theme,'
                " plain, hints, read_only, time_zone, refresh, columns, keymap, views"
            ),
        ),
        (
            "theme = 'dark'\nplain = \n",
            "/settings.toml:2: this is no TOML: Invalid value",
        ),
        ("[[views]\n", "/settings.toml:1: this is no TOML: "),
        ("theme = 'dark'\n\ncolumns = [", "/settings.toml:3: this is no TOML: "),
    ],
)
def test_a_bad_value_is_told_with_its_line_and_what_is_allowed(
    tmp_path: Path, text: str, sentence: str
) -> None:
    assert refused(tmp_path, text).startswith(sentence)


@pytest.mark.parametrize(
    ("name", "value"),
    [("PLAIN", "maybe"), ("REFRESH", "often"), ("TIME_ZONE", "Mars"), ("THEME", "nrod")],
)
def test_a_bad_variable_is_named(tmp_path: Path, name: str, value: str) -> None:
    told = refused(tmp_path, "", **{f"ZEROTH_TUI_{name}": value})
    assert told.startswith(f'ZEROTH_TUI_{name}: {name.lower()} "{value}" must be ')


def test_a_file_that_is_no_text_is_refused_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"plain = true\ntheme = '\xff\xfe'")
    with pytest.raises(SettingsError, match=r"settings\.toml:2: this is no UTF-8 text"):
        load({}, file)


def test_views_are_read_in_their_order(tmp_path: Path) -> None:
    text = """\
        theme = "nord"
        [[views]]
        name = "Slow refunds"
        filter = "refund -is:live"
        sort = "duration"
        descending = false
        mode = "failures"
        [[views]]
        name = " All "
    """
    slow = NamedView(
        "Slow refunds", "refund -is:live", RunOrder("duration", descending=False), "failures"
    )
    assert read(tmp_path, text) == Settings(theme="nord", views=(slow, NamedView("All")))


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("name = 'x'\nsort = 'age'", ':3: view "x": sort "age" must be one of created, started,'),
        ("name = 'x'\nmode = 'tree'", ':3: view "x": mode "tree" must be one of threads, runs,'),
        ("name = 'x'\nfilter = 'a statsu:y'", ':3: view "x": filter "a statsu:y", at 3: There is'),
        ("name = 'x'\n\nfliter = 'y'", ':4: view "x": there is no "fliter". A view may have: name'),
        ("name = 'x'\ndescending = 'no'", ':3: view "x": Expected `bool`, got `str`'),
        ("filter = 'y'", ":1: view 1: Object missing required field `name`"),
        ("name = ' '", ':2: view " ": the name is empty'),
        ("name = 'x'\n[[views]]\nname = 'X'", ':4: view "X": there is another view of this name'),
    ],
)
def test_a_bad_view_is_named_with_its_line_and_what_is_allowed(
    tmp_path: Path, view: str, said: str
) -> None:
    assert refused(tmp_path, f"[[views]]\n{view}").startswith(f"/settings.toml{said}")


@pytest.mark.parametrize("views", ["'x'", "['x']", "{ name = 'x' }", "3"])
def test_views_that_are_no_tables_are_refused(tmp_path: Path, views: str) -> None:
    assert refused(tmp_path, f"views = {views}").startswith("/settings.toml:1: view")


@pytest.mark.parametrize(
    ("words", "setting", "expected"),
    [
        ((), False, False),
        ((), True, True),
        (("--allow-writes",), True, False),
        (("--read-only",), False, True),
        (("--read-only", "--allow-writes"), False, True),
        (("--read-only", "--allow-writes"), True, True),
    ],
)
def test_read_only_may_be_set_and_an_option_is_stronger(
    tmp_path: Path, words: tuple[str, ...], setting: bool, expected: bool
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"read_only = {str(setting).lower()}")
    options = explore.parser().parse_args([*words, "--config", str(file)])
    settings = find_settings(options).settings
    assert explore.is_read_only(options, settings) is expected


def test_settings_are_read_without_a_screen() -> None:
    script = (
        "import sys; from zeroth_tui.settings import load; load({'ZEROTH_TUI_THEME': 'light'});"
        " sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
