"""Calls of FreeRTOS: priced by the state of their object, and by who goes on behind them.

A passage of kernel code has one price. It is that of the case that ends as it does: in the
caller, or in another task (cases that end with a switch). Such a case ends in a certain call of
the other task. Where that task had made another call, the rest of that is charged, and the
case's own taken off.
"""

from collections.abc import Callable, Sequence

from cyclescope.sources.kernel_calls import VALUES, Event, Passage
from cyclescope.studies.estimate.calls.groups.memory import SHORT
from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

FULL, EMPTY, SEMAPHORE, MUTEX, FRONT, OVERWRITE, HELD = 1, 2, 4, 8, 16, 32, 64
"""Details of a call at a queue (sources/runtime/freertos/kernel_state.h)."""
MESSAGE, OVER_END, NO_SPACE, MAY_WAIT = 1, 2, 4, 8
"""Details of a call at a stream."""
BESIDE = 128
"""A detail of both: bytes are copied from or to an address beside a word."""
WORD = 4
"""Bytes of the messages in most cases."""
Charges = list[Charge]
SETTING_BITS, INCREMENTING, OVERWRITING, KEEPING = 1, 2, 3, 4
"""Actions of a notification (eNotifyAction)."""
NOTIFIED = {
    "ulTaskGenericNotifyTake": "notify_take.pending",
    "xTaskGenericNotifyWait": "notify_wait.pending",
}
PREEMPTED = 1.8
"""The rest of a call behind a switch that it caused, in exits of a critical section."""
ABORTED = 2.1
"""The same of xTaskAbortDelay(), in which cases end that wait."""


def _rest(function: str, detail: int, waited: bool, size: int) -> Charges:
    """The rest of a task's call when it goes on: nothing in its own code."""
    if function in ("start", "interrupted", "idle", "callback", "yield", "same"):
        return []
    if waited:
        if function == "xQueueReceive":
            return _message("queue_receive.one_message", size, detail)
        if function == "xQueuePeek":
            return _message("queue_peek.one_message", size, detail)
        if function == "xQueueSemaphoreTake":
            return [Charge("mutex_take.free" if detail & MUTEX else "semaphore_take.binary_full")]
        if function == "xQueueGenericSend":
            return _message("queue_send.room", size, detail)
        if function in NOTIFIED:
            return [Charge(NOTIFIED[function])]
    return [Charge("critical_exit.outermost", weight=PREEMPTED)]


def _off(charges: Charges) -> Charges:
    return [Charge(one.case, one.x, -one.weight) for one in charges]


def _ends(one: Passage, base: Charges, usual: Charges) -> Charges:
    """A case with a switch, whose other task had `usual` to do; here it may be another rest."""
    rest = _rest(one.returns_in, one.returned_detail, one.returned_waited, one.returned_size)
    return base + ([] if rest == usual else rest + _off(usual))


def _per(case: str, times: int) -> Charges:
    """So many further ones of what a case's parameter counts."""
    return [Charge(case, 2, times), Charge(case, 1, -times)] if times else []


def _more(one: Passage) -> Charges:
    """Steps through lists: of waiting or delayed tasks, of free blocks."""
    free = "malloc.behind_small_blocks" if Event.ALLOCATED in one.events else None
    free = "free.behind_small_blocks" if Event.FREED in one.events else free
    blocks = _per(free, one.heap_steps) if free else []
    return [*_per("delay.behind_delayed", one.list_steps), *blocks]


def _bytes(case: str, one: Passage) -> Charges:
    """A message's cost beyond that of a word, which most cases have."""
    more = [] if one.size in (0, WORD) else [Charge(case, one.size), Charge(case, WORD, -1)]
    return [*more, *_beside(one.size, one.detail)]


def _message(case: str, size: int, detail: int) -> Charges:
    """A message that is copied."""
    return [Charge(case, size), *_beside(size, detail)]


def _beside(size: int, detail: int) -> Charges:
    """memcpy() takes longer for bytes beside a word."""
    if not detail & BESIDE or size < SHORT:
        return []
    return [Charge("memcpy.unaligned", size), Charge("memcpy.aligned", size, -1)]


ABORT = [Charge("critical_exit.outermost", weight=ABORTED)]


def _waits(one: Passage, case: str) -> Charges:
    return _ends(one, [Charge(case)], ABORT)


