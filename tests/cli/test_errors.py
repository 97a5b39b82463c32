"""Every error that a person can cause on the command line, with the message they see.

A fault of the input leaves with 1 and says so in one line, which is in the tables of faults.py. A fault of the
command line leaves with 2, the usage, and the message. Nothing ever shows a traceback.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from starccg.cli import app
from starccg.cli.root import COMMANDS, EXTRAS, load
from starccg.errors import install_extra
from starccg.model_folder.find import find
from tests.cli.conftest import ENVIRONMENT, shell
from tests.cli.faults import INPUT, NEEDS, TRAINING, USAGE

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs"
GOOD = (ROOT / "examples" / "fruit_flies.auto").read_text()
ROOT_USER = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that something is wrong with, each named for what it is."""
    place = tmp_path_factory.mktemp("errors")
    texts = {
        "good.auto": GOOD,
        "good.txt": "It works.\n",
        "empty.auto": "",
        "empty.txt": "",
        "broken.auto": "ID=1\n(<T N 0 2> (<L N X X a N>) )\n",
        "broken.parg": '<s id="1"> 1\n0 1\n<\\s>\n',
        "broken.json": "{",
        "broken.jsonl": '{"id": 1}\n',
        "broken.conllu": "1\tBirds\n\n",
        "broken.toml": "x = [",
        "strange.toml": "nosuch = 1\n",
    }
    for name, text in texts.items():
        (place / name).write_text(text)
    (place / "latin.txt").write_bytes(b"caf\xe9 is good.\n")
    (place / "folder").mkdir()
    (place / "locked.txt").write_text("It works.")
    (place / "locked.txt").chmod(0)
    for name, (part, change) in DAMAGE.items():
        model = place / "models" / name
        shutil.copytree(find("en"), model, copy_function=os.symlink)
        content = (model / part).read_bytes() if change else b""
        shutil.rmtree(model / part) if (model / part).is_dir() else (model / part).unlink()
        if change:
            (model / part).write_bytes(change(content))
    return place


DAMAGE = {
    "sum": ("grammar.json", lambda content: content + b" "),
    "part": ("tagger", None),
    "file": ("grammar.json", None),
    "version": ("model.json", lambda content: content.replace(b'"format": 1', b'"format": 99')),
    "manifest": ("model.json", lambda _: b"{"),
    "tagger-sum": ("tagger/tagger.onnx", lambda content: content + b" "),
    "global-sum": ("global/global.safetensors", lambda content: content + b" "),
    "no-global": ("global", None),
}


def run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, stdin: bytes = b"") -> Result:
    """Run a command in the folder of the files above; its words are separated by spaces, quotation marks removed."""
    monkeypatch.chdir(folder)
    words = [word.strip('"') for word in command.split(" ")]
    return CliRunner().invoke(app, [word.replace("CONFIGS", str(CONFIGS)) for word in words], input=stdin)


