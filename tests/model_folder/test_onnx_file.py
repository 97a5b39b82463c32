"""ONNX files that a model folder must not have are refused with a sentence that names the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import starccg
from starccg.errors import ModelError
from starccg.model_folder.onnx_file import check_onnx
from starccg.model_folder.parts import read_parts
from tests.fuzz import tiny_model

GRAPH = Path(starccg.__file__).parent / "pretrained" / "en" / "tagger" / "tagger.onnx"


def message(field: int, content: bytes) -> bytes:
    size, encoded = len(content), b""
    while size > 127:
        encoded += bytes([size & 127 | 128])
        size >>= 7
    return bytes([field << 3 | 2]) + encoded + bytes([size]) + content


def tensor(name: str, *, external: bool) -> bytes:
    return message(8, name.encode()) + (bytes([14 << 3, 1]) if external else b"")


def test_weights_in_other_files_are_refused_unless_they_are_provided() -> None:
    model = message(7, message(5, tensor("w", external=True)))
    with pytest.raises(ModelError, match=r"^a\.onnx keeps weights in another file"):
        check_onnx(model, "a.onnx")
    check_onnx(model, "a.onnx", {"w"})
    check_onnx(message(7, message(5, tensor("w", external=False))), "a.onnx")


def test_control_flow_is_refused() -> None:
    node = message(4, b"Loop") + message(5, message(6, b""))
    with pytest.raises(ModelError, match=r"^a\.onnx has control flow \(Loop\)"):
        check_onnx(message(7, message(1, node)), "a.onnx")


@pytest.mark.parametrize("content", [b"\xff" * 20, b"\x3a\x7f", b"\x3b", message(7, b"\x0a\x05a")])
def test_a_damaged_file_is_named(content: bytes) -> None:
    with pytest.raises(ModelError, match=r"^a\.onnx is not an ONNX file, or it is damaged"):
        check_onnx(content, "a.onnx")


def test_the_model_of_the_package_is_accepted() -> None:
    shared = (GRAPH.parent / "pieces.safetensors").exists()
    check_onnx(GRAPH.read_bytes(), "tagger.onnx", {"pieces.rows", "pieces.scales"} if shared else ())


def test_functions_and_sparse_weights_are_refused_since_control_flow_could_hide_in_them() -> None:
    function = b"\xca\x01" + bytes([0])  # field 25
    with pytest.raises(ModelError, match=r"^a\.onnx defines functions"):
        check_onnx(function, "a.onnx")
    with pytest.raises(ModelError, match=r"^a\.onnx has sparse weights"):
        check_onnx(message(7, message(15, b"")), "a.onnx")


def test_graphs_nested_without_end_are_damage() -> None:
    graph = b""
    for _ in range(2000):
        graph = message(1, message(4, b"Scan") + message(5, message(6, graph)))
    with pytest.raises(ModelError, match=r"^a\.onnx is not an ONNX file"):
        check_onnx(message(7, graph), "a.onnx")


@pytest.mark.parametrize("operators", [(b"Scan", b"Loop"), (b"Loop", b"Scan")])
def test_a_node_with_two_operators_is_no_scan(operators: tuple[bytes, bytes]) -> None:
    # Of a field that is there twice, onnxruntime reads the last.
    node = b"".join(message(4, operator) for operator in operators) + message(5, message(6, b""))
    with pytest.raises(ModelError, match=r"^a\.onnx has control flow \(Loop, Scan\)"):
        check_onnx(message(7, message(1, node)), "a.onnx")


def test_a_field_whose_number_others_cut_off_is_refused() -> None:
    graph = message(5, tensor("w", external=True))
    key = bytes([7 << 3 & 127 | 2 | 128, 128, 128, 128, 1 << 5])  # field 7, with one more bit than the 32 that are read
    with pytest.raises(ModelError, match=r"^a\.onnx is not an ONNX file"):
        check_onnx(key + bytes([len(graph)]) + graph, "a.onnx")


@pytest.mark.parametrize("file", ["tagger/tagger.onnx", "tagger/wordpieces.txt", "global/global.safetensors"])
def test_a_file_beyond_the_limit_is_not_read(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starccg.model_folder.manifest.MAX_BYTES", 50_000)
    files = tiny_model.files()
    tiny_model.write({**files, file: files[file] + b" " * 60_000}, tmp_path)
    with pytest.raises(ModelError, match=rf"{Path(file).name} has [\d,]+ bytes; at most 50,000 are read"):
        read_parts(tmp_path)


def test_a_manifest_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    tiny_model.write(tiny_model.files(), tmp_path)
    with (tmp_path / "model.json").open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(ModelError, match=r"model\.json has [\d,]+ bytes; at most 67,108,864 are read"):
        read_parts(tmp_path)