def _sent(one: Passage) -> Charges:
    if one.detail & MUTEX:
        return _mutex_given(one)
    if one.detail & SEMAPHORE:
        return _given(one)
    rest = _rest("xQueueReceive", 0, True, WORD)
    more = _bytes("queue_send.room", one)
    if one.to_other and one.woken:
        return _ends(one, [Charge("queue_send.wakes_higher")], rest) + more
    if one.to_other:
        return _waits(one, "queue_send.blocks")
    if one.woken:
        return [Charge("queue_send.wakes_lower", 1), *more]
    if Event.FAILED in one.events:
        return [Charge("queue_send.full_no_wait")]
    if one.detail & OVERWRITE and one.detail & FULL:
        return [Charge("queue_overwrite.full")]
    if one.detail & FRONT:
        return [Charge("queue_send.front"), *more]
    return _message("queue_send.room", one.size, one.detail)


def _given(one: Passage) -> Charges:
    if one.to_other:
        rest = _rest("xQueueSemaphoreTake", 0, True, 0)
        return _ends(one, [Charge("semaphore_give.wakes_higher")], rest)
    if one.woken:
        return [Charge("semaphore_give.wakes_lower", 1)]
    if Event.FAILED in one.events:
        return [Charge("queue_send.full_no_wait")]
    return [Charge("semaphore_give.binary_empty")]


def _mutex_given(one: Passage) -> Charges:
    if one.to_other:
        rest = _rest("xQueueSemaphoreTake", MUTEX, True, 0)
        return _ends(one, [Charge("mutex_give.wakes_higher")], rest)
    if one.woken:
        wakes = [
            Charge("semaphore_give.wakes_lower", 1),
            Charge("semaphore_give.binary_empty", None, -1),
        ]
        return [Charge("mutex_give.held"), *wakes]
    return [Charge("mutex_give.held")]


def _taken(one: Passage) -> Charges:
    is_mutex = bool(one.detail & MUTEX)
    if one.to_other and Event.INHERITED in one.events:
        rest = _rest("vTaskPrioritySet", 0, False, 0)
        return _ends(one, [Charge("mutex_take.held_by_lower")], rest)
    if one.to_other:
        return _waits(one, "mutex_take.behind_waiters" if is_mutex else "semaphore_take.blocks")
    if Event.FAILED in one.events:
        return [Charge("semaphore_take.empty_no_wait")]
    return [Charge("mutex_take.free" if is_mutex else "semaphore_take.binary_full")]


def _received(one: Passage) -> Charges:
    more = _bytes("queue_receive.one_message", one)
    if one.to_other and one.woken:
        rest = _rest("xQueueGenericSend", 0, True, WORD)
        return _ends(one, [Charge("queue_receive.wakes_higher")], rest) + more
    if one.to_other:
        return _waits(one, "queue_receive.blocks")
    if one.woken:
        return [Charge("queue_receive.wakes_sender"), *more]
    if Event.FAILED in one.events:
        return [Charge("queue_receive.empty_no_wait")]
    return _message("queue_receive.one_message", one.size, one.detail)


def _peeked(one: Passage) -> Charges:
    if one.to_other:
        return _waits(one, "queue_peek.blocks")
    if Event.FAILED in one.events:
        return [Charge("queue_peek.empty_no_wait")]
    return _message("queue_peek.one_message", one.size, one.detail)


def _recursive_taken(one: Passage) -> Charges:
    if one.detail & HELD:
        return [Charge("recursive_take.held")]
    if one.to_other:
        extra = [Charge("recursive_take.free"), Charge("mutex_take.free", None, -1)]
        rest = _rest("vTaskPrioritySet", 0, False, 0)
        return _ends(one, [Charge("mutex_take.held_by_lower"), *extra], rest)
    return [Charge("recursive_take.free")]


def _recursive_given(one: Passage) -> Charges:
    if one.detail & HELD:
        return [Charge("recursive_give.inner")]
    if one.to_other:
        extra = [Charge("recursive_give.last"), Charge("mutex_give.held", None, -1)]
        rest = _rest("xQueueSemaphoreTake", MUTEX, True, 0)
        return _ends(one, [Charge("mutex_give.wakes_higher"), *extra], rest)
    return [Charge("recursive_give.last")]


