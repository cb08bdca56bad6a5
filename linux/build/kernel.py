"""The kernels: one image for each configuration, from one tree."""

import os
import shutil
from pathlib import Path

import packages
from steps import Steps, run

from cyclescope.firmware.linux.built import KERNELS

CROSS = "arm-none-eabi-"
MODULES = ("drivers/tty/ttynull.ko",)


class Kernel:
    """Builds kernels from Debian's tree, which is unpacked when the first one is built."""

    def __init__(self, steps: Steps, apt: Path, ours: Path) -> None:
        self._steps = steps
        self._apt = apt
        self._patches = sorted((ours / "kernel").glob("*.patch"))
        self._config = ours / "config"
        self._tree = steps.work / "linux"
        self._log = steps.out / "log" / "kernel.log"

    def tree(self) -> Path:
        """The patched tree."""
        if not self._tree.exists():
            package = self._steps.work / "package"
            run(["dpkg-deb", "-x", packages.one_file(self._apt, "linux-source-*.deb"), package],
                self._log, os.environ)  # fmt: skip
            new = self._steps.work / "linux-source-6.1"
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            archive = packages.one_file(package / "usr" / "src", "linux-source-*.tar.xz")
            run(["tar", "xf", archive, "-C", new, "--strip-components=1"], self._log, os.environ)
            shutil.rmtree(package)
            for patch in self._patches:
                packages.apply(new, patch)
            new.rename(self._tree)
        return self._tree

    def configuration(self, model: str) -> list[Path]:
        """The files of a kernel's configuration, on top of allnoconfig."""
        return [self._config / f"{one}.config" for one in ("kernel", *KERNELS[model])]

    def headers(self, folder: Path) -> None:
        """Fills a folder with the headers for programs, and the compiler of device trees."""
        objects = self._configured("none")
        self._make(objects, "headers", "scripts_dtc")
        shutil.copytree(objects / "usr" / "include", folder / "include")
        shutil.copy2(objects / "scripts" / "dtc" / "dtc", folder / "dtc")

    def image(self, model: str, folder: Path) -> None:
        """Fills a folder with a kernel: what runs, its symbols, its modules, its configuration."""
        objects = self._configured(model)
        self._make(objects, "vmlinux", "Image", "modules")
        for path in ("vmlinux", "arch/arm/boot/Image", *MODULES):
            shutil.copy2(objects / path, folder)
        shutil.copy2(objects / ".config", folder / "config")
        shutil.rmtree(objects)

    def _configured(self, model: str) -> Path:
        objects = self._steps.work / f"objects-{model}"
        shutil.rmtree(objects, ignore_errors=True)
        objects.mkdir(parents=True)
        wanted = self._steps.work / f"{model}.config"
        wanted.write_text("".join(part.read_text() for part in self.configuration(model)))
        self._make(objects, f"KCONFIG_ALLCONFIG={wanted}", "allnoconfig")
        return objects

    def _make(self, objects: Path, *targets: str) -> None:
        tree = self.tree()
        env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        env |= {
            "ARCH": "arm", "CROSS_COMPILE": CROSS, "KBUILD_BUILD_USER": "cyclescope",
            "KBUILD_BUILD_HOST": "cyclescope", "KBUILD_BUILD_VERSION": "1",
            "KBUILD_BUILD_TIMESTAMP": "1970-01-01", "KCFLAGS": f"-ffile-prefix-map={tree}/=",
            "KAFLAGS": f"-ffile-prefix-map={tree}/=",
        }  # fmt: skip
        parallel = f"-j{os.cpu_count() or 1}"
        run(["make", parallel, "-C", tree, f"O={objects}", *targets], self._log, env)
