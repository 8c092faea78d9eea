"""`zeroth-tui completion`: what a shell needs to complete commands, options, choices and files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from zeroth_tui.commands.arguments import Parser

if TYPE_CHECKING:
    from zeroth_tui.commands.outline import Argument, Command

_EPILOG: Final = """\
bash:  eval "$(zeroth-tui completion bash)"      in ~/.bashrc
zsh:   eval "$(zeroth-tui completion zsh)"       in ~/.zshrc, after compinit
fish:  zeroth-tui completion fish | source       in ~/.config/fish/config.fish
"""


def parser() -> argparse.ArgumentParser:
    """Return what reads the command's arguments."""
    made = Parser(
        prog="zeroth-tui completion",
        description="Print the completion of a shell. Where it goes:",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("shell", metavar="SHELL", choices=tuple(_SHELLS), help="bash, zsh or fish")
    return made


def run(words: Sequence[str]) -> int:
    """Print the script; returns the exit code."""
    options = parser().parse_args(words)

    from zeroth_tui.commands.outline import outline

    print("\n".join(_SHELLS[options.shell](outline())))
    return 0


def _bash(commands: Sequence[Command]) -> Iterable[str]:
    """Write a function that fills COMPREPLY; it needs nothing that bash 3.2 does not have."""
    first, *named = commands
    names = " ".join(command.name for command in named)
    yield "_zeroth_tui() {"
    yield "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}"
    yield f"    local command={first.name} words= name"
    yield "    COMPREPLY=()"
    yield "    # `--option=value` comes as three words"
    yield "    if [[ $word == = ]]; then word="
    yield "    elif [[ $last == = ]]; then last=${COMP_WORDS[COMP_CWORD-2]}; fi"
    yield "    if ((COMP_CWORD > 1)); then"
    yield f"        case ${{COMP_WORDS[1]}} in {names.replace(' ', '|')})"
    yield "            command=${COMP_WORDS[1]} ;;"
    yield "        esac"
    yield "    fi"
    yield "    case $command$last in"
    for command in commands:
        for option in command.options:
            if option.value:
                spelled = "|".join(f"{command.name}{flag}" for flag in option.flags)
                yield f"        {spelled}) {_bash_values(option)} ;;"
    yield "        *) case $command,$word in"
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        yield f'            {command.name},-*) words="{flags}" ;;'
    for command in commands:
        values = "; ".join(map(_bash_values, command.operands)) or ":"
        yield f"            {command.name},*) {values} ;;"
    yield "        esac ;;"
    yield "    esac"
    yield f'    if ((COMP_CWORD == 1)); then words+=" {names}"; fi'
    yield "    while IFS= read -r name; do"
    yield '        [[ -z $name ]] || COMPREPLY+=("$name")'
    yield '    done <<< "$(compgen -W "$words" -- "$word")"'
    yield "}"
    yield "_zeroth_tui_files() {"
    yield "    while IFS= read -r name; do"
    yield '        [[ -z $name ]] || COMPREPLY+=("$name")'
    yield '    done <<< "$(compgen -f -- "$word")"'
    yield "}"
    yield "complete -o filenames -F _zeroth_tui zeroth-tui"


def _bash_values(argument: Argument) -> str:
    if argument.is_file:
        return "_zeroth_tui_files"
    return f'words="{" ".join(argument.choices)}"'


def _zsh(commands: Sequence[Command]) -> Iterable[str]:
    """Write a function that hands each command's words to zsh's own `_arguments`."""
    first, *named = commands
    names = "|".join(command.name for command in named)
    yield "#compdef zeroth-tui"
    yield "_zeroth_tui_words() {"
    yield "    local -a commands=("
    for command in named:
        yield f"        {_quoted(f'{command.name}:{command.summary}', _ZSH)}"
    yield "    )"
    yield "    _describe -t commands command commands"
    yield "    _files"
    yield "}"
    yield "_zeroth_tui() {"
    yield f"    local command={first.name}"
    yield f"    if (( CURRENT > 2 )) && [[ $words[2] == ({names}) ]]; then"
    yield "        command=$words[2]"
    yield "        shift words"
    yield "        (( CURRENT-- ))"
    yield "    fi"
    yield "    case $command in"
    for command in commands:
        specs = [_zsh_option(option, flag) for option in command.options for flag in option.flags]
        if command is first:
            specs.append("'1::database or command:_zeroth_tui_words'")
        else:
            specs += [
                _quoted(f"{number}{':' * operand.optional}{_zsh_values(operand)}", _ZSH)
                for number, operand in enumerate(command.operands, start=1)
            ]
        yield f"        {command.name}) _arguments {' '.join(specs)} ;;"
    yield "    esac"
    yield "}"
    yield "if [[ $funcstack[1] == _zeroth-tui ]]; then _zeroth_tui"
    yield "else compdef _zeroth_tui zeroth-tui; fi"


def _zsh_option(option: Argument, flag: str) -> str:
    about = option.help.translate({ord(letter): f"\\{letter}" for letter in "[]:"})
    takes = f"={'' if flag.startswith('--') else '-'}" if option.value else ""
    values = _zsh_values(option) if option.value else ""
    return _quoted(f"{flag}{takes}[{about}]{values}", _ZSH)


def _zsh_values(argument: Argument) -> str:
    values = "_files" if argument.is_file else f"({' '.join(argument.choices)})"
    return f":{argument.value}:{values if argument.is_file or argument.choices else ' '}"


def _fish(commands: Sequence[Command]) -> Iterable[str]:
    """Write one `complete` for each word that may come next."""
    first, *named = commands
    names = " ".join(command.name for command in named)
    for command in named:
        about = _quoted(command.summary, _FISH)
        yield (f"complete -c zeroth-tui -n __fish_is_first_token -a {command.name} -d {about}")
    for command in commands:
        seen = f"__fish_seen_subcommand_from {names if command is first else command.name}"
        when = f"complete -c zeroth-tui -n '{'not ' if command is first else ''}{seen}'"
        for option in command.options:
            flags = " ".join(_fish_flag(flag) for flag in option.flags)
            about = _quoted(option.help, _FISH)
            yield f"{when} {flags}{_fish_values(option)} -d {about}"
        if not any(operand.is_file for operand in command.operands):
            yield f"{when} -f"
        for operand in command.operands:
            if operand.choices:
                yield f"{when} -a '{' '.join(operand.choices)}'"


def _fish_flag(flag: str) -> str:
    return f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"


def _fish_values(option: Argument) -> str:
    if not option.value:
        return ""
    if option.is_file:
        return " -r -F"
    return f" -x -a '{' '.join(option.choices)}'" if option.choices else " -x"


_ZSH: Final = {"'": "'\\''"}
_FISH: Final = {"\\": "\\\\", "'": "\\'"}
"""How a shell spells what would end its single quotes."""


def _quoted(text: str, escapes: Mapping[str, str]) -> str:
    return "'" + "".join(escapes.get(letter, letter) for letter in text) + "'"


_SHELLS: Final[Mapping[str, Callable[[Sequence[Command]], Iterable[str]]]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
