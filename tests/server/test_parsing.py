"""What the server answers is what the parser says."""

from __future__ import annotations

import asyncio
import json
from math import isclose
from typing import Any

import pytest

from starccg.formats.json import from_json
from starccg.formats.registry import FORMATS
from starccg.outcome import Parsed
from starccg.outcome_json import outcome_to_json
from starccg.search.options import Decoder, Options
from starccg.search.searcher import Cancellation
from starccg.sentence_input import Words
from starccg.server.jobs import Job, Search, Work
from starccg.server.limits import ServerLimits
from starccg.server.recorded import recorded_search
from starccg.server.scheduler import OUT_OF_TIME, STOPPING, Scheduler
from tests.server.live import HARD
from tests.server.serving import client, parser, tags_only

FLIES = "Fruit flies like bananas."


def post(path: str, status: int = 200, **body: Any) -> Any:
    answer = client().post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(answer.text, parse_constant=refuse)


def test_a_text_is_split_into_sentences_and_each_is_parsed_as_the_parser_does() -> None:
    results = post("parse", text=f"{FLIES} It works.")["results"]
    assert [result["outcome"] for result in results] == ["Parsed", "Parsed"]
    for text, result in zip((FLIES, "It works."), results, strict=True):
        outcome = parser().parse(text)
        assert isinstance(outcome, Parsed)
        (parse,) = result["parses"]
        assert from_json(parse).derivation == outcome.best
        assert parse.pop("svg").startswith("<svg") and parse.pop("arcs").startswith("<svg")
        expected = outcome_to_json(outcome)
        for certificate in (result["certificate"], parse["certificate"]):
            certificate["seconds"] = expected["certificate"]["seconds"] = 0
        expected["parses"][0]["certificate"]["seconds"] = 0
        assert {**result, "offsets": None} == {**expected, "offsets": None}
        assert ["".join(f"{FLIES} It works."[slice(*span)]) for span in result["offsets"]] == result["words"]
        assert result["reason"] is None and result["certificate"]["optimal"]


def test_sentences_are_texts_or_words_and_one_bad_one_spoils_nothing() -> None:
    sentences = ["It works.", ["It", "works", "."], "", ["It", ""], "Fruit flies like bananas ."]
    results = post("parse", sentences=sentences, svg=False)["results"]
    assert [result["outcome"] for result in results] == ["Parsed", "Parsed", "Failed", "Failed", "Parsed"]
    assert [result["reason"] for result in results[2:4]] == ["there are no words", "word 2 is empty"]
    assert results[2]["certificate"] is None and results[2]["parses"] == []
    assert results[0]["parses"][0]["nodes"] == results[1]["parses"][0]["nodes"]
    assert results[0]["offsets"] == [[0, 2], [3, 8], [8, 9]] and results[1]["offsets"] is None
    assert results[0]["parses"][0]["svg"] is None


def test_no_sentences_have_no_results_and_a_blank_text_has_one() -> None:
    assert post("parse", sentences=[]) == {"results": []}
    (result,) = post("parse", text=" \n ")["results"]
    assert (result["outcome"], result["reason"]) == ("Failed", "there are no words")


@pytest.mark.parametrize("body", [{"text": "It works .\nDon't ask"}, {"sentences": ["It works .", "Don't ask"]}])
def test_tokenized_text_is_split_at_blanks_alone(body: dict[str, Any]) -> None:
    results = post("parse", tokenized=True, **body)["results"]
    assert [result["words"] for result in results] == [["It", "works", "."], ["Don't", "ask"]]


def test_several_parses_come_best_first() -> None:
    (result,) = post("parse", text=FLIES, nbest=4)["results"]
    scores = [parse["score"] for parse in result["parses"]]
    assert len(scores) == 4 and scores == sorted(scores, reverse=True)
    assert [parse["id"] for parse in result["parses"]] == ["1.1", "1.2", "1.3", "1.4"]


def test_the_confidence_is_that_of_the_parser_and_changes_nothing_else() -> None:
    (plain,), (sure,) = (post("parse", text=FLIES, nbest=2, confidence=wanted)["results"] for wanted in (False, True))
    assert plain["confidence"] is None and len(sure["parses"]) == 2
    outcome = parser().parse(FLIES, nbest=2, confidence=True)
    assert sure["confidence"] == outcome_to_json(outcome)["confidence"]
    assert [parse["nodes"] for parse in sure["parses"]] == [parse["nodes"] for parse in plain["parses"]]


@pytest.mark.parametrize("decoder", Decoder)
def test_every_decoder_answers(decoder: Decoder) -> None:
    (result,) = post("parse", text=FLIES, decoder=decoder, nbest=2)["results"]
    assert result["certificate"]["decoder"] == decoder
    assert len(result["parses"]) == 2


