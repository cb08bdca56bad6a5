"""The one exception people see: a sentence naming the cause and the remedy."""

import errno
import re
from pathlib import Path

READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)
"""Remedies by the system's reason for a refused write."""
_REMEDIES = {
    (errno.ENOSPC, errno.EDQUOT): "free space or {}",
    (errno.EFBIG,): "raise the limit of a file's size (ulimit -f) or {}",
    (errno.EEXIST, errno.ENOTDIR): "a file is where a folder should be: {}",
    (errno.EISDIR,): "a folder has this name: {}",
    (errno.ENOENT,): "the folder is not there, or was removed meanwhile: {}",
    READ_ONLY: "get the right to write there or {}",
    (errno.ENAMETOOLONG,): "the name is too long: {}",
}


class CyclescopeError(Exception):
    """An error in one sentence; every other error of the lab derives from it.

    `code` names the cause for programs: a short kebab-case identifier, which outlives the wording
    of the sentence. Without one it is the name of the class (docs/reference/errors.md).
    """

    exit_code = 1
    code = "cyclescope-error"

    def __init__(self, *sentence: str, code: str | None = None) -> None:
        super().__init__(*sentence)
        if code is not None:
            self.code = code

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    @property
    def sentence(self) -> str:
        """The message for people, without a trace."""
        return str(self)


class WrongUsage(CyclescopeError):
    """An option that cannot mean anything, alone or beside the others."""

    exit_code = 2


class Interrupted(CyclescopeError):
    """The user stopped the work; the sentence says what was kept and where."""

    exit_code = 130


def shortened(text: str, most: int = 60) -> str:
    """Shortens a user's text so that it fits in a sentence."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def unwritable(path: Path, error: OSError, elsewhere: str = "choose another --out") -> str:
    """Why a file or folder cannot be written, and the remedy for that cause."""
    remedy = next((one for causes, one in _REMEDIES.items() if error.errno in causes), "{}")
    blamed = Path(error.filename) if error.filename else path
    where = blamed if blamed in path.parents else path
    return f"{where} cannot be written: {error.strerror}; {remedy.format(elsewhere)}"
