"""Executors: where the runs of a campaign are made. Any `concurrent.futures.Executor` will do."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import ParamSpec, TypeVar

from cyclescope.errors import CyclescopeError

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE_S = 5.0
"""A process that was told to stop has so long."""


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


class InProcess(Executor):
    """Works at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes(ProcessPoolExecutor):
    """Processes of this machine. Ctrl-C is the parent's business; they end when it does."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, get_context("spawn"), _begin)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        # A process inherits what is blocked when it starts, and submitting may start one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(_work, partial(fn, *args, **kwargs))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Asked:
    """What a process of the pool was asked, and whether it can heed it now."""

    to_stop = False
    working = False


def _begin() -> None:
    """Readies a process: it stops when it is told to, and when its parent was killed."""
    signal.signal(signal.SIGTERM, _stop)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _stop(number: int, frame: object) -> None:
    """Ends the work, never the sending of its result: half a result would be waited for forever."""
    _Asked.to_stop = True
    if _Asked.working:
        raise CyclescopeError("stopped")


def _work(work: Callable[[], T]) -> T:
    """The work, unless the process was told to stop."""
    _Asked.working = True
    try:
        if _Asked.to_stop:
            raise CyclescopeError("stopped")
        return work()
    finally:
        _Asked.working = False


@contextmanager
def local(jobs: int) -> Iterator[Executor]:
    """This process for one job, as many processes for more; an error stops their work at once."""
    if jobs == 1:
        yield InProcess()
        return
    others = set(active_children())
    executor = Processes(jobs)
    try:
        yield executor
    except BaseException:
        _end(executor, set(active_children()) - others)
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _end(executor: Executor, processes: set[BaseProcess]) -> None:
    """Stops all work. Who waits for a process that was killed in the middle is killed as well."""
    for process in processes:
        process.terminate()
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.join(PATIENCE_S)
        process.kill()
