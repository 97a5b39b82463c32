"""A spaCy pipeline with starccg in it: what documents carry, and what they still carry after a journey."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from starccg.errors import StarccgError
from starccg.outcome import Failed, Parsed

spacy = pytest.importorskip("spacy")
from spacy.tokens import Doc, DocBin  # noqa: E402

from starccg.integrations import spacy as bridge  # noqa: E402

TEXTS = ["The cat sat on the mat. It works.", "Does it?", "", "   ", "She saw\n\nthe  man who left. He waved."]


@pytest.fixture(scope="module")
def nlp() -> Any:
    return pipeline()


def pipeline(**config: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("starccg", config=config)
    return nlp


def facts(doc: Any) -> list[Any]:
    """All that starccg says of a document, without the seconds."""
    found: list[Any] = [token._.supertag for token in doc]
    for outcome in doc._.ccg:
        kind = type(outcome).__name__
        found.append((kind, outcome.words, [] if isinstance(outcome, Failed) else [p.to("auto") for p in outcome]))
    return found


def test_every_sentence_has_an_outcome_and_every_word_a_supertag(nlp: Any) -> None:
    doc = nlp("The cat sat on the mat. It works.")
    first, second = doc.sents
    assert isinstance(first._.ccg, Parsed) and isinstance(second._.ccg, Parsed)
    assert first._.ccg.certificate.optimal
    assert doc._.ccg == [first._.ccg, second._.ccg]
    assert [token._.supertag for token in doc] == [str(tag) for outcome in doc._.ccg for tag in outcome.best.supertags]


def test_the_outcome_is_the_one_the_parser_gives_for_the_same_words(nlp: Any) -> None:
    doc = nlp("Time flies like an arrow.")
    alone = nlp.get_pipe("starccg").parser.parser.parse_words([token.text for token in doc])
    assert doc._.ccg[0].best == alone.best
    assert doc._.ccg[0].best.dependencies == alone.best.dependencies


def test_without_sentence_boundaries_the_whole_document_is_one_sentence() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("starccg")
    doc = nlp("It works. Does it?")
    assert len(doc._.ccg) == 1
    assert doc._.ccg[0].words == ("It", "works", ".", "Does", "it", "?")
    assert doc[:]._.ccg is doc._.ccg[0]


def test_a_span_that_is_a_constituent_has_a_derivation_and_any_other_has_none(nlp: Any) -> None:
    doc = nlp("The cat sat on the mat. It works.")
    assert str(doc[0:2]._.derivation.category) == "NP"
    assert doc[0:2]._.derivation.words == ["The", "cat"]
    assert next(doc.sents)._.derivation == doc._.ccg[0].best
    assert doc[1:3]._.derivation is None
    assert doc[5:9]._.derivation is None  # across two sentences
    assert doc[2:2]._.derivation is None
    assert doc[0:2]._.ccg is None


def test_blanks_are_no_words(nlp: Any) -> None:
    doc = nlp("  The  old\n\nman left .")
    assert doc._.ccg[0].words == ("The", "old", "man", "left", ".")
    assert [token._.supertag is None for token in doc] == [token.is_space for token in doc]
    the, man = (token.i for token in doc if token.text in ("The", "man"))
    assert str(doc[the : man + 1]._.derivation.category) == "NP"


def test_nothing_to_parse_is_no_trouble(nlp: Any) -> None:
    assert nlp("")._.ccg == []
    blank = nlp("   ")
    assert isinstance(blank._.ccg[0], Failed)
    assert [token._.supertag for token in blank] == [None]


def test_a_stream_gives_what_single_documents_give(nlp: Any) -> None:
    alone = [facts(nlp(text)) for text in TEXTS]
    assert [facts(doc) for doc in nlp.pipe(TEXTS, batch_size=2)] == alone


def test_several_processes_give_what_one_gives(nlp: Any) -> None:
    alone = [facts(nlp(text)) for text in TEXTS]  # the parser is loaded before the processes fork
    assert [facts(doc) for doc in nlp.pipe(TEXTS, n_process=2, batch_size=2)] == alone


SPAWN = """
import multiprocessing, spacy, starccg.integrations.spacy
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")  # as on macOS and Windows: nothing is inherited
    nlp = spacy.blank("en")
    nlp.add_pipe("starccg")
    print([doc[0]._.supertag for doc in nlp.pipe(["It works.", "Time flies."], n_process=2, batch_size=1)])
