"""The same sentence under several decoders."""

from __future__ import annotations

from starccg.search.options import Decoder, Options
from tests.browser.conftest import Opener
from tests.browser.sentences import HORSE, parser, query


def test_three_decoders_are_compared_with_what_each_proved_and_cost(opened: Opener) -> None:
    page = opened(query(HORSE, view="compare")).page
    page.wait_for_selector("#with-beam")
    assert [text.split()[0] for text in page.locator(".compared h2").all_text_contents()] == [
        "Global",
        "Supertag-factored",
        "Beam",
    ]
    verdicts = page.locator(".compared .verdict").all_text_contents()
    assert [verdict.lstrip("✓≈") for verdict in verdicts] == [
        "Best under this model",
        "Best under this model",
        "Not proved",
    ]
    explored = [
        parser().parse(HORSE, options=Options(decoder=Decoder(name))).certificate.explored
        for name in ("global", "supertag", "beam")
    ]
    cells = page.locator(".costs tbody tr").first.locator(".cost-value").all_text_contents()
    assert [int(cell.replace(",", "")) for cell in cells] == explored


def test_what_differs_is_told_and_brought_out(opened: Opener) -> None:
    page = opened(query(HORSE, view="compare")).page
    page.wait_for_selector("#with-beam")
    best = [
        parser().parse(HORSE, options=Options(decoder=Decoder(name))).best.supertags for name in ("global", "supertag")
    ]
    unlike = sum(one != other for one, other in zip(*best, strict=True))
    assert page.locator(".compared .parse").nth(1).locator(".unlike").count() == unlike
    assert page.locator(".differs").count() == 3