def test_the_reranker_has_a_hundred_parses_to_reorder() -> None:
    (result,) = post("parse", text=FLIES, decoder="rerank")["results"]
    (best,) = post("parse", text=FLIES, decoder="global")["results"]
    assert len(result["parses"]) == 1
    assert isclose(result["parses"][0]["score"], best["parses"][0]["score"], abs_tol=1e-6)


def test_a_search_out_of_time_backs_off_and_a_request_out_of_time_fails_its_last_sentences() -> None:
    long = "The dog that the cat that the mouse saw chased barked at the man who had come to see what it all was about."
    answer = client(seconds=1e-9).post("/api/parse", json={"sentences": [f"{long} {long}"]}).json()
    (result,) = answer["results"]
    assert result["outcome"] in ("BackedOff", "Failed") and result["reason"].startswith(
        "the search reached its time limit of 1e-09 seconds"
    )
    assert result["certificate"]["stopped"] == "seconds"
    answer = client(request_seconds=0).post("/api/parse", json={"text": "It works."}).json()
    (result,) = answer["results"]
    assert result["outcome"] == "Failed" and result["reason"].startswith("the time limit of the request is used up")


@pytest.mark.parametrize("stopping", [True, False])
def test_a_search_that_its_request_cut_short_names_no_other_time_limit(stopping: bool) -> None:
    """The thread may notice the deadline before the event loop does."""
    work = Work(60 if stopping else 0, 0)
    if stopping:
        work.expire_in(0)

    async def reason() -> str | None:
        sentence = Words(tuple(HARD.split()))
        search = Search(sentence, Options(), lambda outcome, _: outcome)
        job = Job(work, sentence, search, asyncio.get_running_loop().create_future(), lane=2)
        scheduler._tag_together([job])
        scheduler._search(job)
        return (await job.future).reason  # type: ignore[no-any-return]

    scheduler = Scheduler(parser(), ServerLimits())
    assert asyncio.run(reason()) == (STOPPING if stopping else OUT_OF_TIME)
    scheduler.close()


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.writer])
def test_every_format_that_can_be_written_can_be_exported(name: str) -> None:
    answer = client().post("/api/export", json={"text": "Fruit & flies like <bananas>.", "format": name, "rank": 2})
    assert answer.status_code == 200, answer.text
    form = next(form for form in client().get("/api/models").json()["formats"] if form["name"] == name)
    assert answer.headers["content-type"].startswith(form["media_type"])
    assert answer.headers["content-disposition"] == f'attachment; filename="parse{form["extension"]}"'
    outcome = parser().parse("Fruit & flies like <bananas>.", options=Options(decoder=Decoder.GLOBAL, nbest=2))
    assert isinstance(outcome, Parsed)
    assert answer.text.strip() == outcome.parses[1].to(name).strip()


def test_a_recorded_search_tells_what_the_items_are() -> None:
    found = post("search", text=FLIES)
    items = {item["id"]: item for item in found["items"]}
    assert found["recorded"] and not found["truncated"] and found["total_steps"] == len(found["steps"])
    assert found["steps"][0]["kind"] == "start" and found["steps"][-1]["kind"] == "goal"
    assert [items[number]["in_parse"] for number in found["parse"]] == [True] * len(found["parse"])
    root = items[found["parse"][-1]]
    assert (root["start"], root["end"]) == (0, len(found["words"]))
    assert found["categories"][root["category"]] == found["category"]
    assert found["steps"][-1]["inside"] == found["score"] == found["certificate"]["score"]
    leaf = items[found["parse"][0]]
    assert (leaf["rule"], leaf["rule_name"], leaf["children"], leaf["word"]) == ("lex", "lexicon", [], 0)
    for step in found["steps"][1:]:
        assert isclose(step["inside"] + step["outside"], step["priority"], abs_tol=1e-9)
        if step["kind"] == "rescore":
            assert isclose(step["bound"] + step["global"], step["priority"], abs_tol=1e-9)


def test_a_large_answer_is_packed_for_those_who_can_unpack_it() -> None:
    body = {"text": "She gave the dog that barked a bone, but it didn't eat it."}
    packed, plain = (
        client().post("/api/search", json=body, headers={"accept-encoding": kind}) for kind in ("gzip, br", "identity")
    )
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.json()["steps"] == plain.json()["steps"]


def test_a_search_that_goes_deep_is_told_to_its_end() -> None:
    """Its best parse lies below the best tags, where an unrecorded search changes its bound on the way."""
    text = "Can we reschedule our call to sometime next week?"
    found = post("search", text=text, max_steps=20_000)
    assert found["steps"][-1]["kind"] == "goal" and found["outcome"] == "Parsed"
    assert found["steps"][1]["bound"] > found["score"]
    assert found["score"] == post("parse", text=text)["results"][0]["parses"][0]["score"]


