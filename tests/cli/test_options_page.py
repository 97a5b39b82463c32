"""The page of the command line lists every option of every command, with the text of its help.

``python -m tests.cli.test_options_page`` writes the section again.
"""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_help import ALL

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
TITLE = "## All options\n"


def options() -> str:
    """The section: a table for each command that has options."""
    blocks = [TITLE]
    for name, command in ALL.items():
        rows = [
            f"| `{', '.join([*each.opts, *each.secondary_opts])}` | {(each.help or '').replace('|', '&#124;')} |"
            for each in command.params
            if each.param_type_name == "option" and each.name != "help"
        ]
        if rows:
            blocks.append("\n".join([f"**{name}**\n", "| option | meaning |", "|---|---|", *rows]) + "\n")
    return "\n".join(blocks)


def test_the_page_of_the_command_line_lists_every_option() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert options() in page, "run python -m tests.cli.test_options_page and review the diff"
    assert all(option in page for option in ("--allow-host", "--request-seconds", "--connections", "--queue"))


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.partition(TITLE)[0].rstrip("\n") + "\n\n" + options(), encoding="utf-8")
