"""The part of a run's result that is of Linux: for JSON, and as text."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # reads ELF files, which no other run does
    from cyclescope.studies.run.linux.follower import BootMoment, Follower


def document(settings: dict[str, Any], follower: "Follower | None") -> dict[str, Any]:
    """How the system was composed, when it came to user code, and what it loaded where."""
    found: dict[str, Any] = {"settings": settings}
    if follower is not None:
        found["first_user_instruction"] = _moment(follower.first_instruction, "address")
        found["first_system_call"] = _moment(follower.first_call, "number")
        found["loaded"] = [
            {
                "name": one.name,
                "start": one.start,
                "end": one.end,
                "cycle": one.cycle,
                "file": None if one.file is None else one.file.name,
            }
            for one in follower.loaded
        ]
    return found


def lines(document: dict[str, Any]) -> list[str]:
    """The same as lines of text."""
    settings = document["settings"]
    found = [
        f"Linux (preemption {settings['preemption']}), image SHA-256 "
        f"{settings['sha256']['kernel'][:16]}…"
    ]
    texts = {"first_user_instruction": "user instruction", "first_system_call": "system call"}
    for key, text in texts.items():
        if moment := document.get(key):
            found.append(
                f"first {text}: cycle {moment['cycle']:,}, {moment['instructions']:,} instructions"
            )
    found += [
        f"loaded {one['name']} at 0x{one['start']:08x}–0x{one['end']:08x}, cycle {one['cycle']:,}"
        for one in document.get("loaded", [])
    ]
    return found


def _moment(moment: "BootMoment | None", detail: str) -> dict[str, int] | None:
    if moment is None:
        return None
    return {
        "cycle": moment.cycle,
        "instructions": moment.instructions,
        detail: moment.detail,
    }
