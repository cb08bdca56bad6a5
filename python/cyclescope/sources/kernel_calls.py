"""Values that a call of a kernel records, and how to read them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag

VALUES = ("functions", "events", "bytes", "steps", "returned", "returned_bytes")
"""Names of the values that a passage of kernel code records, at its call (runtime/freertos)."""

SPECIAL = ("same", "tick", "idle", "callback", "start", "interrupted")
"""All that is no call: a tick, idle time, a timer's function, a task's beginning, its own code."""
MACROS = {
    "yield": "vPortYield",
    "enter_critical": "vPortEnterCritical",
    "exit_critical": "vPortExitCritical",
}
"""Calls whose functions are the port's."""
SWITCHING = (
    *("xQueueGenericSend", "xQueueReceive", "xQueuePeek", "xQueueSemaphoreTake"),
    *("xQueueTakeMutexRecursive", "xQueueGiveMutexRecursive", "vTaskDelay", "xTaskDelayUntil"),
    *("xTaskGenericNotify", "ulTaskGenericNotifyTake", "xTaskGenericNotifyWait"),
    *("xEventGroupSetBits", "xEventGroupWaitBits", "xEventGroupSync", "vEventGroupDelete"),
    *("xStreamBufferSend", "xStreamBufferReceive", "xTimerGenericCommandFromTask"),
    *("xTimerPendFunctionCall", "vTaskSuspend", "vTaskResume", "vTaskPrioritySet"),
    *("xTaskResumeAll", "xTaskAbortDelay", "xTaskCreate", "vTaskDelete", "vTaskStartScheduler"),
    *("pvPortMalloc", "vPortFree", "xQueueGenericReset"),
)
"""Functions in which another task may go on. A task that goes on had called one of them."""
NAMES = (*SPECIAL, *MACROS, *SWITCHING)
"""Names in passages of kernel code; further functions have numbers behind these."""
ANOTHER = "another"


class Event(IntFlag):
    """Events of a passage of kernel code (runtime/freertos/kernel_state.h)."""

    OTHER_TASK = 1
    SWITCHED = 2
    FAILED = 4
    INHERITED = 8
    DISINHERITED = 16
    ALLOCATED = 32
    FREED = 64
    JOINED_NEXT = 128
    JOINED_PREVIOUS = 256
    TIMER_EXPIRED = 512
    SUSPENDED = 1024


@dataclass(frozen=True)
class Passage:
    """Kernel code from a call of a task to the return to a task.

    `function` is the call's, `returns_in` that which the task that goes on had called. `detail`
    is the state of its object; `size` bytes, messages or waiting tasks, as the function has it.
    """

    function: str
    returns_in: str
    events: Event
    detail: int
    size: int
    woken: int
    list_steps: int
    heap_steps: int
    switches: int
    returned_detail: int
    returned_waited: bool
    returned_size: int
    """Of the call that the task which goes on had made: its object, whether it waited, its size."""

    @classmethod
    def read(cls, values: Sequence[int]) -> "Passage":
        """A passage from the values of a recorded call."""
        functions, events, size, steps, returned, returned_size = values
        return cls(
            function=_name(functions & 0xFFFF),
            returns_in=_name(functions >> 16),
            events=Event(events & 0xFFFF),
            detail=events >> 16 & 0xFFFF,
            size=size,
            woken=events >> 32,
            list_steps=steps & 0xFFFF,
            heap_steps=steps >> 16 & 0xFFFF,
            switches=steps >> 32,
            returned_detail=returned & 0xFFFF,
            returned_waited=bool(returned >> 16),
            returned_size=returned_size,
        )

    @classmethod
    def of(cls, recorded: Mapping[str, int]) -> "Passage":
        """A passage from the values of a recorded call by their names."""
        return cls.read([recorded[name] for name in VALUES])

    @property
    def to_other(self) -> bool:
        """Whether another task goes on."""
        return Event.OTHER_TASK in self.events


def _name(number: int) -> str:
    return NAMES[number] if number < len(NAMES) else ANOTHER
