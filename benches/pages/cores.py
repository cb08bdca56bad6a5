"""The Cortex-M3 beside the ARM7TDMI at one clock (docs/reference/stm32f100rb.md)."""

from typing import Any

from pages.runs import answer, made_folder, today
from pages.values import number, table

SHOWN = {
    "semaphore_give.binary_empty": "`xSemaphoreGive`, nobody waits",
    "queue_send.room": "`xQueueSend`, space, least bytes",
    "yield.alone": "`taskYIELD`, no other task ready",
    "task_create.ready": "`xTaskCreate`",
}


def _compared(isa: str) -> dict[str, Any]:
    names = f"cores_{isa}", "cores_thumb2"
    for name in names:
        made_folder(name)
    found: dict[str, Any] = answer(f"compare {' '.join(names)}")
    return found


def cores_classes() -> str:
    """Shares of the ARM7TDMI's cycles that each class of calls takes on the Cortex-M3."""
    arm, thumb = (_compared(isa)["classes"] for isa in ("arm", "thumb"))
    rows = [
        f"{one['name'].replace('_', ' ')} | {one['ratios']} | {other['geometric_mean']:.2f} | "
        f"{one['geometric_mean']:.2f}"
        for one, other in zip(thumb, arm, strict=True)
    ]
    return table("class | cases | ARM | Thumb", *rows)


def cores_calls() -> str:
    """Cycles of a few calls, and the bytes of the whole image."""
    arm, thumb = (_compared(isa) for isa in ("arm", "thumb"))
    rows = []
    for case, text in SHOWN.items():
        first, second = (
            next(one for one in found["cases"] if one["name"] == case)["points"][0]
            for found in (arm, thumb)
        )
        cycles = (first["first"], second["first"], second["second"])
        shown = " | ".join(number(one["net_cycles"]["value"]) for one in cycles)
        rows.append(f"{text} | {shown}")
    images = (arm["first"], thumb["first"], thumb["second"])
    for part in ("text", "bss"):
        bytes_of = (one["conditions"]["footprint"][part] for one in images)
        rows.append(f"image, bytes of {part} | " + " | ".join(f"{one:,}" for one in bytes_of))
    return table(" | ARM7TDMI, ARM | ARM7TDMI, Thumb | Cortex-M3", *rows)


def cores_k(isa: str) -> str:
    """K over all cases, with its interval and its extremes."""
    found = next(one for one in _compared(isa)["platform_ratio"] if one["of"] == "means")
    return (
        f"{found['k']:.2f} ± {found['half_width']:.2f} (n = {found['n']}, σ {found['sigma']:.2f}, "
        f"from {found['k_min']:.2f}, `{found['min_case']}`, to {found['k_max']:.2f}, "
        f"`{found['max_case']}`)"
    )


def cores_made() -> str:
    """The day."""
    return f"Made by `make pages` on {today()}."
