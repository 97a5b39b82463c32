"""Help and completion: every command shows examples that would run, and a shell can complete every name."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from starccg.cli import app
from starccg.cli.examples import EXAMPLES
from starccg.cli.root import COMMANDS, EXIT_CODES, load
from starccg.formats.registry import FORMATS
from tests.cli.conftest import ENVIRONMENT, PROGRAM

ROOT = Path(__file__).parents[2]


def commands() -> Iterator[tuple[str, Any]]:
    """All commands by their words, those in groups too."""
    for name in COMMANDS:
        command = load(name)
        yield name, command
        for held, inner in getattr(command, "commands", {}).items():
            yield f"{name} {held}", inner


ALL = dict(commands())


@pytest.mark.parametrize("name", ["", *ALL])
def test_every_help_ends_in_examples(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"])
    assert shown.exit_code == 0
    assert "\n  Examples:\n    starccg " in shown.output
    assert shown.output.count("Examples:") == 1
    assert shown.output.index("Examples:") > shown.output.index("--help")
    assert "install-completion" not in shown.output or not name


@pytest.mark.parametrize("name", ["", *ALL])
def test_the_summary_of_a_command_is_complete(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"]).output.partition("\nCommands:\n")[2]
    assert "..." not in shown


@pytest.mark.parametrize("name", ALL)
def test_values_have_names_that_people_read(name: str) -> None:
    shown = CliRunner().invoke(app, [*name.split(), "--help"]).output
    for kind in ("<int", "<str>", "<float", "<path>", "<list", "<class", "<Path>", "{", "......"):
        assert kind not in shown


def test_the_examples_belong_to_existing_commands() -> None:
    assert set(EXAMPLES) - {""} <= set(ALL)


EVERY = [(name, line) for name, lines in EXAMPLES.items() for line in lines if "COMMAND" not in line]


@pytest.mark.parametrize(("name", "line"), EVERY, ids=[line for _, line in EVERY])
def test_every_example_is_a_command_line_that_is_understood(name: str, line: str) -> None:
    words = shlex.split(line.partition("  ")[0].partition(" < ")[0])
    assert words[0] == "starccg"
    found = next(each for each in sorted(ALL, key=len, reverse=True) if " ".join(words[1:]).startswith(each))
    assert not name or found == name
    rest = words[1 + len(found.split()) :]
    context = ALL[found].make_context(found, list(rest), resilient_parsing=False)
    assert not context.args
    for word in rest:
        if word.startswith("configs/"):
            assert (ROOT / word).is_file()


def test_the_help_of_the_root_explains_the_exit_codes() -> None:
    shown = CliRunner().invoke(app, ["--help"]).output
    for code, meaning in EXIT_CODES.items():
        assert f"  {code:<4}{meaning}" in shown


def test_the_page_of_the_command_line_has_the_same_exit_codes_and_has_every_command() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    plain = page.replace("`", "").replace("<code>&#124; head</code>", "| head")
    for code, meaning in EXIT_CODES.items():
        assert f"| {code} | {meaning} |" in plain
    for name in COMMANDS:
        assert f"starccg {name} " in page


def complete(shell: str, *words: str) -> list[str]:
    """What a shell is offered after these words; the last one is not finished."""
    asked = {
        "_STARCCG_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": " ".join(("starccg", *words)),
        "COMP_CWORD": str(len(words)),
        "_TYPER_COMPLETE_ARGS": " ".join(("starccg", *words)),
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run(PROGRAM, env={**ENVIRONMENT, **asked}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_options_and_values(shell: str) -> None:
    offered = "\n".join(complete(shell, ""))
    assert all(name in offered for name in COMMANDS)
    assert "evaluat" not in offered
    assert all(name in "\n".join(complete(shell, "treebank", "")) for name in ("normalise", "gold", "stats", "split"))
    options = "\n".join(complete(shell, "parse", "--"))
    assert all(option in options for option in ("--format", "--input", "--tokenized", "--lines", "--nbest", "--strict"))


@pytest.mark.slow
def test_formats_decoders_and_models_are_completed() -> None:
    assert complete("bash", "parse", "--format", "") == [name for name, form in FORMATS.items() if form.writer]
    assert complete("bash", "parse", "-f", "pa") == ["parg"]
    assert complete("bash", "parse", "--decoder", "su") == ["supertag", "supertag-forest"]
    assert "en" in complete("bash", "parse", "--model", "")
    assert complete("bash", "pa") == ["parse"]


def test_listing_the_commands_for_a_shell_loads_none_of_them() -> None:
    script = (
        "import sys\nfrom starccg.cli import app\ntry: app(prog_name='starccg')\nexcept SystemExit: pass\n"
        "print({name for name in sys.modules if name.startswith('starccg.cli.')}, file=sys.stderr)"
    )
    asked = {"_STARCCG_COMPLETE": "complete_bash", "COMP_WORDS": "starccg ", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], env={**ENVIRONMENT, **asked}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == list(COMMANDS)
    assert "starccg.cli.parse" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_a_shell_is_printed(shell: str) -> None:
    asked = {**os.environ, **ENVIRONMENT, "_STARCCG_COMPLETE": f"source_{shell}"}
    done = subprocess.run(PROGRAM, env=asked, capture_output=True, text=True, check=True)
    assert "_STARCCG_COMPLETE" in done.stdout
