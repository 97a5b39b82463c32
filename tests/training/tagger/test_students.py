"""Teachers, soft targets, students, annotations of words, and encoders of MPNet's shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from safetensors.torch import load_file, save_file  # noqa: E402

from starccg.errors import StarccgError  # noqa: E402
from starccg.model_folder.tagger import load_tagger  # noqa: E402
from starccg.tagger.inputs import EncoderInputs  # noqa: E402
from starccg.tagger.model import PIECES_FILE, Tagger, open_session  # noqa: E402
from starccg.tagger.saved import read_tags  # noqa: E402
from starccg.tagger.wordpiece import WordPiece  # noqa: E402
from starccg.training.tagger.config import Distil, TaggerConfig, config_from  # noqa: E402
from starccg.training.tagger.data import Corpus, Soft, read_raw  # noqa: E402
from starccg.training.tagger.encoder import EncoderTagger, bucket_numbers  # noqa: E402
from starccg.training.tagger.export import to_onnx  # noqa: E402
from starccg.training.tagger.loss import tag_loss  # noqa: E402
from starccg.training.tagger.notes import read_notes  # noqa: E402
from starccg.training.tagger.package import run_export  # noqa: E402
from starccg.training.tagger.pretrained import read_pretrained  # noqa: E402
from starccg.training.tagger.rounding import rounded, split_blocks  # noqa: E402
from starccg.training.tagger.run import read_sources, run_distil, run_training, soft_path  # noqa: E402
from starccg.training.tagger.setup import Setup, prepare, restore  # noqa: E402
from starccg.training.tagger.states import pooled  # noqa: E402
from starccg.training.toml import ConfigError  # noqa: E402
from tests.tagger.models import SENTENCES, config_table, write_data  # noqa: E402


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    folder = write_data(tmp_path_factory.mktemp("data"))
    (folder / "raw.txt").write_text("news\tthe dog sleeps .\nnews\tPat likes a cat .\n", "utf-8")
    blocks = []
    for number, sentence in enumerate(SENTENCES * 8):
        rows = [leaf.split(" ")[1] for leaf in sentence]
        lines = [f"{n}\t{word}\t{word.lower()}\t_\t{'.' if word == '.' else 'NN'}\t_" for n, word in enumerate(rows, 1)]
        blocks.append("\n".join([f"# sent_id = s{number}", "1-2\tboth\t_\t_\t_\t_", *lines]))
    (folder / "train.conllu").write_text("\n\n".join(blocks) + "\n", "utf-8")
    write_mpnet(folder)
    return folder


def write_mpnet(folder: Path) -> None:
    """The tiny encoder's weights under MPNet's names, with four marks before BERT's pieces and one after."""
    bert = load_file(folder / "encoder.safetensors")
    renamed = {
        "attention.self.query": "attention.attn.q", "attention.self.key": "attention.attn.k",
        "attention.self.value": "attention.attn.v", "attention.output.dense": "attention.attn.o",
        "attention.output.LayerNorm": "attention.LayerNorm",
    }  # fmt: skip
    tensors: dict[str, Any] = {}
    for name, tensor in bert.items():
        ours = next((name.replace(old, new) for old, new in renamed.items() if old in name), name)
        tensors[f"mpnet.{ours}".replace("LayerNorm.weight", "LayerNorm.gamma")] = tensor
    table = bert["embeddings.word_embeddings.weight"]
    width = table.shape[1]
    tensors["mpnet.embeddings.word_embeddings.weight"] = torch.cat(
        (torch.randn(4, width), table, torch.randn(1, width))
    )
    del tensors["mpnet.embeddings.token_type_embeddings.weight"]
    tensors["mpnet.encoder.relative_attention_bias.weight"] = torch.randn(8, 3)
    save_file(tensors, folder / "mpnet.safetensors")


def config(**changes: Any) -> TaggerConfig:
    table = config_table("encoder", epochs=2)
    encoder = {**table["encoder"], **changes.pop("encoder", {})}
    return config_from({**table, "encoder": encoder, **changes})


def made(data: Path, **changes: Any) -> Setup:
    own = config(**changes)
    setup = prepare(own, read_sources(own, data), data)
    torch.nn.init.normal_(setup.model.get_parameter("casings.weight"))
    setup.model.eval()
    return setup


WORDS = [["The", "cat", "'s", "e-mail"], ["n't"], ["a", "b,c,d", "cats", "dog"]]


@pytest.mark.parametrize("weights", ["encoder.safetensors", "mpnet.safetensors"])
@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_the_graph_of_every_encoder_and_pooling_computes_what_torch_does(
    data: Path, weights: str, pooling: str
) -> None:
    setup = made(data, encoder={"weights": weights, "pooling": pooling})
    feeds = setup.inputs.collate([piece for words in WORDS for piece in setup.inputs.encode(words)])
    with torch.no_grad():
        logits = setup.model(**{name: torch.from_numpy(array).long() for name, array in feeds.items()})
    found = open_session(to_onnx(setup, quantised=False).graph).run(["log_probabilities"], feeds)[0]
    np.testing.assert_allclose(found, torch.log_softmax(logits, -1).numpy(), atol=1e-4)


