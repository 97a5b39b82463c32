from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import starccg
from starccg.cli import app
from starccg.cli.root import COMMANDS, DEBUG, load

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "fruit_flies.auto"
BROKEN = "ID=1\n(<L N X X a N>)\nID=2\n(<T N 0 2> (<L N X X a N>) )\nID=3\n(<L N X X c N>)\n"


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)), input=stdin)


def test_importing_the_package_is_quick_and_loads_nothing_heavy() -> None:
    script = (
        "import sys, time; began = time.perf_counter(); import starccg; took = time.perf_counter() - began\n"
        "heavy = {'numpy', 'typer', 'rich', 'torch', 'onnxruntime'} & set(sys.modules)\n"
        "print(took); sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    taken = [float(python("-c", script).stdout) for _ in range(3)]
    assert min(taken) < 0.3


def test_help_is_quick_and_loads_no_command() -> None:
    script = (
        "import sys\nfrom starccg.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass\n"
        "loaded = {name for name in sys.modules if name.startswith('starccg.cli.')}\n"
        "loaded |= {'numpy', 'rich', 'pydantic'} & set(sys.modules)\n"
        "loaded -= {f'starccg.cli.{name}' for name in ('root', 'examples', 'interrupts')}\n"
        "sys.exit(f'loaded {loaded}' if loaded else 0)"
    )
    began = time.perf_counter()
    assert "Examples:" in python("-c", script).stdout
    assert time.perf_counter() - began < 5


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_every_public_name_of_the_package_is_there() -> None:
    assert all(hasattr(starccg, name) for name in starccg.__all__)
    assert set(starccg.__all__) <= set(dir(starccg))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = starccg.nothing


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_loads_and_its_help_begins_with_the_summary_in_the_list(name: str) -> None:
    assert (load(name).help or "").startswith(COMMANDS[name].summary)
    shown = run(name, "--help")
    assert shown.exit_code == 0
    assert f"Usage: root {name}" in shown.output or f"Usage: starccg {name}" in shown.output


def test_the_version_is_printed() -> None:
    shown = run("--version")
    assert (shown.exit_code, shown.output) == (0, f"starccg {starccg.__version__}\n")


def test_a_derivation_is_drawn_unless_another_format_is_named() -> None:
    assert run("convert", EXAMPLE, "--width", "80").stdout.splitlines()[1].split() == [
        "Fruit", "flies", "like", "bananas", "."
    ]  # fmt: skip
    assert run("convert", EXAMPLE, "--to", "auto").stdout == EXAMPLE.read_text()


def test_a_conversion_there_and_back_changes_nothing(tmp_path: Path) -> None:
    assert run("convert", EXAMPLE, tmp_path / "a.json").exit_code == 0
    assert run("convert", tmp_path / "a.json", tmp_path / "b.jsonl").exit_code == 0
    assert run("convert", tmp_path / "b.jsonl", tmp_path / "c.auto").exit_code == 0
    assert (tmp_path / "c.auto").read_text() == EXAMPLE.read_text()


def test_one_sentence_is_not_called_sentences(tmp_path: Path) -> None:
    path = tmp_path / "part"
    assert run("treebank", "split", EXAMPLE, path, "--into", "all=1").stdout == f"{path}.all.auto: 1 sentence\n"
    assert "1 sentence " in run("eval", "--gold", EXAMPLE, "--predicted", EXAMPLE).stdout
    (tmp_path / "text.txt").write_text("It works.")
    assert "1 sentence: 1 parsed" in run("corpus", tmp_path / "text.txt", "--out", tmp_path / "out", "-p", "1").stderr


def test_a_folder_of_models_that_does_not_exist_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARCCG_MODELS", f"{tmp_path}{os.pathsep}{tmp_path / 'none'}")
    listed = run("models", "list")
    assert listed.stderr == f"warning: STARCCG_MODELS names {tmp_path / 'none'}, which is not a folder\n"
    assert "en-fast" in listed.stdout


def test_standard_input_is_read_and_standard_output_written() -> None:
    done = run("convert", "-", "-", "--from", "auto", "--to", "auto", stdin=EXAMPLE.read_text())
    assert (done.exit_code, done.stdout) == (0, EXAMPLE.read_text())


def test_a_malformed_line_gives_file_line_column_and_reason_on_one_line_and_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "broken.auto"
    path.write_text(BROKEN)
    done = run("convert", path, tmp_path / "out.json")
    assert done.exit_code == 1
    assert done.stderr == f"error: {path}:4:28: the node should have 2 children, but has 1\n"
    assert not (tmp_path / "out.json").exists()


def test_bad_sentences_are_skipped_and_counted_on_request(tmp_path: Path) -> None:
    path = tmp_path / "broken.auto"
    path.write_text(BROKEN)
    done = run("convert", path, "--to", "auto", "--skip-bad")
    assert done.exit_code == 0
    assert done.stdout.count("ID=") == 2
    assert (
        done.stderr
        == f"malformed sentences skipped: 1 (the first: {path}:4:28: the node should have 2 children, but has 1)\n"
    )
    assert run("convert", EXAMPLE, "--skip-bad").stderr == "malformed sentences skipped: 0\n"


@pytest.mark.parametrize("name", ["missing.auto", "missing.parg", "missing.json", "missing.jsonl", "missing.conllu"])
def test_a_missing_file_is_an_error_in_one_line(name: str, tmp_path: Path) -> None:
    done = run("convert", tmp_path / name, tmp_path / "out.parg")
    assert done.exit_code == 1
    assert done.stderr == f"error: {tmp_path / name}: cannot be read: No such file or directory\n"


def test_a_folder_that_cannot_be_written_to_is_an_error_in_one_line(tmp_path: Path) -> None:
    done = run("convert", EXAMPLE, tmp_path / "none" / "x.auto")
    assert done.exit_code == 1
    assert done.stderr == f"error: {tmp_path / 'none' / 'x.auto'}: cannot be written: No such file or directory\n"


def test_the_traceback_of_a_bug_is_shown_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("starccg.cli.convert.convert_files", broken)
    done = run("convert", EXAMPLE)
    assert done.exit_code == 1
    assert done.stderr.startswith("error: a bug in starccg: KeyError: 'oops'; report it")
    monkeypatch.setenv(DEBUG, "1")
    assert isinstance(run("convert", EXAMPLE).exception, KeyError)


def test_a_missing_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("starccg.cli.convert.convert_files", broken)
    expected = "error: this needs torch, which is not installed: in a checkout of starccg, run pip install '.[train]'\n"
    assert run("convert", EXAMPLE).stderr == expected


@pytest.mark.slow
def test_a_broken_pipe_shows_no_traceback(tmp_path: Path) -> None:
    many = tmp_path / "many.auto"
    many.write_text(EXAMPLE.read_text() * 5000)
    command = f"{sys.executable} -c 'from starccg.cli import app; app()' convert {many} --to auto | head -1"
    done = subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.startswith("ID=fruit-flies")
    assert done.stderr == ""


def test_universal_dependencies_become_derivations(tmp_path: Path) -> None:
    rows = [
        "1 Birds bird NOUN NNS Number=Plur 2 nsubj 2:nsubj _",
        "2 sing sing VERB VBP Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 0 root 0:root _",
        "3 . . PUNCT . _ 2 punct 2:punct _",
    ]
    path = tmp_path / "birds.conllu"
    path.write_text("# sent_id = birds\n" + "\n".join(row.replace(" ", "\t") for row in rows) + "\n\n")
    done = run("convert", path, "--to", "auto")
    assert done.exit_code == 0
    assert done.stdout.startswith("ID=birds PARSER=UD")
    path.write_text(path.read_text().replace("2\tsing", "7\tsing"))
    broken = run("convert", path, "--to", "auto")
    assert broken.exit_code == 1
    assert broken.stderr.startswith(f"error: {path}:")