def test_a_search_that_needed_more_tags_is_recorded_with_them() -> None:
    own = parser()
    outcomes = (own.parse(text, beam=1.0) for text in ("That that is is.", "Him I never liked.", FLIES))
    outcome = next(one for one in outcomes if one.certificate is not None and one.certificate.widened)
    found = json.loads(b"".join(recorded_search(own, outcome, own.options, 20_000, Cancellation())))
    assert found["steps"][-1]["kind"] == "goal" and found["parse"]
    assert found["record"]["widened"] and found["record"]["beam"] == found["certificate"]["beam"] < 1.0
    assert found["record"]["score"] == found["score"]


def test_a_search_cut_short_still_knows_its_parse() -> None:
    whole, part = post("search", text=FLIES), post("search", text=FLIES, max_steps=10)
    assert part["truncated"] and len(part["steps"]) == 10 and part["total_steps"] == whole["total_steps"]
    assert part["parse"] == whole["parse"]
    assert {item["id"] for item in part["items"]} >= set(part["parse"])
    assert part["steps"] == whole["steps"][:10]
    assert part["svg"] == whole["svg"]


@pytest.mark.parametrize("decoder", ["beam", "rerank"])
def test_decoders_without_an_agenda_say_that_they_leave_no_record(decoder: str) -> None:
    found = post("search", text=FLIES, decoder=decoder)
    assert not found["recorded"] and found["note"]
    assert (found["steps"], found["items"], found["parse"]) == ([], [], [])
    assert found["outcome"] == "Parsed" and found["svg"].startswith("<svg")


def test_a_search_of_nothing_is_a_failure() -> None:
    found = post("search", text=" ")
    assert (found["outcome"], found["reason"], found["steps"]) == ("Failed", "there are no words", [])
    assert found["svg"] is None and found["score"] is None
    assert not found["recorded"]
    assert found["note"] == "the sentence was not searched, so there are no steps to show"


def test_a_record_that_grows_too_large_stops_and_the_answer_is_still_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starccg.server.recorded.RECORDED_PUSHES", 30)
    found = post("search", text="She gave the dog that barked a bone, but it didn't eat it.")
    assert found["outcome"] == "Parsed" and found["certificate"]["optimal"] and found["svg"].startswith("<svg")
    assert found["record"]["stopped"] == "agenda" and found["difference"].startswith("The recording stops after 3")
    assert found["parse"] == [] and found["steps"][-1]["kind"] != "goal"


def test_the_search_that_answered_is_the_one_of_parse_and_a_difference_of_the_record_is_stated() -> None:
    found = post("search", text=FLIES)
    parsed = post("parse", text=FLIES)["results"][0]["certificate"]
    for certificate in (found["certificate"], found["record"], parsed):
        certificate.pop("seconds")
    assert found["certificate"] == parsed
    assert found["record"]["explored"] == parsed["explored"] and found["record"]["score"] == parsed["score"]
    assert sum(len(step["pushed"]) for step in found["steps"]) == found["record"]["agenda"]
    if found["record"]["agenda"] != parsed["agenda"]:
        pushed = f"pushed {parsed['agenda']:,} items, the recorded one {found['record']['agenda']:,}."
        assert found["difference"].startswith(f"The search that answered {pushed}")
    assert post("search", text=FLIES, decoder="supertag")["difference"] is None


def test_short_searches_are_timed_several_times() -> None:
    for result in post("compare", text="It works.")["results"]:
        assert result["runs"] == 5 and 0 < result["seconds"] < 0.02


def test_decoders_are_compared_with_the_first() -> None:
    found = post("compare", text=FLIES, decoders=["global", "supertag", "beam", "global"])
    assert [result["decoder"] for result in found["results"]] == ["global", "supertag", "beam", "global"]
    first, second, *_, last = found["results"]
    assert first["same_as_first"] and last["same_as_first"] and not second["same_as_first"]
    assert first["svg"] == last["svg"] != second["svg"]
    everything = post("compare", text=FLIES, svg=False)["results"]
    assert {result["decoder"] for result in everything} == set(Decoder)
    assert all(result["svg"] is None for result in everything)


def test_nothing_compares_to_a_failure() -> None:
    results = post("compare", text="", decoders=["global", "beam"])["results"]
    assert [(result["outcome"], result["same_as_first"]) for result in results] == [("Failed", None)] * 2


def test_what_the_server_says_of_itself_is_so() -> None:
    about = client().get("/api/models").json()
    assert about["model"] == client().get("/api/health").json()["model"] == "en"
    assert about["default_decoder"] == "global"
    assert {decoder["name"] for decoder in about["decoders"] if not decoder["exact"]} == {"beam", "rerank"}
    assert {decoder["name"] for decoder in about["decoders"] if not decoder["fits_model"]} == {"span", "span-forest"}
    plain = client(model=tags_only()).get("/api/models").json()
    assert plain["default_decoder"] == "supertag"
    assert {d["name"] for d in plain["decoders"] if d["available"]} == {"supertag", "supertag-forest"}
    results = client(model=tags_only()).post("/api/compare", json={"text": FLIES}).json()["results"]
    assert {result["decoder"] for result in results} == {"supertag", "supertag-forest"}