def test_the_mean_of_a_words_pieces_is_the_mean() -> None:
    x = torch.arange(24.0).view(2, 4, 3)
    found = pooled(x, torch.tensor([0, 1, 5]), torch.tensor([0, 3, 6]))
    rows = x.flatten(0, 1)
    torch.testing.assert_close(found, torch.stack((rows[0], rows[1:4].mean(0), rows[5:7].mean(0))))


def test_a_word_is_read_from_its_first_to_its_last_piece() -> None:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "'", "ll", "will", "s", "##ing"]
    (piece,) = EncoderInputs(WordPiece(pieces), mean=True).encode(["'ll", "will", "willing"])
    assert piece.kept.tolist() == [1, 3, 4]
    assert piece.lasts.tolist() == [2, 3, 5]


def test_mpnet_weights_are_read_in_the_order_of_berts_vocabulary(data: Path) -> None:
    pieces = tuple((data / "pieces.txt").read_text("utf-8").rstrip("\n").split("\n"))
    ours = read_pretrained(data / "mpnet.safetensors", pieces)
    given = load_file(data / "mpnet.safetensors")["mpnet.embeddings.word_embeddings.weight"]
    torch.testing.assert_close(ours.tensors["pieces.weight"][pieces.index("cat")], given[4 + pieces.index("cat")])
    torch.testing.assert_close(ours.tensors["pieces.weight"][pieces.index("[CLS]")], given[0])
    assert (ours.shape["positions"], ours.shape["relative"], ours.shape["layers"]) == (62, 8, 2)
    with pytest.raises(StarccgError, match="do not fit"):
        read_pretrained(data / "mpnet.safetensors", pieces[:-1])


def test_layers_are_kept_by_number(data: Path) -> None:
    pieces = tuple((data / "pieces.txt").read_text("utf-8").rstrip("\n").split("\n"))
    whole, part = (read_pretrained(data / "encoder.safetensors", pieces, layers) for layers in ((), (1,)))
    assert part.shape["layers"] == 1
    torch.testing.assert_close(part.tensors["layers.0.inner.bias"], whole.tensors["layers.1.inner.bias"])
    with pytest.raises(StarccgError, match="from 0 to 1"):
        read_pretrained(data / "encoder.safetensors", pieces, (0, 2))


def test_the_hidden_units_that_are_kept_are_those_with_the_largest_weights(data: Path) -> None:
    pieces = tuple((data / "pieces.txt").read_text("utf-8").rstrip("\n").split("\n"))
    whole, part = (read_pretrained(data / "encoder.safetensors", pieces, inner=inner) for inner in (0, 5))
    assert part.shape == {**whole.shape, "inner": 5}
    incoming, outgoing = (whole.tensors[f"layers.1.{name}.weight"] for name in ("inner", "outer"))
    sizes = [float(incoming[unit].norm() * outgoing[:, unit].norm()) for unit in range(whole.shape["inner"])]
    kept = sorted(sorted(range(len(sizes)), key=lambda unit: -sizes[unit])[:5])
    torch.testing.assert_close(part.tensors["layers.1.inner.weight"], incoming[kept])
    torch.testing.assert_close(part.tensors["layers.1.inner.bias"], whole.tensors["layers.1.inner.bias"][kept])
    torch.testing.assert_close(part.tensors["layers.1.outer.weight"], outgoing[:, kept])
    with pytest.raises(StarccgError, match="at most"):
        read_pretrained(data / "encoder.safetensors", pieces, inner=10_000)


def test_distances_have_numbers_that_tell_near_ones_apart_and_left_from_right() -> None:
    numbers = bucket_numbers(512, 32)
    by_distance = {distance: int(numbers[distance + 511]) for distance in range(-511, 512)}
    assert [by_distance[-d] for d in range(8)] == list(range(8))
    assert all(by_distance[d] == by_distance[-d] + 16 for d in range(1, 512))
    assert by_distance[-511] == by_distance[-128] == 15


def test_rounded_weights_are_those_of_the_file_and_pass_the_gradient_on() -> None:
    weight = torch.randn(6, 128, requires_grad=True)
    near = rounded(weight, 4)
    whole, scales = split_blocks(weight.detach().numpy(), 4)
    blocks = whole.reshape(6, 2, 64) * scales[..., None].astype(np.float32)
    np.testing.assert_allclose(near.detach().numpy(), blocks.reshape(6, 128), atol=1e-6)
    assert np.abs(whole).max() == 7
    near.sum().backward()
    assert torch.equal(weight.grad, torch.ones_like(weight))


