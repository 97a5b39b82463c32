"""A tagger on a GPU gives the tags of the CPU but for rounding. Here torch runs the same code on the CPU."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load

import starccg
from starccg.devices import chosen_device
from starccg.errors import ModelError, StarccgError
from starccg.model_folder.find import find
from starccg.model_folder.parts import read_parts
from starccg.tagger.model import PIECES_FILE, Tagger
from starccg.tagger.pruning import kept_tags

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
torch_encoder = pytest.importorskip("starccg.globalmodel.torch_encoder")
torch_graph = pytest.importorskip("starccg.tagger.torch_graph")

TEXTS = (
    "The keys that the porter lost were found in the snow .",
    "Why ?",
    "Having signed the lease , she moved to a larger office near the old harbour and sold most of the furniture .",
)
SENTENCES = [*map(str.split, TEXTS), ["~" * 3, "\u00e9t\u00e9", "x" * 200]]


def on_torch(tagger: Tagger, graph: bytes, half: Any = None) -> Tagger:
    pieces = find("en") / "tagger" / PIECES_FILE
    outside = load(pieces.read_bytes()) if pieces.is_file() else {}
    session = torch_graph.TorchGraph(graph, "cpu", outside, half)
    return Tagger(tagger.inputs, session, tagger.manifest, tagger.name)


def test_the_graph_run_by_torch_gives_the_probabilities_of_onnxruntime_but_for_rounding() -> None:
    folder = find("en")
    tagger = read_parts(folder).tagger
    other = on_torch(tagger, (folder / "tagger" / "tagger.onnx").read_bytes())
    for expected, found in zip(tagger.log_probabilities(SENTENCES), other.log_probabilities(SENTENCES), strict=True):
        assert found.shape == expected.shape
        assert found.dtype == np.float32
        np.testing.assert_allclose(np.exp(found), np.exp(expected), atol=0.1)
        assert (found.argmax(axis=1) == expected.argmax(axis=1)).mean() >= 0.95


def test_the_graph_runs_in_half_precision_as_on_a_gpu() -> None:
    folder = find("en")
    tagger = read_parts(folder).tagger
    graph = (folder / "tagger" / "tagger.onnx").read_bytes()
    single, half = (on_torch(tagger, graph, kind).analyse(SENTENCES, states=True) for kind in (None, torch.float16))
    for one, other in zip(single, half, strict=True):
        assert one.states is not None
        np.testing.assert_allclose(other.states, one.states, atol=0.1)
        assert [row[0] for row in tags_of(other)] == [row[0] for row in tags_of(one)]


def tags_of(output: Any) -> list[Any]:
    """The tags of each word, the best one first."""
    tagged = output.tagged
    return [tagged.tags[first:last] for first, last in pairwise(tagged.offsets)]


@pytest.mark.parametrize(("beam", "max_tags"), [(0.001, 64), (0.5, 2), (0.0, 10_000), (1.0, 1)])
def test_torch_keeps_the_tags_that_numpy_keeps(beam: float, max_tags: int) -> None:
    scores = np.random.default_rng(1).integers(-6, 0, (50, 30)).astype(np.float32)  # with many ties
    expected, found = kept_tags(scores, beam, max_tags), torch_graph._kept_tags(torch.tensor(scores), beam, max_tags)
    for one, other in zip(expected, found, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_parts_of_speech_and_lemmas_come_from_torch_too() -> None:
    folder = find("en")
    tagger = read_parts(folder).tagger
    other = on_torch(tagger, (folder / "tagger" / "tagger.onnx").read_bytes())
    expected, found = (one.analyse(SENTENCES[:1], annotate=True)[0] for one in (tagger, other))
    assert (found.pos, found.lemmas) == (expected.pos, expected.lemmas)
    assert found.tagged.tag_beam == expected.tagged.tag_beam


def test_where_memory_runs_out_the_sentences_are_tagged_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = starccg.load("en-fast")
    session = parser.tagger.session

    class Small:
        def run(self, names: list[str], feeds: dict[str, Any], options: object = None) -> Any:
            if len(feeds["lengths"]) > 1:
                raise MemoryError
            return session.run(names, feeds, options)

    monkeypatch.setattr(parser.tagger, "session", Small())
    assert all(parser.parse(["It rains .", "Why ?"]))


def test_sentences_beside_it_do_not_change_a_sentence() -> None:
    folder = find("en")
    tagger = on_torch(read_parts(folder).tagger, (folder / "tagger" / "tagger.onnx").read_bytes())
    together, alone = tagger.log_probabilities(SENTENCES), tagger.log_probabilities(SENTENCES[1:2])
    np.testing.assert_allclose(together[1], alone[0], atol=1e-4)


def test_the_leaf_encoder_in_torch_gives_the_states_of_numpy() -> None:
    model = read_parts(find("en")).global_model
    assert model is not None
    other = replace(model, leaf_encoder=torch_encoder.TorchLeafEncoder(model.dimensions, model.arrays, "cpu"))
    for expected, found in zip(model.leaf_states(SENTENCES), other.leaf_states(SENTENCES), strict=True):
        np.testing.assert_allclose(found, expected, atol=2e-5)
    assert other.leaf_states([]) == []


def test_a_graph_with_an_unknown_operator_is_refused_by_name() -> None:
    node = onnx.helper.make_node("Einsum", ["cells"], ["log_probabilities"], equation="i->i")
    graph = onnx.helper.make_graph([node], "tagger", [], [])
    with pytest.raises(ModelError, match="the ONNX operator Einsum, which does not run on the GPU"):
        torch_graph.TorchGraph(onnx.helper.make_model(graph).SerializeToString(), "cpu")


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "cpu:0x", ""])
def test_an_unknown_device_is_refused(device: str) -> None:
    with pytest.raises(StarccgError, match="unknown device"):
        chosen_device(device)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_without_a_gpu_auto_is_the_cpu_and_cuda_an_error() -> None:
    assert chosen_device("auto") == "cpu"
    with pytest.raises(StarccgError, match="torch finds 0 GPUs here"):
        chosen_device("cuda")
