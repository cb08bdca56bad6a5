"""Linux for the AT91x40 as `make linux` builds it, and systems composed from it."""

from cyclescope.firmware.linux.built import Kernel, LinuxBuild, built
from cyclescope.firmware.linux.system import System, compose

__all__ = ["Kernel", "LinuxBuild", "System", "built", "compose"]
