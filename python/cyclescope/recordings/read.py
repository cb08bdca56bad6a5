"""Recordings by their file: a sound, a value change dump, or a logic analyser's table."""

from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.recordings.analyser_tables import read_table
from cyclescope.recordings.edges import Edges
from cyclescope.recordings.sound_edges import find_edges, is_silent
from cyclescope.recordings.value_changes import read_value_changes
from cyclescope.recordings.wave_files import read_wave

SOUND, DUMP, TABLE = ".wav", ".vcd", ".csv"


def read_channels(path: Path) -> dict[str, Edges]:
    """The edges of each channel of a recording that has any, by name.

    Channels of a sound are `left` and `right`. Raises CyclescopeError if the file cannot be read,
    or if a channel of a sound is no pin's.
    """
    kind = path.suffix.lower()
    if kind == SOUND:
        sounds = read_wave(path)
        if all(is_silent(one) for one in sounds.values()):
            raise CyclescopeError(
                f"{path} is silent: connect the pin to the input and raise its level",
                code="recording-silent",
            )
        return {
            name: find_edges(one, f"{path} ({name})").edges
            for name, one in sounds.items()
            if not is_silent(one)
        }
    if kind not in (DUMP, TABLE):
        raise CyclescopeError(
            f"{path} is no recording by its name: give a sound (.wav), a value change dump (.vcd) "
            "or a logic analyser's table (.csv)",
            code="recording-of-unknown-kind",
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CyclescopeError(
            f"{path} cannot be read: {error.strerror}", code="cannot-read"
        ) from None
    channels = (
        read_table(path, data)
        if kind == TABLE
        else read_value_changes(path, data.decode(errors="replace"))
    )
    changing = {name: edges for name, edges in channels.items() if len(edges)}
    if not changing:
        raise CyclescopeError(
            f"{path} has no edges on a channel whose level is always known: connect the pin and "
            "record again",
            code="recording-without-channel",
        )
    return changing
