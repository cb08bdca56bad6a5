"""Executors: where the runs of a campaign are made. Any `concurrent.futures.Executor` will do."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


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
        super().__init__(jobs, get_context("spawn"), _end_with_parent)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        # A process inherits what is blocked when it starts, and submitting may start one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """Even a parent that was killed leaves no process behind."""
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


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
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)