def _notified(one: Passage) -> Charges:
    action = {
        0: "notify_no_action.not_waiting",
        SETTING_BITS: "notify_set_bits.not_waiting",
        INCREMENTING: "notify_give.not_waiting",
        OVERWRITING: "notify_overwrite.not_waiting",
        KEEPING: "notify_no_overwrite.none_pending",
    }[one.detail]
    if Event.FAILED in one.events:
        return [Charge("notify_no_overwrite.pending")]
    more = [Charge(action), Charge("notify_give.not_waiting", None, -1)]
    more = [] if one.detail == INCREMENTING else more
    if one.to_other:
        rest = _rest("ulTaskGenericNotifyTake", 0, True, 0)
        return _ends(one, [Charge("notify_give.wakes_higher"), *more], rest)
    if one.woken:
        return [Charge("notify_give.wakes_lower"), *more]
    return [Charge(action)]


def _notify_taken(one: Passage) -> Charges:
    if one.to_other:
        return _waits(one, "notify_take.blocks")
    failed = Event.FAILED in one.events
    return [Charge("notify_take.none_no_wait" if failed else "notify_take.pending")]


def _notify_waited(one: Passage) -> Charges:
    if one.to_other:
        return _waits(one, "notify_wait.blocks")
    return [Charge("notify_wait.pending")]


def _bits_set(one: Passage) -> Charges:
    others = one.size - one.woken
    more = _per("event_set.others_wait", others)
    if one.to_other:
        rest = _rest("xEventGroupWaitBits", 0, True, 0)
        woken = _per("event_set.wakes_waiters", one.woken - 1)
        return _ends(one, [Charge("event_set.wakes_higher"), *woken], rest) + more
    if one.woken:
        return [Charge("event_set.wakes_waiters", one.woken), *more]
    if others:
        return [Charge("event_set.others_wait", others)]
    return [Charge("event_set.nobody_waits")]


def _bits_awaited(one: Passage) -> Charges:
    if one.to_other:
        return _waits(one, "event_wait.blocks")
    clears, takes_all = one.detail & 1, one.detail & 2
    if clears:
        return [Charge("event_wait.clears")]
    return [Charge("event_wait.set" if takes_all else "event_wait.any_set")]


def _synchronised(one: Passage) -> Charges:
    if one.to_other and not one.woken:
        return _waits(one, "event_sync.blocks")
    base = Charge("event_sync.wakes_waiters", one.woken) if one.woken else Charge("event_sync.last")
    return _switched(one, [base])


def _switched(one: Passage, base: Charges) -> Charges:
    """A case that ends in the caller, and a switch if another task goes on."""
    return _ends(one, [*base, Charge("yield.equals")], []) if one.to_other else base


WOKEN_BY_NOTE = [Charge("notify_wait.pending")]
"""A task that waits at a stream waits for a notification."""


def _stream_moved(law: str, size: int, detail: int) -> Charges:
    """Bytes into a stream or out of it; a call that may wait looks at the stream once more."""
    looks = [Charge("critical_enter.outermost"), Charge("critical_exit.outermost")]
    if law.endswith("room"):
        again = [Charge("timeout_set.now"), Charge("stream_spaces.some"), *looks]
        over = [Charge("stream_send.over_end"), Charge("stream_send.room", WORD, -1)]
    else:
        again = [Charge("stream_bytes.some"), *looks]
        over = [Charge("stream_receive.over_end"), Charge("stream_receive.all", WORD, -1)]
    found = [Charge(law, size)]
    if detail & OVER_END:
        found += over
    if detail & MAY_WAIT:
        found += again
    return found + _beside(size, detail)


def _stream_ends(one: Passage, base: Charges, usual: Charges) -> Charges:
    """As `_ends`; the other task may wait at a stream, whose bytes it has then still to move."""
    if not one.returned_waited or not one.returns_in.startswith("xStreamBuffer"):
        return _ends(one, base, usual)
    is_message = one.returned_detail & MESSAGE
    if one.returns_in == "xStreamBufferReceive":
        law = "message_receive.one_message" if is_message else "stream_receive.all"
        moved = _stream_moved(law, max(one.size, WORD), one.detail & BESIDE)
        return [*base, *WOKEN_BY_NOTE, *moved, *_off(usual)]
    law = "message_send.room" if is_message else "stream_send.room"
    waked = [Charge("stream_send.wakes_lower"), Charge("stream_send.room", WORD, -1)]
    moved = _stream_moved(law, one.returned_size, one.returned_detail & BESIDE)
    return [*base, *WOKEN_BY_NOTE, *moved, *(waked if one.woken else []), *_off(usual)]


