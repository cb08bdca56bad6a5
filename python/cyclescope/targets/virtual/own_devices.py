"""Devices of the kind `python` in board files: the user's class found, checked and made."""

import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from cyclescope.device import Device
from cyclescope.errors import CyclescopeError

MODULE = "cyclescope_own_device_"
"""Before the name of a user's module, so that it hides no other."""


class OwnDeviceError(CyclescopeError):
    """A device that a board file describes, and that cannot be made. No full stop at the end."""


def maker(folder: Path) -> Callable[[Mapping[str, Any]], Device]:
    """Returns what makes a device of its parameters; files are relative to `folder`.

    It raises OwnDeviceError if there is no such class.
    """
    return lambda parameters: make(folder, dict(parameters))


def make(folder: Path, parameters: dict[str, Any]) -> Device:
    """Executes the file named by `file` and returns an object of its `class`.

    The other parameters are keyword arguments. Each device executes its file anew, so that boards
    and devices share nothing.
    """
    file, name = (_text(parameters, key) for key in ("file", "class"))
    module = _executed(folder / file)
    made = _class(module, file, name)
    try:
        signature(made).bind(**parameters)  # its error names the parameter
        device = made(**parameters)
    except Exception as error:
        raise OwnDeviceError(
            f"{name}(…) cannot be made: {_located(error, folder / file)}"
        ) from error
    _check(device, f"{name} in {file}")
    return device


def _text(parameters: dict[str, Any], key: str) -> str:
    value = parameters.pop(key, None)
    if not isinstance(value, str) or not value:
        raise OwnDeviceError(
            f"{key} is missing: name the file of the class, and the class, as in "
            'parameters = { file = "counter.py", class = "Counter" }'
        )
    return value


def _executed(path: Path) -> ModuleType:
    if not path.is_file():
        raise OwnDeviceError(
            f"there is no file {path}: check file, which is relative to the board file"
        )
    name = f"{MODULE}{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OwnDeviceError(f"{path.name} is not a Python file: its name must end in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise OwnDeviceError(f"{_located(error, path)}") from error
    return module


def _class(module: ModuleType, file: str, name: str) -> type[Device]:
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Device):
        return found
    there = [
        one
        for one, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Device) and value is not Device
    ]
    what = f"{file} has no class {name}" if found is None else f"{name} in {file} is no Device"
    classes = f"it has {', '.join(there)}" if there else "no class there extends it"
    raise OwnDeviceError(f"{what} (from cyclescope.device import Device): {classes}")


def _check(device: Device, who: str) -> None:
    for which in ("outputs", "inputs"):
        names = getattr(device, which)
        texts = isinstance(names, Sequence) and not isinstance(names, str)
        if not texts or not all(isinstance(one, str) and one for one in names):
            raise OwnDeviceError(f"{which} of {who} is {names!r}: make it a tuple of names")
        if len(set(names)) < len(names):
            raise OwnDeviceError(f"{which} of {who} has a name twice: {', '.join(names)}")
    for offset in (*device.steady, *device.registers):
        if not isinstance(offset, int) or not 0 <= offset < 1 << 32:
            raise OwnDeviceError(
                f"{offset!r} in registers or steady of {who} is no offset in bytes"
            )


def _located(error: BaseException, path: Path) -> str:
    """The error with the last line of this file that it went through."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(path)
    ]
    own = isinstance(error, SyntaxError) and error.filename == str(path)
    line = error.lineno if isinstance(error, SyntaxError) and own else (lines or [None])[-1]
    place = path.name if line is None else f"{path.name}, line {line}"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return " ".join(f"{place}: {type(error).__name__}: {text}".split()).rstrip(".: ")