@pytest.mark.parametrize(("command", "message"), INPUT, ids=[command for command, _ in INPUT])
def test_an_input_error_is_reported_in_one_line_and_exits_with_1(
    command: str, message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command.startswith("serve"):
        pytest.importorskip("fastapi")
        pytest.importorskip("uvicorn")
    done = run(command, folder, monkeypatch)
    assert done.stderr.startswith(f"error: {message}"), done.output
    assert done.stderr.count("\n") == 1
    assert "a bug in starccg" not in done.stderr
    assert (done.exit_code, done.stdout) == (1, "")


@pytest.mark.parametrize("command", ["bench broken.auto", "treebank stats broken.auto", "models share broken.auto en"])
def test_a_file_that_may_not_be_read_is_an_error_of_the_input(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    done = run(command, folder, monkeypatch)
    assert done.stderr.startswith("error: broken.auto"), done.stderr
    assert done.exit_code == 1


@pytest.mark.parametrize(("command", "message"), TRAINING, ids=[command for command, _ in TRAINING])
def test_a_training_error_is_reported_in_one_line_and_exits_with_1(
    command: str, message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    done = run(command, folder, monkeypatch)
    assert done.stderr.startswith(f"error: {message}"), done.output
    assert done.stderr.count("\n") == 1
    assert (done.exit_code, done.stdout) == (1, "")


def test_confidence_cannot_be_measured_on_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    done = run("experiment confidence --dev good.auto --out one", folder, monkeypatch)
    assert "\nerror: cross-validation needs at least 2 sentences with a parse: give more with --dev\n" in done.stderr
    assert done.exit_code == 1


@pytest.mark.parametrize(("command", "message"), USAGE, ids=[command for command, _ in USAGE])
def test_a_usage_error_is_reported_after_the_usage_and_exits_with_2(
    command: str, message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(command, folder, monkeypatch)
    assert "Error" not in done.stderr
    assert message in done.stderr[done.stderr.index("\nerror: ") :]
    assert done.stderr.startswith("Usage: starccg")
    assert (done.exit_code, done.stdout) == (2, "")


def test_the_tables_have_every_command_and_every_command_in_it() -> None:
    tried = {command.split()[0] for command, _ in (*INPUT, *TRAINING)} & {command.split()[0] for command, _ in USAGE}
    assert set(COMMANDS) <= tried
    pairs = {tuple(command.split()[:2]) for command, _ in (*INPUT, *TRAINING, *USAGE)}
    for name in COMMANDS:
        for held in getattr(load(name), "commands", {}):
            assert (name, held) in pairs or held in ("list", "lazy", "decoders", "learning-curves", "trainings"), held


@pytest.mark.skipif(ROOT_USER, reason="root may read everything")
def test_a_file_without_read_permission_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("parse -i locked.txt", folder, monkeypatch)
    assert done.stderr == "error: locked.txt: cannot be read: Permission denied\n"


def test_standard_input_that_is_not_utf8_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in ("parse", "parse --lines", "parse --tokenized", "parse -i -"):
        done = run(arguments, folder, monkeypatch, b"It works.\n\nIt w\xe9rks.\n")
        assert done.stderr.splitlines()[-1] == "error: <stdin>:3:5: not UTF-8"
        assert done.stdout.startswith("It ")  # what came before is parsed
        assert done.exit_code == 1


@pytest.mark.parametrize("command", ["parse", 'parse ""', "parse -i empty.txt", "parse -f json"])
def test_empty_input_is_a_warning_and_not_an_error(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(command, folder, monkeypatch)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "warning: the input has no sentences\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["parse 'It works.'", "parse 'It works.' -f auto", "models list", "--help", "parse --help"]
)
def test_a_full_disk_under_standard_output_is_reported(command: str) -> None:
    done = shell(f"starccg {command} > /dev/full")
    assert done.stderr == "error: standard output: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.slow
def test_closed_streams_are_handled() -> None:
    assert shell("starccg parse 'It works.' >&-").returncode == 0
    assert shell("starccg parse 'It works.' 2>&-").returncode == 0
    done = shell("starccg parse <&-")
    assert done.stderr == "error: standard input is closed; give text, or a file with -i\n"
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize(("package", "command"), NEEDS, ids=[f"{command} without {name}" for name, command in NEEDS])
def test_a_missing_extra_is_named_with_the_command_that_installs_it(package: str, command: str, tmp_path: Path) -> None:
    if package == "fastapi":
        pytest.importorskip("uvicorn")  # which is missed first
    done = without(package, command, tmp_path)
    told = f"error: this needs {package}, which is not installed: {install_extra(EXTRAS[package])}\n"
    assert (done.stdout, done.stderr, done.returncode) == ("", told, 1)


@pytest.mark.slow
@pytest.mark.parametrize("package", ["numpy", "onnxruntime", "safetensors", "starccg._core"])
def test_an_incomplete_installation_is_reported(package: str, tmp_path: Path) -> None:
    done = without(package, "parse x", tmp_path)
    assert done.stderr == f"error: the installation is incomplete: {package} is missing; install starccg again\n"
    assert done.returncode == 1


def without(package: str, command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    script = f"import sys; sys.modules[{package!r}] = None; from starccg.cli import app; app(prog_name='starccg')"
    return subprocess.run(
        [sys.executable, "-c", script, *command.split()],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=ENVIRONMENT,
    )
