"""Kernels under test: each is a folder of firmware/kernels."""

import re

from cyclescope.firmware.boards import FOLDER

KERNELS = FOLDER.parent / "firmware" / "kernels"


def names() -> list[str]:
    """All kernels, `bare` among them."""
    return sorted(path.parent.name for path in KERNELS.glob("*/kernel.mk"))


def of_boards() -> list[str]:
    """The kernels for boards: those with code for an instruction set; others run on the host."""
    return [name for name in names() if (KERNELS / name / "arch").is_dir()]


def description(name: str) -> str:
    """The beginning of the comment in its kernel.mk, up to the first comma or full stop."""
    comment = re.match(r"(?:#.*\n)+", (KERNELS / name / "kernel.mk").read_text())
    text = " ".join((comment[0] if comment else "").replace("#", " ").split())
    return re.split(r"\s*[,:(]|\.(?:\s|$)", text)[0]
