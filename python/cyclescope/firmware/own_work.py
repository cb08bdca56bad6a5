"""A user's own tasks in an image that shows what a context switch costs.

See docs/explanation/switch.md.
"""

import hashlib
import re
from pathlib import Path

NAME_DIGITS = 16
NO_TASK = re.compile(r"undefined reference to `preempting_task'")
UNDEFINED = re.compile(r"undefined reference to `(\w+)'")
TWICE = re.compile(r"multiple definition of `(\w+)'")
MESSAGE = re.compile(r"^(?P<at>.+?:\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE)


def write(file: Path, folder: Path) -> Path:
    """The folder of make's WORK for a user's file, which stays where it is: what it includes may
    lie beside it."""
    where = file.resolve()
    home = folder / hashlib.sha256(str(where).encode()).hexdigest()[:NAME_DIGITS]
    home.mkdir(parents=True, exist_ok=True)
    text = f'#include "{where}"\n'
    if not (home / "work.c").exists() or (home / "work.c").read_text() != text:
        (home / "work.c").write_text(text)
    return home


def cause(errors: str, file: Path) -> str | None:
    """Why the file cannot be built, in a sentence; None if it is not the file's fault."""
    if message := MESSAGE.search(errors):
        return f"{message['at']}: {message['text']}"
    if NO_TASK.search(errors):
        return (
            f"{file} defines no uint32_t preempting_task(uint32_t operations) "
            "(docs/explanation/switch.md)"
        )
    if twice := TWICE.search(errors):
        return f"{file} defines {twice[1]}, which the firmware has itself: rename it"
    if undefined := UNDEFINED.search(errors):
        return f"{file} uses {undefined[1]}, which is not defined: define it in the file"
    return None