def _stream_sent(one: Passage) -> Charges:
    if one.to_other and one.detail & NO_SPACE:
        return _stream_ends(one, [Charge("stream_send.blocks")], ABORT)
    if Event.FAILED in one.events:
        failed = "message_send.no_room" if one.detail & MESSAGE else "stream_send.full_no_wait"
        return [Charge(failed)]
    law = "message_send.room" if one.detail & MESSAGE else "stream_send.room"
    base = _stream_moved(law, one.size, one.detail)
    if one.to_other:
        base += [Charge("stream_send.wakes_higher"), Charge("stream_send.room", WORD, -1)]
        return _stream_ends(one, base, [*WOKEN_BY_NOTE, Charge("stream_receive.all", WORD)])
    if one.woken:
        base += [Charge("stream_send.wakes_lower"), Charge("stream_send.room", WORD, -1)]
    return base


def _stream_received(one: Passage) -> Charges:
    if one.to_other and not one.size:
        return _stream_ends(one, [Charge("stream_receive.blocks")], ABORT)
    is_message = one.detail & MESSAGE
    if Event.FAILED in one.events:
        none = "message_receive.none_no_wait" if is_message else "stream_receive.empty_no_wait"
        return [Charge(none)]
    law = "message_receive.one_message" if is_message else "stream_receive.all"
    base = _stream_moved(law, one.size, one.detail)
    if one.woken:
        base += [Charge("stream_receive.wakes_sender"), Charge("stream_receive.all", 16, -1)]
    return _stream_ends(one, [*base, Charge("yield.equals")], []) if one.to_other else base


def _delayed(one: Passage) -> Charges:
    if one.to_other:
        return _ends(one, [Charge("delay.behind_delayed", max(one.list_steps, 1))], ABORT)
    return [Charge("delay.zero")]


def _delayed_until(one: Passage) -> Charges:
    if one.to_other:
        steps = one.list_steps
        law = Charge("delay_until.behind_delayed", steps) if steps else Charge("delay_until.blocks")
        return _ends(one, [law], ABORT)
    return [Charge("delay_until.passed")]


def _yielded(one: Passage) -> Charges:
    return _ends(one, [Charge("yield.equals" if one.to_other else "yield.alone")], [])


def _suspended(one: Passage) -> Charges:
    if one.to_other:
        return _waits(one, "task_suspend.self")
    return [Charge("task_suspend.ready")]


def _resumed(one: Passage) -> Charges:
    if one.to_other:
        rest = _rest("vTaskSuspend", 0, False, 0)
        return _ends(one, [Charge("task_resume.higher")], rest)
    return [Charge("task_resume.lower" if one.woken else "task_resume.not_suspended")]


def _priority_set(one: Passage) -> Charges:
    if one.to_other:
        law = "priority_set.lowers_self" if one.detail else "priority_set.raises_above_caller"
        return _ends(one, [Charge(law)], [Charge("critical_exit.outermost", weight=PREEMPTED)])
    return [Charge("priority_set.raises_ready" if one.woken else "priority_set.unchanged")]


def _created(one: Passage) -> Charges:
    return _switched(one, [Charge("task_create.ready")]) + _more(one)


def _deleted(one: Passage) -> Charges:
    if one.to_other:
        words = "no case of a task that deletes itself: that of one that suspends itself"
        base = [Charge("task_suspend.self", fallback=words)]
        return _ends(one, base, ABORT)
    return [Charge("task_delete.ready", one.heap_steps)]


def _queue_created(one: Passage) -> Charges:
    semaphore = Charge("semaphore_create.binary")
    law = semaphore if one.detail & SEMAPHORE else Charge("queue_create.one_more", max(one.size, 1))
    return [law, *_more(one)]


def _allocated(one: Passage) -> Charges:
    if one.heap_steps:
        return [Charge("malloc.behind_small_blocks", one.heap_steps)]
    return [Charge("malloc.one_free_block", one.size)] if one.size else [Charge("malloc.zero")]


def _freed(one: Passage) -> Charges:
    if one.detail:
        return [Charge("free.null")]
    before, behind = Event.JOINED_PREVIOUS in one.events, Event.JOINED_NEXT in one.events
    law = "free.joins_both" if before and behind else "free.joins_next" if behind else None
    law = law or ("free.joins_previous" if before else None)
    if law:
        return [Charge(law), *_per("free.behind_small_blocks", one.heap_steps)]
    return [Charge("free.behind_small_blocks", one.heap_steps + 1)]


