"""Recordings by their file: a sound, a value change dump, or a logic analyser's table."""

from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.recordings.analyser_tables import read_table
from cyclescope.recordings.edges import Edges
from cyclescope.recordings.sound_edges import find_edges
from cyclescope.recordings.value_changes import read_value_changes
from cyclescope.recordings.wave_files import CHANNELS, read_wave

SOUND, DUMP, TABLE = ".wav", ".vcd", ".csv"


def read_edges(path: Path, channel: str | None = None) -> Edges:
    """The edges of the pin in a recording.

    `channel` is `left` or `right` of a sound, else the channel's name. Raises CyclescopeError if
    the file cannot be read, or holds no pin's edges.
    """
    kind = path.suffix.lower()
    if kind == SOUND:
        name = channel or CHANNELS[0]
        if name not in CHANNELS:
            raise CyclescopeError(
                f"{path} has no channel {name}: choose one of {', '.join(CHANNELS)}",
                code="recording-has-no-channel",
            )
        return find_edges(read_wave(path, name), path).edges
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
    if kind == TABLE:
        return read_table(path, data, channel)
    return read_value_changes(path, data.decode(errors="replace"), channel)
