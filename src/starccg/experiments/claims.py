"""The claims of the paper, checked against measurements."""

from __future__ import annotations

from collections.abc import Mapping

from starccg.evaluation import compare
from starccg.experiments.evaluation_set import EvaluationSet
from starccg.experiments.measurement import Measurement
from starccg.experiments.published import (
    LAZY_SAVES,
    LAZY_SPEEDUP,
    MODELS,
    TEST_EXPLORED,
    TEST_OPTIMAL,
    TEST_SPEED,
    UPDATES,
    Published,
)
from starccg.experiments.report import Claim

CLOSE = 0.5
"""Decoders whose F1 differs by at most this are compared by time."""
PERMUTATIONS = 10_000
Found = Mapping[str, Measurement]


def median_time(measured: Measurement, best: Measurement) -> float:
    """The time of the median sentence, relative to that of another system."""
    own, other = (sorted(m.times)[len(m.times) // 2] for m in (measured, best))
    return own / max(other, 1e-9)


def results(found: Found, speeds: Found) -> list[Claim]:
    """Table 2."""
    plain, tags, best = found["Supertag-factored"], found["Supertag-factored, with costs"], found["Global A*"]
    supertags = compare(tags.scores(), best.scores(), permutations=PERMUTATIONS)[2]
    speed = speeds.get("Global A*")
    middle = [sorted(m.explored)[len(m.explored) // 2] for m in (best, plain)]
    proved = [i for i, optimal in enumerate(best.optimal) if optimal == 1]
    lost = 100 * (1 - sum(best.of(proved).explored) / max(1, sum(best.explored)))
    return [
        _gain("The global model parses better than the tags alone", "+0.9 dev F1", found),
        Claim(
            "Supertag accuracy is not significantly different after parsing with the global model",
            "not significant",
            f"{100 * supertags.difference:+.2f} points (p = {supertags.p_value:.4f})",
            not supertags.significant,
            "The global model changes the choice of supertags as well.",
        ),
        _proved("Nearly every sentence has a parse that is proved best", "99.8%", best),
        Claim(
            "The global model explores fewer nodes than the tags alone with dynamic programming",
            "309.6 against 402.5",
            f"{best.mean_explored:.1f} against {plain.mean_explored:.1f}",
            best.mean_explored < plain.mean_explored,
            f"Median sentence: {middle[0]:.0f} against {middle[1]:.0f}. Searches without a proof "
            f"({len(best.rows) - len(proved)}) explored {lost:.0f}% of all nodes; for the other sentences the mean is "
            f"{best.of(proved).mean_explored:.1f} against {plain.of(proved).mean_explored:.1f}.",
        ),
        Claim(
            "Speed on one core",
            f"{TEST_SPEED} sentences/s (3.5 GHz)",
            f"{best.sentences_per_second:.0f} sentences/s; at the length of the paper's sentences "
            f"{f'{speed.sentences_per_second:.0f}' if speed else 'not measured'}",
            best.sentences_per_second > TEST_SPEED,
        ),
    ]


def test(found: Found) -> list[Claim]:
    """The test set, in the text beside Table 2."""
    best = found["Global A*"]
    return [
        _gain("The global model parses test sentences better than the tags alone", "+0.6 test F1", found),
        _proved(
            "Nearly every test sentence has a parse that is proved best",
            f"{TEST_OPTIMAL}%, {TEST_EXPLORED} explored, {TEST_SPEED} sentences/s",
            best,
            f", {best.mean_explored:.1f} explored, {best.sentences_per_second:.1f} sentences/s",
        ),
    ]


def _gain(text: str, paper: str, found: Found) -> Claim:
    """The global model against the tags with costs, the fair baseline, and against the plain ones."""
    plain, tags, best = found["Supertag-factored"], found["Supertag-factored, with costs"], found["Global A*"]
    f1 = compare(tags.scores(), best.scores(), permutations=PERMUTATIONS)[0]
    return Claim(
        text,
        paper,
        f"{100 * f1.difference:+.2f} F1 (p = {f1.p_value:.4f}) over the tags with costs, {best.f1 - plain.f1:+.2f} "
        "over the plain ones",
        f1.difference > 0 and f1.significant,
        "The difference is not significant on these sentences.",
    )


def _proved(text: str, paper: str, best: Measurement, more: str = "") -> Claim:
    why = "Sentences reach the limits on forest, agenda or recursive units."
    return Claim(text, paper, f"{best.percent_optimal:.2f}%{more}", best.percent_optimal >= 99, why)


TAGGER = "The tagger has read the whole sentence, so the words reach the global model through the tags as well."


def ablations(found: Found) -> list[Claim]:
    """Table 3, as far as its rows were measured."""
    best, plain = found["Global A*"], found["Supertag-factored"]
    forest = found["Supertag-factored, - dynamic program"]
    made = [
        _better(text, "Global A*", worse, found, MODELS, reason)
        for text, worse, reason in (
            ("Global features are better than spans", "Span-factored", ""),
            ("Words at the leaves improve parsing", "- lexical inputs", TAGGER),
            ("The context of the words improves parsing", "- lexical context", TAGGER),
        )
        if worse in found
    ]
    return [
        *made,
        Claim(
            "Without dynamic programming the tags alone explore far more than the global model",
            "17,119.6 against 309.6",
            f"{forest.mean_explored:,.1f} against {best.mean_explored:,.1f} (with it {plain.mean_explored:,.1f})",
            forest.mean_explored > 10 * best.mean_explored,
            "The forest of a sentence ends at its limit.",
        ),
    ]


def updates(found: Found) -> list[Claim]:
    """Table 4."""
    return [
        _better(f"All-violations updates beat {worse.lower()} updates", "All-violations", worse, found, UPDATES)
        for worse in ("Max-violation", "Greedy")
        if worse in found
    ]  # fmt: skip


def shorter(plain: Measurement, drawn: Measurement) -> Claim:
    """``learning.gold_weight``."""
    against = compare(plain.scores(), drawn.scores())[0]
    return Claim(
        "Gold parses drawn towards zero make searches shorter and parses no worse",
        "not in the paper",
        f"{drawn.mean_explored:,.1f} nodes explored against {plain.mean_explored:,.1f}, "
        f"{100 * against.difference:+.2f} F1 (p = {against.p_value:.4f})",
        drawn.mean_explored < plain.mean_explored and not (against.significant and against.difference < 0),
        "The searches are not shorter, or F1 is lower.",
    )


def _better(
    text: str, better: str, worse: str, found: Found, paper: Mapping[str, Published], reason: str = ""
) -> Claim:
    against = compare(found[worse].scores(), found[better].scores())[0]
    gain = 100 * against.difference
    published = (paper[better].f1 or 0) - (paper[worse].f1 or 0)
    return Claim(
        text,
        f"{published:+.1f} F1",
        f"{gain:+.2f} F1 (p = {against.p_value:.4f})",
        gain > 0 and against.significant,
        f"No significant gain with this training. {reason}".rstrip(),
    )


def decoders(found: Found, sentences: EvaluationSet) -> list[Claim]:
    """Table 5."""
    best, first = found["Global A*"], found["Best-first"]
    others = [own for name, own in found.items() if "reranking" in name or "beam search" in name]
    better = [m for m in others if m.f1 > best.f1]
    faster = [m for m in others if m.seconds < best.seconds]
    p_values = {m.name: compare(best.scores(), m.scores(), permutations=PERMUTATIONS)[0].p_value for m in better}
    units = sorted(best.recursive_units, reverse=True)
    hardest = 100 * sum(units[: max(1, len(units) // 100)]) / max(1, sum(units))
    return [
        Claim(
            "Without the heuristic the search completes few parses",
            "6.7% parsed, 293.4X the time",
            f"{first.percent_own:.2f}% parsed, {first.seconds / max(best.seconds, 1e-9):.1f}X the time",
            first.percent_own < 50,
            f"It is slower, but most sentences end within the limits: with {sentences.words_per_sentence:.1f} words "
            f"and {sentences.tags_per_word:.1f} tags per word the search space is small.",
        ),
        Claim(
            "Reranking and beam search are less accurate than A*",
            "0.1 to 0.5 F1 below",
            ", ".join(f"{m.name} {m.f1 - best.f1:+.2f}" for m in others),
            not better,
            "; ".join(f"{name} is not below (p = {p_value:.4f})" for name, p_value in p_values.items()) + ".",
        ),
        Claim(
            "Reranking and beam search are slower than A*",
            "2.0X to 72.3X",
            ", ".join(f"{m.name} {m.seconds / max(best.seconds, 1e-9):.2f}X" for m in others),
            not faster,
            f"{', '.join(m.name for m in faster)} took less time in total: A* spends {hardest:.0f}% of its recursive "
            "units on the hardest 1% of the sentences, where it proves its parse or reaches a limit. Median sentence: "
            f"{', '.join(f'{m.name} {median_time(m, best):.2f}X' for m in faster)}.",
        ),
        *(_fastest(m, others) for name, m in found.items() if name.startswith("Global A*, ")),
    ]


def _fastest(own: Measurement, others: list[Measurement]) -> Claim:
    """A* with other settings than the paper's, against the decoders that parse about as well."""
    rivals = [m for m in others if m.f1 > own.f1 - CLOSE]
    faster = [m for m in rivals if m.seconds < own.seconds]
    rest = [m for m in others if m not in rivals and m.seconds < own.seconds]
    time = max(own.seconds, 1e-9)
    return Claim(
        f"{own.name} is faster than the decoders within {CLOSE} F1 of it",
        "not measured",
        f"F1 {own.f1:.2f}; "
        + ", ".join(f"{m.name} {m.f1 - own.f1:+.2f} F1 in {m.seconds / time:.2f}X the time" for m in rivals)
        + "".join(f"; faster but less accurate: {m.name} {m.f1 - own.f1:+.2f} F1" for m in rest),
        not faster,
        f"{', '.join(m.name for m in faster)} took less time.",
    )


def lazy(one: Measurement, other: Measurement, sentences: EvaluationSet, bound: str) -> list[Claim]:
    """Section 4: lazy against eager scoring."""
    both = [i for i, (a, b) in enumerate(zip(one.optimal, other.optimal, strict=True)) if a == b == 1]
    within, eager = one.of(both), other.of(both)
    saved = 100 * (1 - one.mean_recursive_units / max(other.mean_recursive_units, 1e-9))
    saved_within = 100 * (1 - within.mean_recursive_units / max(eager.mean_recursive_units, 1e-9))
    speed = other.seconds / max(one.seconds, 1e-9)
    speed_within = sum(eager.times) / max(sum(within.times), 1e-9)
    unproved = 100 * (1 - sum(within.times) / max(sum(one.times), 1e-9))
    where = f"Sentences where one of the searches ends without a proof ({len(one.rows) - len(both)}) take "
    rest = f"{where}{unproved:.0f}% of the time of the lazy searches. " if unproved >= 1 else ""
    return [
        Claim(
            f"Lazy scoring saves most recursive units{bound}",
            f"over {LAZY_SAVES:.0f}%",
            f"{saved:.1f}% ({f'{saved_within:.1f}%' if both else 'no sentence'} where both searches end with a proof)",
            saved >= LAZY_SAVES,
            f"Measured with {sentences.tags_per_word:.1f} tags per word: the share depends on how many tags are kept "
            "(`--beam`).",
        ),
        Claim(
            f"Lazy scoring is faster{bound}",
            f"{LAZY_SPEEDUP}X",
            f"{speed:.2f}X in total, {f'{speed_within:.2f}X' if both else 'no sentence'} where both searches end with "
            f"a proof, {median_time(other, one):.2f}X for the median sentence",
            speed >= LAZY_SPEEDUP,
            f"{rest}Most of the cost of a recursive unit is the contribution of its children, which is computed once "
            "for all units that share a child; and every lazy item passes through the agenda twice.",
        ),
    ]