"""


def test_processes_that_inherit_nothing_give_the_same_and_end_in_silence(tmp_path: Path) -> None:
    script = tmp_path / "spawn.py"
    script.write_text(SPAWN)
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    done = subprocess.run([sys.executable, script], env=path, capture_output=True, text=True, check=False, timeout=240)
    assert (done.stdout, done.stderr) == ("['NP', 'N']\n", "")


def test_the_component_travels_by_pickle_and_loads_its_model_where_it_arrives(nlp: Any) -> None:
    component = nlp.get_pipe("starccg")
    assert component.parser.parser is component.parser.parser
    copy = pickle.loads(pickle.dumps(component))
    assert copy.parser._loaded is None
    assert facts(copy(nlp.make_doc("It works."))) == facts(component(nlp.make_doc("It works.")))


def test_documents_keep_their_parses_as_bytes_and_in_a_bin(nlp: Any) -> None:
    doc = nlp(TEXTS[0])
    assert facts(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == facts(doc)
    docs = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    assert facts(next(DocBin().from_bytes(docs).get_docs(nlp.vocab))) == facts(doc)


def test_joined_and_cut_documents_keep_their_parses(nlp: Any) -> None:
    first, second = nlp(TEXTS[0]), nlp(TEXTS[1])
    joined = Doc.from_docs([first, second])
    assert [outcome.words for outcome in joined._.ccg] == [o.words for doc in (first, second) for o in doc._.ccg]
    cut = list(first.sents)[1].as_doc(copy_user_data=True)
    assert [outcome.words for outcome in cut._.ccg] == [("It", "works", ".")]


def test_a_pipeline_comes_back_from_disk_and_from_bytes(tmp_path: Path) -> None:
    nlp = pipeline(nbest=2, decoder="supertag")
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    assert loaded.config["components"]["starccg"]["nbest"] == 2
    assert facts(loaded("It works.")) == facts(nlp("It works."))
    assert facts(pipeline(nbest=2, decoder="supertag").from_bytes(nlp.to_bytes())("It works.")) == facts(
        nlp("It works.")
    )


def test_the_settings_reach_the_search() -> None:
    doc = pipeline(nbest=3)("Fruit flies like bananas.")
    assert len(doc._.ccg[0].parses) == 3
    assert pipeline(decoder="supertag")("It works.")._.ccg[0].certificate.decoder == "supertag"


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model": "nowhere"}, "no model is called 'nowhere'"),
        ({"decoder": "magic"}, "unknown decoder 'magic'; choose one of supertag"),
        ({"nbest": 0}, "nbest must be at least 1, not 0"),
        ({"threads": -1}, "threads must be at least 1, not -1"),
        ({"seconds": 0.0}, "seconds must be more than 0, not 0.0"),
    ],
)
def test_a_wrong_setting_is_refused_when_the_component_is_added(config: dict[str, Any], said: str) -> None:
    with pytest.raises(StarccgError, match=said):
        pipeline(**config)


def test_spacy_finds_the_factory_by_itself_once_starccg_is_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    module, _, name = project["project"]["entry-points"]["spacy_factories"]["starccg"].partition(":")
    assert getattr(import_module(module), name) is bridge.make_component


def test_words_know_their_place_in_the_document() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("starccg")
    doc = nlp("It rains.  The dog barked.")
    for outcome in doc._.ccg:
        assert [doc.text[start:end] for start, end in outcome.offsets] == list(outcome.words)
