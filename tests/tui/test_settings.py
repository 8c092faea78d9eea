"""The settings file and the environment: what is read, and the sentence for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroth_store.browse import RunOrder
from zeroth_tui.settings import Settings, SettingsError, load
from zeroth_tui.views.named_views import NamedView


def read(folder: Path, text: str, **environ: str) -> Settings:
    """Load a settings file that holds a text."""
    file = folder / "settings.toml"
    file.write_text(text)
    return load(environ, file)


def refused(folder: Path, text: str) -> str:
    """Return the sentence for a file that cannot be used, without the folder."""
    with pytest.raises(SettingsError) as caught:
        read(folder, text)
    return str(caught.value).replace(str(folder), "")


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    assert load({}, tmp_path / "missing.toml") == Settings()


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    found = read(tmp_path, "database = 'a.db'\ntheme = 'nord'", ZEROTH_TUI_DATABASE="b.db")
    assert found == Settings(database="b.db", theme="nord")


def test_views_are_no_variable(tmp_path: Path) -> None:
    assert read(tmp_path, "", ZEROTH_TUI_VIEWS="x") == Settings()


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
        ("name = 'x'\nsort = 'age'", 'view "x": sort "age" is none of created, started, updated,'),
        ("name = 'x'\nmode = 'tree'", 'view "x": mode "tree" is none of threads, runs, failures'),
        ("name = 'x'\nfilter = 'a statsu:y'", 'view "x": filter "a statsu:y", at 3: There is no'),
        ("name = 'x'\nfliter = 'y'", 'view "x": Object contains unknown field `fliter`'),
        ("name = 'x'\nfliter = 'y'", "may have: name, filter, sort, descending, mode"),
        ("name = 'x'\ndescending = 'no'", 'view "x": Expected `bool`, got `str`'),
        ("filter = 'y'", "view 1: Object missing required field `name`"),
        ("name = ' '", "the name is empty"),
        ("name = 'x'\n[[views]]\nname = 'X'", 'view "X": there is another view of this name'),
    ],
)
def test_a_bad_view_is_named_with_what_is_allowed(tmp_path: Path, view: str, said: str) -> None:
    sentence = refused(tmp_path, f"[[views]]\n{view}")
    assert sentence.startswith("/settings.toml: view ")
    assert said in sentence


@pytest.mark.parametrize("views", ["'x'", "['x']", "{ name = 'x' }", "3"])
def test_views_that_are_no_tables_are_refused(tmp_path: Path, views: str) -> None:
    assert refused(tmp_path, f"views = {views}").startswith("/settings.toml: view")


@pytest.mark.parametrize("text", ["databse = 'x'", "theme = 3", "theme = ", "[[views]\n"])
def test_a_bad_file_is_named_with_what_is_known(tmp_path: Path, text: str) -> None:
    sentence = refused(tmp_path, text)
    assert sentence.startswith("/settings.toml: ")
    assert sentence.endswith("Known settings: database, theme, views")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"theme = '\xff\xfe'")
    with pytest.raises(SettingsError, match=r"settings\.toml"):
        load({}, file)
