"""Executors: what all work shares goes to each process once."""

import gc
import sys
from typing import ClassVar

import pytest

from cyclescope.campaign import executors


class Image:
    """Something large, that counts how often it was sent."""

    sent: ClassVar[list[str]] = []

    def __init__(self, name: str) -> None:
        self.name = name

    def __reduce__(self) -> tuple[type["Image"], tuple[str]]:
        self.sent.append(self.name)
        return Image, (self.name,)


def names(*images: Image) -> list[str]:
    return [image.name for image in images]


def test_what_is_shared_is_sent_once_to_each_process() -> None:
    first, second, other = (Image(name) for name in ("first", "second", "other"))
    with executors.local(2, [first, second]) as executor:
        waiting = [executor.submit(names, second, other, first) for _ in range(9)]
        made = [one.result() for one in waiting]
    assert made == [["second", "other", "first"]] * 9
    assert Image.sent.count("first") == Image.sent.count("second") <= 2
    assert Image.sent.count("other") == 9


def loaded() -> list[str]:
    return LOADED


LOADED: list[str] = []
"""Libraries that this process has loaded since."""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copies on Linux alone")
def test_processes_have_loaded_what_this_one_has() -> None:
    LOADED.append("a library")
    with executors.local(2) as executor:
        assert executor.submit(loaded).result() == ["a library"]


def test_garbage_is_not_looked_for_in_what_is_there() -> None:
    usual, there = gc.get_threshold(), gc.get_freeze_count()
    with executors.garbage_seldom():
        assert gc.get_freeze_count() > there
        assert gc.get_threshold()[0] > usual[0]
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, there)


def test_one_process_is_this_one() -> None:
    image = Image("only")
    with executors.local(1, [image]) as executor:
        assert executor.submit(id, image).result() == id(image)