def test_weights_in_4_bits_give_what_torch_gives_with_rounded_ones(data: Path) -> None:
    torch.manual_seed(0)
    encoder = replace(config().encoder, bits=4, pooling="mean", heads=4)
    pieces = tuple((data / "pieces.txt").read_text("utf-8").rstrip("\n").split("\n"))
    shape = {"pieces": len(pieces), "width": 64, "positions": 64, "inner": 128, "layers": 2, "relative": 8}
    model = EncoderTagger(encoder, shape, {"main": 5}).eval()
    inputs = EncoderInputs(WordPiece(pieces), 64, mean=True)
    setup = Setup(replace(config(), encoder=encoder), {"main": tuple("abcde")}, inputs, model, shape, {}, {})
    feeds = inputs.collate([piece for words in WORDS for piece in inputs.encode(words)])
    with torch.no_grad():
        expected = torch.softmax(model(**{n: torch.from_numpy(a).long() for n, a in feeds.items()}), -1).numpy()
    exported = to_onnx(setup)
    found = np.exp(open_session(exported.graph).run(["log_probabilities"], feeds)[0])
    assert np.abs(found - expected).max() < 0.02
    assert len(exported.graph) < len(to_onnx(setup, quantised=False).graph) / 3


def test_4_bits_of_layers_that_do_not_divide_into_blocks_are_refused_before_training(data: Path) -> None:
    with pytest.raises(StarccgError, match="multiples of 64, not 24 and 48"):
        made(data, encoder={"bits": 4})


def test_a_student_learns_from_its_teachers_tags_of_treebanks_and_raw_text(data: Path, tmp_path: Path) -> None:
    teacher = config(schedule={"epochs": 25, "batch": 64, "learning_rate": 0.02})
    run_training(teacher, data, tmp_path / "teacher", "cpu")
    student = replace(teacher, raw=config(raw=[{"path": "raw.txt"}]).raw, source=teacher.source[:1])
    student = replace(student, encoder=replace(student.encoder, layers=(0,), keep_pieces=True))
    paths = run_distil(student, [tmp_path / "teacher"] * 2, data, tmp_path / "soft", "cpu")
    assert [path.name for path in paths] == ["train.auto.soft.npz", "raw.txt.soft.npz"]
    taught = read_tags(soft_path(tmp_path / "soft", "raw.txt"))
    assert [tagged.words for tagged in taught.sentences.values()] == [4, 5]
    best = run_training(
        student, data, tmp_path / "student", "cpu", soft=tmp_path / "soft", teacher=tmp_path / "teacher"
    )  # fmt: skip
    assert best["dev"] > 0.9
    before = read_pretrained(data / "encoder.safetensors", restore_pieces(data)).tensors["pieces.weight"]
    kept = restore(tmp_path / "student").model.get_parameter("pieces.weight")
    torch.testing.assert_close(kept, before, atol=2e-3, rtol=1e-2)
    run_export(tmp_path / "student", data, tmp_path / "model", allowed_loss=1.0)
    assert (tmp_path / "model" / PIECES_FILE).is_file()
    (tagged,) = load_tagger(tmp_path / "model", threads=1).tag([["the", "cat", "sleeps", "."]])
    assert len(tagged.offsets) == 5


def restore_pieces(data: Path) -> tuple[str, ...]:
    return tuple((data / "pieces.txt").read_text("utf-8").rstrip("\n").split("\n"))


def test_a_training_can_start_from_a_finished_run(data: Path, tmp_path: Path) -> None:
    first = config(schedule={"epochs": 20, "batch": 64, "learning_rate": 0.02})
    best = run_training(first, data, tmp_path / "first", "cpu")
    again = run_training(
        config(schedule={"epochs": 1, "batch": 64, "learning_rate": 1e-6}), data, tmp_path / "again", "cpu",
        start=tmp_path / "first",
    )  # fmt: skip
    assert again["dev"] == pytest.approx(best["dev"], abs=0.02)


def test_the_loss_mixes_gold_and_taught_tags_in_the_shares_set(data: Path) -> None:
    setup = made(data, distil={"share": 0.25})
    logits = torch.tensor([[2.0, 0.0], [0.5, 1.0], [1.0, 0.0]])
    targets = torch.tensor([0, -100, 1])
    soft = (torch.tensor([[1, 0], [0, 0], [0, 0]]), torch.tensor([[0.9, 0.1], [1.0, 0.0], [0.0, 0.0]]))
    own = -torch.log_softmax(logits, -1)
    first = 0.75 * own[0, 0] + 0.25 * (0.9 * own[0, 1] + 0.1 * own[0, 0])
    expected = first + own[1, 0] + own[2, 1]  # taught and gold; only taught; only gold
    torch.testing.assert_close(tag_loss(logits, targets, soft, setup), expected)


