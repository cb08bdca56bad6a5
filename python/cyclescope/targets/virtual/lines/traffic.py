"""All lines of a run and its recording: what goes in and out between two slices of the run."""

from collections.abc import Sequence
from pathlib import Path
from select import select
from time import monotonic

from cyclescope.errors import WrongUsage
from cyclescope.targets.virtual.lines.line import Line
from cyclescope.targets.virtual.lines.recording import Playback, Recorder


class Traffic:
    """Lines, and a recording that is written or replayed. `unit` names the clock of its moments.

    In a replay the recorded bytes go in, and peers only hear what the boards send. Else, while a
    person or a program may answer but is silent, the boards run no faster than real time.
    """

    def __init__(
        self, lines: Sequence[Line], unit: str, record: Path | None, replay: Path | None
    ) -> None:
        self.lines = lines
        self._seconds, self._exchanged = 0.0, monotonic()
        self._recorder: Recorder | None = None
        self._replay: Playback | None = None
        try:
            if record is not None and replay is not None:
                raise WrongUsage(
                    "--record and --replay are for two runs: give one of them",
                    code="record-and-replay",
                )
            if replay is not None:
                self._replay = Playback(replay, unit, (line.input for line in lines))
            if record is not None:
                self._recorder = Recorder(record, unit)
        except BaseException:
            self.close()
            raise

    def bound(self, end: int) -> int:
        """How far the run may go at most to `end`: up to what is replayed next."""
        next_at = self._replay.next_at if self._replay else None
        return end if next_at is None else min(end, next_at)

    def exchange(self, at: int, seconds: float) -> bool:
        """Hands over what arrived on either side up to this moment, `seconds` after the beginning
        by the boards' clock. Returns whether anything went to a board."""
        for line in self.lines:
            line.bring_out()
        if self._replay:
            to_line = {line.input: line for line in self.lines}
            due = self._replay.due(at)
            for to, data in due:
                to_line[to].send(data)
            return bool(due)
        self._keep_pace(seconds)
        came = False
        for line in self.lines:
            arrived = line.bring_in()
            came |= bool(arrived)
            if arrived and self._recorder:
                self._recorder.add(at, line.input, arrived)
        return came

    def _keep_pace(self, seconds: float) -> None:
        ahead_s = (seconds - self._seconds) - (monotonic() - self._exchanged)
        if ahead_s > 0 and (awaited := self._awaited()):
            select(awaited, [], [], ahead_s)
        self._seconds, self._exchanged = seconds, monotonic()

    def wait(self) -> bool:
        """Waits until someone answers, for boards that all sleep; False if nobody will."""
        awaited = [] if self._replay else self._awaited()
        if awaited:
            select(awaited, [], [])
        return bool(awaited)

    def _awaited(self) -> list[int]:
        answers = (line.peer.awaited() for line in self.lines)
        return [descriptor for descriptor in answers if descriptor is not None]

    def remarks(self) -> list[str]:
        """A sentence for each thing that got lost."""
        return [remark for line in self.lines for remark in line.remarks()]

    def close(self) -> None:
        """Lets go of all peers and ends the recording."""
        for line in self.lines:
            line.peer.close()
        if self._recorder:
            self._recorder.close()
