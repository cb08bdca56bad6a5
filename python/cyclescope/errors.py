"""The one exception people see: a sentence naming the cause and the cure."""


class CyclescopeError(Exception):
    """What went wrong, in one sentence; every other error of the lab derives from it."""

    exit_code = 1

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
    """What somebody wrote, short enough to stand in a sentence."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
