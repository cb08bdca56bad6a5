"""Executors: where the runs of a campaign are made. Any `concurrent.futures.Executor` will do."""

import gc
import io
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, ClassVar, ParamSpec, TypeVar

from cyclescope.errors import CyclescopeError

P = ParamSpec("P")
T = TypeVar("T")

START = "fork" if sys.platform == "linux" else "spawn"
"""How processes start. A copy of this one has loaded already what it needs, which takes a process
0.8 s. All are made at the first work, before the pool has a thread. Of others this program has only
the bar of progress, whose locks no copy takes. Elsewhere system libraries do not survive a copy."""

SELDOM = 50_000
"""So many new objects before Python looks for garbage among them."""

PATIENCE_S = 5.0
"""A process that was asked to stop has so long."""


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
    """Processes of this machine. Ctrl-C is the parent's business; they end when it does.

    `shared` data goes to each of them once, and is not sent again with the work that refers to it.
    An image is large, and there are many runs of it.
    """

    def __init__(self, jobs: int, shared: Sequence[object] = ()) -> None:
        super().__init__(jobs, get_context(START), _begin, (shared,))
        self._shared = shared

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        work = _packed(partial(fn, *args, **kwargs), self._shared)
        # A process inherits what is blocked when it starts, and submitting may start one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(_work, work)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Packer(pickle.Pickler):
    """Writes of what is shared only which it is."""

    def __init__(self, file: io.BytesIO, shared: Sequence[object]) -> None:
        super().__init__(file)
        self._places = {id(one): place for place, one in enumerate(shared)}

    def persistent_id(self, obj: object) -> int | None:
        return self._places.get(id(obj))


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, pid: int) -> object:
        return _Here.shared[pid]


def _packed(work: object, shared: Sequence[object]) -> bytes:
    file = io.BytesIO()
    _Packer(file, shared).dump(work)
    return file.getvalue()


class _Here:
    """Of a process of the pool: what it was given, what it was asked, and whether it can heed it
    now."""

    shared: ClassVar[Sequence[object]] = ()
    to_stop = False
    working = False


def _begin(shared: Sequence[object]) -> None:
    """Readies a process: it stops when it is asked to, and when its parent was killed."""
    _Here.shared = shared
    gc.set_threshold(SELDOM)
    signal.signal(signal.SIGTERM, _stop)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _stop(number: int, frame: object) -> None:
    """Ends the work, never the sending of its result: half a result would be waited for forever."""
    _Here.to_stop = True
    if _Here.working:
        raise CyclescopeError("stopped", code="work-stopped")


def _work(packed: bytes) -> Any:
    """Returns the result of the work, unless the process was asked to stop."""
    _Here.working = True
    try:
        if _Here.to_stop:
            raise CyclescopeError("stopped", code="work-stopped")
        return _Unpacker(io.BytesIO(packed)).load()()
    finally:
        _Here.working = False


@contextmanager
def garbage_seldom() -> Iterator[None]:
    """Has this process and copies of it look for garbage less often: results are many objects, all
    of them of use, and every look goes through them again. It skips those that exist already."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


@contextmanager
def local(jobs: int, shared: Sequence[object] = ()) -> Iterator[Executor]:
    """This process for one job, as many processes for more; an error stops their work at once.

    Work may refer to what is `shared` as often as it likes: it is sent once.
    """
    if jobs == 1:
        yield InProcess()
        return
    others = set(active_children())
    executor = Processes(jobs, shared)
    try:
        yield executor
    except BaseException:
        _end(executor, set(active_children()) - others)
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _end(executor: Executor, processes: set[BaseProcess]) -> None:
    """Terminates all workers, then kills any that still wait for a killed one."""
    for process in processes:
        process.terminate()
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.join(PATIENCE_S)
        process.kill()
