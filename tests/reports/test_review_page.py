"""The review page, in a real browser, with a real video beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.errors import BadInput
from reports.review_page import write_review_page
from reports.video import AnnotatedVideo
from tests.reports.chromium_pipe import Page, chromium

NOW = "document.querySelector('.now') && document.querySelector('.now').id"
TIME = "document.getElementById('video').currentTime"


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """80 s of grey at 2 frames per second, that begins at 0.5 s."""
    path = tmp_path_factory.mktemp("clip") / "review.mp4"
    with AnnotatedVideo(path) as video:
        for k in range(1, 160):
            video.write(np.full((90, 120, 3), k, np.uint8), k / 2)
    return path


@pytest.fixture
def page(tmp_path: Path, log: dict[str, Any], rulings: dict[str, Any], meta: dict[str, Any]) -> Path:
    return write_review_page(tmp_path, log, rulings, meta)


@pytest.fixture
def playing(tab: Page, page: Path, clip: Path) -> Page:
    """The page with its video loaded."""
    (page.parent / "review.mp4").symlink_to(clip)
    tab.requests.clear()
    tab.errors.clear()
    tab.open(page)
    tab.until("document.getElementById('video').readyState >= 1")
    return tab


def test_click_jumps_to_two_seconds_before_the_release_and_plays(playing: Page) -> None:
    playing.click("#b1e5 > button")
    playing.until(f"{TIME} >= 22 && {TIME} < 24 && !document.getElementById('video').paused")
    assert playing.value(NOW) == "b1e5"
    assert playing.value("document.querySelector('#b1e5 > button').getAttribute('aria-current')") == "true"


def test_no_jump_before_the_beginning(playing: Page, tmp_path: Path, log: dict[str, Any], rulings: dict[str, Any]) -> None:
    log["boards"][0]["events"][0]["t"] = 1.0
    playing.open(write_review_page(tmp_path, log, rulings, {}))
    playing.until("document.getElementById('video').readyState >= 1")
    playing.click("#b1e1 > button")
    assert 0 <= playing.value(TIME) < 1.0
    assert playing.value(NOW) == "b1e1"


def test_current_stroke_follows_the_video(playing: Page) -> None:
    playing.value("document.getElementById('video').currentTime = 40")
    playing.until(f"{NOW} === 'b1e5'")
    playing.value("document.getElementById('video').currentTime = 60")
    playing.until(f"{NOW} === 'b2e1'")
    playing.value("document.getElementById('video').currentTime = 0.5")
    playing.until("!document.querySelector('.now')")


def test_keyboard(playing: Page) -> None:
    playing.press("k")
    playing.until(f"{NOW} === 'b1e1' && Math.abs({TIME} - 2) < 0.2")
    playing.press("k")
    playing.press("k")
    playing.press("k")  # passes over the placing
    playing.until(f"{NOW} === 'b1e5' && Math.abs({TIME} - 22) < 0.2")
    playing.press("j")
    playing.until(f"{NOW} === 'b1e3'")
    assert playing.value("document.getElementById('video').paused")
    playing.press("ArrowRight")
    playing.until(f"Math.abs({TIME} - 14.25) < 0.2")
    playing.press("ArrowLeft")
    playing.until(f"Math.abs({TIME} - 13.25) < 0.2")
    playing.press(" ")
    playing.until("!document.getElementById('video').paused")
    playing.press(" ")
    playing.until("document.getElementById('video').paused")


def test_space_on_a_focused_stroke_does_not_jump(playing: Page) -> None:
    playing.click("#b1e1 > button")
    playing.until(f"{TIME} > 2.3")
    playing.press(" ")
    playing.until("document.getElementById('video').paused")
    assert playing.value(TIME) > 2.3


def test_link_to_a_stroke(playing: Page, page: Path) -> None:
    playing.open(page, fragment="#b2e3")
    playing.until(f"{NOW} === 'b2e3' && Math.abs({TIME} - 68) < 0.2")


def test_nothing_is_fetched_but_the_video(playing: Page, page: Path) -> None:
    own = [u for u in playing.requests if not u.startswith("data:image/svg")]  # the player's own buttons
    assert own
    assert {u.rpartition("/")[2] for u in own} <= {"review.html", "review.mp4"}
    assert all(u.startswith("file:") for u in own)
    assert not playing.errors
    assert not re.search(r"https?://|//cdn|@import|url\(", page.read_text(encoding="utf-8"))


def test_missing_video_is_said(tab: Page, page: Path) -> None:
    tab.open(page)
    tab.until("!document.getElementById('missing').hidden")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_fits_the_screen(playing: Page, tmp_path: Path, log: dict[str, Any], rulings: dict[str, Any], width: int) -> None:
    log["players"][0]["name"] = "Wolfeschlegelsteinhausenbergerdorff" * 2
    playing.open(write_review_page(tmp_path, log, rulings, {}), width=width)
    assert playing.value("document.documentElement.scrollWidth") <= width


def test_hostile_names_and_remarks_stay_text(playing: Page, tmp_path: Path, log: dict[str, Any], rulings: dict[str, Any]) -> None:
    attack = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    log["players"][0]["name"] = attack
    rulings["boards"][0]["rulings"][2]["flags"] = [{"kind": "x", "text": attack}]
    rulings["boards"][0]["rulings"][0]["text"] = attack
    playing.open(write_review_page(tmp_path, log, rulings, {"video": {"name": attack}}))
    playing.until("document.getElementById('video').readyState >= 1")
    assert playing.value("document.scripts.length") == 1
    assert playing.value("document.images.length") == 0
    assert "owned" not in playing.value("document.title").split("v.")[1]
    assert playing.value("document.querySelector('#b1e1 .ruling').textContent").startswith(attack)


def test_strokes_without_a_time_are_listed_without_a_button(
    tmp_path: Path, log: dict[str, Any], rulings: dict[str, Any], meta: dict[str, Any]
) -> None:
    for board in log["boards"]:
        for event in board["events"]:
            event.pop("t")
    text = write_review_page(tmp_path, log, rulings, meta).read_text(encoding="utf-8")
    assert "<button" not in text
    assert text.count('class="event stroke"') == 6


def test_unwritable_folder(tmp_path: Path, log: dict[str, Any], rulings: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="cannot write"):
        write_review_page(tmp_path / "nowhere", log, rulings, {})