COMMANDS = {1: "timer_start", 2: "timer_reset", 3: "timer_stop", 4: "timer_change_period"}
COMMANDS[5] = "timer_delete"
"""Commands of timers (timers.h)."""


def _timer_commanded(one: Passage) -> Charges:
    """The daemon carries a command out at once if it outranks the caller; else it is posted."""
    name = COMMANDS.get(one.detail, "timer_start")
    if one.switches:
        return (
            _switched(one, [Charge(f"{name}.carried_out")])
            if one.to_other
            else [Charge(f"{name}.carried_out")]
        )
    if Event.FAILED in one.events:
        return [Charge("timer_stop.queue_full")]
    woken = [Charge("queue_send.wakes_lower", 1), Charge("queue_send.room", WORD, -1)]
    return [Charge("timer_change_period.posted"), *(woken if one.woken else [])]


def _resumed_all(one: Passage) -> Charges:
    if one.to_other:
        rest = _rest("vTaskDelay", 0, True, 0)
        return _ends(one, [Charge("scheduler_resume.wakes_higher")], rest)
    if one.woken:
        return [Charge("scheduler_resume.pending_lower", one.woken)]
    return [Charge("scheduler_resume.nothing_pending")]


TICK = "no case of a tick: a switch and a critical section's end"


def _scheduler(one: Passage) -> Charges:
    """The kernel's own work, which is recorded where the scheduler was started."""
    if one.function == "idle":
        return [Charge("idle", cycles=1.0)]
    rest = _rest(one.returns_in, one.returned_detail, one.returned_waited, one.returned_size)
    woken = _per("scheduler_resume.pending_lower", one.woken)
    if one.function == "tick":
        words = TICK
        base = [Charge("yield.alone", fallback=words), Charge("critical_exit.outermost"), *woken]
        switch = [Charge("critical_exit.outermost", weight=PREEMPTED)] if one.switches else []
        expired = [Charge("timer_start.expires"), Charge("timer_start.carried_out", None, -1)]
        daemon = [Charge("queue_receive.blocks"), *expired] if one.returns_in == "callback" else []
        return [*base, *switch, *daemon, *rest]
    if one.function == "callback":
        words = "no case of what the daemon does behind a timer's function: that it waits again"
        return _ends(one, [Charge("queue_receive.blocks", fallback=words)], ABORT)
    words = "no case of a scheduler's start: two tasks and a queue are created"
    created = [Charge("task_create.ready", None, 2, words), Charge("queue_create.one_more", 10)]
    return [*created, Charge("yield.equals"), *_more(one)]


def _constant(*cases: str) -> Callable[[Passage], Charges]:
    """One case, or the first where tasks woke, or the second where none did."""
    return lambda one: [Charge(cases[0] if len(cases) == 1 or one.woken else cases[1])]


