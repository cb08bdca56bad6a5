"""Files that somebody names: read whole up to a size, and refused in one sentence."""

from pathlib import Path

from cyclescope.errors import CyclescopeError

LARGEST_BYTES = 1 << 28
"""256 MiB: more than any image, table or recording of ours; /dev/zero has no end."""


def read(path: Path, error_class: type[CyclescopeError] = CyclescopeError) -> bytes:
    """The bytes of a file.

    Raises FileNotFoundError and NotADirectoryError as they are, for who has a better word for them;
    everything else, and a file of more than LARGEST_BYTES, is an `error_class`.
    """
    try:
        with path.open("rb") as file:
            found = file.read(LARGEST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise error_class(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise error_class(f"{str(path)!r} is not a path: it holds a null character") from None
    if len(found) > LARGEST_BYTES:
        raise error_class(
            f"{path} has more than {LARGEST_BYTES >> 20} MiB: it is not a file of this kind"
        )
    return found


def read_there(path: Path, error_class: type[CyclescopeError] = CyclescopeError) -> bytes:
    """The same where a file that is missing is an error like others."""
    try:
        return read(path, error_class)
    except OSError as error:
        raise error_class(f"{path} cannot be read: {error.strerror}") from None
