"""The one exception people see: a sentence naming the cause and the cure."""


class CyclescopeError(Exception):
    """What went wrong, in one sentence; every other error of the lab derives from it."""

    @property
    def sentence(self) -> str:
        """The message for people, without a trace."""
        return str(self)