PASSAGEES: dict[str, Callable[[Passage], Charges]] = {
    "xQueueGenericSend": _sent,
    "xQueueReceive": _received,
    "xQueuePeek": _peeked,
    "xQueueSemaphoreTake": _taken,
    "xQueueTakeMutexRecursive": _recursive_taken,
    "xQueueGiveMutexRecursive": _recursive_given,
    "xTaskGenericNotify": _notified,
    "ulTaskGenericNotifyTake": _notify_taken,
    "xTaskGenericNotifyWait": _notify_waited,
    "xTaskGenericNotifyStateClear": _constant("notify_clear_state.pending"),
    "ulTaskGenericNotifyValueClear": _constant("notify_clear_value.pending"),
    "xEventGroupSetBits": _bits_set,
    "xEventGroupWaitBits": _bits_awaited,
    "xEventGroupSync": _synchronised,
    "xEventGroupClearBits": _constant("event_clear.set"),
    "xEventGroupCreate": lambda one: [Charge("event_group_create.one_more"), *_more(one)],
    "vEventGroupDelete": lambda one: [Charge("event_group_delete.nobody_waits"), *_more(one)],
    "xStreamBufferSend": _stream_sent,
    "xStreamBufferReceive": _stream_received,
    "xStreamBufferGenericCreate": lambda one: [Charge("stream_create.one_more"), *_more(one)],
    "vStreamBufferDelete": lambda one: [Charge("stream_delete.empty"), *_more(one)],
    "xStreamBufferReset": _constant("stream_reset.nobody_waits"),
    "xStreamBufferBytesAvailable": _constant("stream_bytes.some"),
    "xStreamBufferSpacesAvailable": _constant("stream_spaces.some"),
    "xStreamBufferIsEmpty": _constant("stream_is_empty.empty"),
    "xStreamBufferIsFull": _constant("stream_is_full.full"),
    "xStreamBufferNextMessageLengthBytes": _constant("message_next_length.one_message"),
    "xStreamBufferSetTriggerLevel": _constant("stream_set_trigger.empty"),
    "vTaskDelay": _delayed,
    "xTaskDelayUntil": _delayed_until,
    "vPortYield": _yielded,
    "vTaskSuspend": _suspended,
    "vTaskResume": _resumed,
    "vTaskPrioritySet": _priority_set,
    "xTaskCreate": _created,
    "vTaskDelete": _deleted,
    "vTaskStartScheduler": _scheduler,
    "vTaskSuspendAll": _constant("scheduler_suspend.running"),
    "xTaskResumeAll": _resumed_all,
    "xTaskAbortDelay": lambda one: _switched(
        one, [Charge("delay_abort.lower" if one.woken else "delay_abort.not_blocked")]
    ),
    "vPortEnterCritical": _constant("critical_enter.outermost"),
    "vPortExitCritical": lambda one: [
        Charge("critical_exit.nested" if one.detail else "critical_exit.outermost")
    ],
    "xTaskGetTickCount": _constant("tick_count.task"),
    "uxTaskPriorityGet": _constant("priority_get.other"),
    "eTaskGetState": _constant("task_state.ready"),
    "pcTaskGetName": _constant("task_name.other"),
    "xTaskGetCurrentTaskHandle": _constant("task_handle.current"),
    "uxTaskGetNumberOfTasks": _constant("task_count.three"),
    "xTaskGetSchedulerState": _constant("scheduler_state.running"),
    "xTaskGetHandle": lambda _: [Charge("task_get_handle.last_of_ready", 1)],
    "uxQueueMessagesWaiting": _constant("queue_messages.one"),
    "uxQueueSpacesAvailable": _constant("queue_spaces.three"),
    "uxQueueGetQueueLength": _constant("queue_length.four"),
    "uxQueueGetQueueItemSize": _constant("queue_item_size.word"),
    "xQueueGetMutexHolder": _constant("mutex_holder.held"),
    "xQueueGenericCreate": _queue_created,
    "xQueueCreateMutex": lambda one: [Charge("mutex_create.one_more"), *_more(one)],
    "xQueueCreateCountingSemaphore": lambda one: [Charge("semaphore_create.counting"), *_more(one)],
    "xQueueGenericReset": _constant("queue_reset.wakes_sender", "queue_reset.full"),
    "vQueueDelete": lambda one: [Charge("queue_delete.full", 1), *_more(one)],
    "pvPortMalloc": _allocated,
    "vPortFree": _freed,
    "xPortGetFreeHeapSize": _constant("heap_free_bytes.any"),
    "xPortGetMinimumEverFreeHeapSize": _constant("heap_least_free_bytes.any"),
    "xTimerCreate": lambda one: [Charge("timer_create.one_more"), *_more(one)],
    "xTimerGenericCommandFromTask": _timer_commanded,
    "xTimerPendFunctionCall": lambda one: [
        Charge("timer_pend_call.carried_out" if one.switches else "timer_pend_call.posted")
    ],
    "xTimerIsTimerActive": _constant("timer_is_active.active"),
    "pvTimerGetTimerID": _constant("timer_get_id.dormant"),
    "vTimerSetTimerID": _constant("timer_set_id.dormant"),
    "pcTimerGetName": _constant("timer_get_name.dormant"),
    "xTimerGetPeriod": _constant("timer_get_period.dormant"),
    "xTimerGetExpiryTime": _constant("timer_get_expiry.active"),
    "xTaskCheckForTimeOut": _constant("timeout_check.not_over"),
    "vTaskSetTimeOutState": _constant("timeout_set.now"),
}
MORE_STEPS = frozenset(("xQueueGenericSend", "xQueueReceive", "xQueuePeek", "xQueueSemaphoreTake"))
"""Functions whose waiting tasks stand in order of priority: who waits steps over some."""


def _rule(passage: Callable[[Passage], Charges]) -> Rule:
    def charged(call: RecordedCall) -> Sequence[Charge]:
        one = Passage.of({name: call[name] for name in VALUES})
        found = passage(one)
        return found + _more(one) if call.callee in MORE_STEPS else found

    return charged


RULES: dict[str, Rule] = {name: _rule(passage) for name, passage in PASSAGEES.items()}
