"""Whole C programs of a user's: their images for boards, their disks, and the same on the host."""

from cyclescope.firmware.application.build import BuiltApplication, build_application
from cyclescope.firmware.application.host import HostRun, run_on_host
from cyclescope.firmware.application.source import Application, Memory

__all__ = [
    "Application",
    "BuiltApplication",
    "HostRun",
    "Memory",
    "build_application",
    "run_on_host",
]