def test_soft_targets_sum_to_one_and_keep_the_likeliest() -> None:
    from starccg.search.types import TaggedSentence  # noqa: PLC0415

    scores = np.log(np.array([0.5, 0.3, 0.1, 0.9], np.float32))
    tagged = TaggedSentence(np.array([4, 2, 7, 1], np.int32), scores, np.array([0, 3, 4], np.int32))
    soft = Soft.of(tagged, 2)
    assert soft.tags.tolist() == [[4, 2], [1, 0]]
    np.testing.assert_allclose(soft.probabilities, [[0.625, 0.375], [1, 0]], atol=1e-3)


def test_parts_of_speech_and_lemmas_are_learned_and_given_only_where_asked_for(data: Path, tmp_path: Path) -> None:
    table = config_table("encoder", epochs=25, learning_rate=0.02)
    table["source"][0]["words"] = "train.conllu"
    run_training(config_from(table), data, tmp_path / "run", "cpu")
    run_export(tmp_path / "run", data, tmp_path / "model", allowed_loss=1.0)
    tagger = load_tagger(tmp_path / "model", threads=1)
    assert tagger.annotates
    words = ["Kim", "sees", "the", "cat", "."]
    (found,) = tagger.analyse([words], annotate=True, states=True)
    assert found.lemmas == ("kim", "sees", "the", "cat", ".")
    assert found.pos == ("NN", "NN", "NN", "NN", ".")
    assert found.states is not None
    assert found.states.shape == (5, 24)
    (plain,) = tagger.analyse([words])
    assert (plain.pos, plain.lemmas, plain.states) == (None, None, None)
    np.testing.assert_array_equal(plain.tagged.tags, found.tagged.tags)


def test_a_tagger_without_annotations_says_so(data: Path) -> None:
    setup = made(data)
    stub = {"kind": "encoder", "categories": list(setup.categories["main"]), "beam": 1e-3}
    tagger = Tagger(setup.inputs, open_session(to_onnx(setup).graph), stub, "old")
    with pytest.raises(StarccgError, match="without parts of speech"):
        tagger.analyse([["a"]], annotate=True)
    with pytest.raises(StarccgError, match="export it again"):
        tagger.analyse([["a"]], states=True)


def test_annotations_are_read_by_the_name_of_the_sentence(data: Path) -> None:
    found = read_notes(data / "train.conllu")
    words, notes = found["s0"]
    assert words == ("the", "cat", "sleeps", ".")
    assert notes["lemma"] == ("l", "l", "l", "l")
    assert notes["pos"] == ("NN", "NN", "NN", ".")


def test_raw_text_is_words_between_blanks_after_the_tab(data: Path) -> None:
    assert read_raw(data / "raw.txt")[0].words == ("the", "dog", "sleeps", ".")
    with pytest.raises(StarccgError, match="does not exist"):
        read_raw(data / "nothing.txt")


def test_gradients_of_several_batches_add_up_to_one_step(data: Path, tmp_path: Path) -> None:
    table = config_table("lstm", epochs=1, accumulate=100)
    run_training(config_from(table), data, tmp_path, "cpu")
    state = load_file(tmp_path / "checkpoint.safetensors")
    steps = {int(value) for name, value in state.items() if name.startswith("optimiser.step.")}
    assert steps == {1}


def test_a_corpus_of_raw_text_teaches_the_main_dialect_only(data: Path) -> None:
    own = config(raw=[{"path": "raw.txt"}])
    raw = read_sources(own, data)[-1]
    assert isinstance(raw, Corpus)
    assert raw.dialect == "main"
    with pytest.raises(ConfigError, match="annotation"):
        config(source=[{"path": "train.auto"}, {"path": "train.auto", "dialect": "pos"}])
    with pytest.raises(ConfigError, match="bits"):
        config(encoder={"bits": 3})
    assert Distil().share == 0.5


def test_the_windows_of_a_long_sentence_are_joined_in_order(data: Path, tmp_path: Path) -> None:
    table = config_table("encoder", epochs=8, learning_rate=0.02)
    table["source"][0]["words"] = "train.conllu"
    run_training(config_from(table), data, tmp_path / "run", "cpu")
    run_export(tmp_path / "run", data, tmp_path / "model", allowed_loss=1.0)
    tagger = load_tagger(tmp_path / "model", threads=2)
    words = ["the", "cat", "sleeps", ".", "Kim"] * 40
    (found,) = tagger.analyse([words], annotate=True, states=True)
    assert found.pos is not None
    assert found.lemmas is not None
    assert found.states is not None
    assert found.tagged.words == len(found.pos) == len(found.states) == 200
    assert found.lemmas == tuple(map(str.lower, words))
