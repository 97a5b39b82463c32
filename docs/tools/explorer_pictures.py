"""Make the pictures of the explorer again, after a change of page or model: needs Playwright, Chromium and Pillow.

python docs/tools/explorer_pictures.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from tests.browser.conftest import CHROMIUM, SWITCHES, serving  # noqa: E402

FLIES = "Fruit flies like bananas."
PAINTER = "The painter sketched near the bridge waved."
PICTURES = {
    "explorer-parse.png": ({"s": FLIES, "n": "2"}, 1180),
    "explorer-search.png": ({"s": FLIES, "view": "search", "step": "18"}, 1280),
    "explorer-compare.png": ({"s": PAINTER, "view": "compare"}, 1440),
}


def main() -> None:
    """Open each view in the light theme and save a screenshot."""
    with serving() as home, sync_playwright() as manager:
        browser = manager.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for name, (asked, width) in PICTURES.items():
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme="light")
            page.goto(f"{home}?{urlencode(asked)}")
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(500)
            place = ROOT / "docs" / "images" / name
            page.screenshot(path=str(place), full_page=True)
            Image.open(place).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(place, optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
