"""Executors: what all work shares goes to each process once."""

from typing import ClassVar

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


def test_one_process_is_this_one() -> None:
    image = Image("only")
    with executors.local(1, [image]) as executor:
        assert executor.submit(id, image).result() == id(image)
