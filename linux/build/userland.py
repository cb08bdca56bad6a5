"""The C library and the programs, all by the compiler of the firmware."""

import os
import shutil
from pathlib import Path

import packages
from steps import Steps, run

TARGET = "-march=armv4t -marm -mtune=arm7tdmi -mfloat-abi=soft -mabi=aapcs-linux"
STACK_BYTES = 32_768


class Userland:
    """Builds musl, our programs, gkermit and busybox."""

    def __init__(self, steps: Steps, apt: Path, ours: Path) -> None:
        self._steps = steps
        self._apt = apt
        self._ours = ours
        names = (name for name in os.environ if not name.startswith("MAKE"))
        self._env = {name: os.environ[name] for name in names}
        self._libc = steps.out / "libc"

    def libc(self, folder: Path) -> None:
        """Fills a folder with musl, the kernel's headers, and `cc`, which makes programs."""
        tree = self._unpacked("musl")
        packages.apply(tree, self._ours / "musl" / "nommu.patch")
        runtime = self._steps.work / "runtime"
        log = self._log("musl")
        run(["sh", "-c", 'arm-none-eabi-gcc -march=armv4t -marm -print-libgcc-file-name > "$0"',
             runtime], log, self._env)  # fmt: skip
        run(
            [
                "./configure", "--target=arm-none-eabi", f"--prefix={folder}", "--disable-shared",
                f"CC=arm-none-eabi-gcc {TARGET}", "AR=arm-none-eabi-ar",
                "RANLIB=arm-none-eabi-ranlib", f"LIBCC={runtime.read_text().strip()}",
                "CFLAGS=-Os -g -fPIE "
                f"-ffile-prefix-map={tree}=musl -Wa,--debug-prefix-map={tree}=musl",
            ],
            log, self._env, tree,
        )  # fmt: skip
        run(["make", f"-j{os.cpu_count() or 1}", "install"], log, self._env, tree)
        shutil.rmtree(tree)
        for part in ("asm", "asm-generic", "linux", "mtd"):
            headers = self._steps.out / "headers" / "include" / part
            shutil.copytree(headers, folder / "include" / part, dirs_exist_ok=True)
        shutil.copy2(self._ours / "programs" / "cc", folder / "cc")

    def ours(self, name: str, folder: Path) -> None:
        """Fills a folder with one of our own programs."""
        source = self._ours / "programs" / f"{name}.c"
        options: list[str | Path] = ["-Wall", "-Wextra", "-Werror", "-o", folder / name]
        run([self._libc / "cc", *options, source.name], self._log(name), self._env, source.parent)

    def gkermit(self, folder: Path) -> None:
        """Fills a folder with gkermit for the board, and Debian's own for this machine."""
        tree, log = self._unpacked("gkermit"), self._log("gkermit")
        run(["gcc", "-w", "-o", "gwart", "gwart.c"], log, self._env, tree)
        run(["./gwart", "gproto.w", "gproto.c"], log, self._env, tree)
        sources = ["gproto.c", "gkermit.c", "gunixio.c", "gcmdline.c"]
        header = self._ours / "programs" / "timeouts.h"
        here = f"-ffile-prefix-map={self._ours}=linux"
        options: list[str | Path] = ["-DPOSIX", "-w", "-include", header, here]
        command = [self._libc / "cc", *options, "-o", folder / "gkermit", *sources]
        run(command, log, self._env, tree)
        package = packages.one_file(self._apt, "gkermit_*.deb")
        run(["dpkg-deb", "-x", package, self._steps.work / "host"], log, self._env)
        shutil.copy2(self._steps.work / "host" / "usr" / "bin" / "gkermit", folder / "gkermit-host")
        shutil.rmtree(tree)

    def busybox(self, folder: Path) -> None:
        """Fills a folder with busybox."""
        tree, log = self._unpacked("busybox"), self._log("busybox")
        wanted = (self._ours / "config" / "busybox.config").read_text()
        env = self._env | {"STACK": str(STACK_BYTES), "KCONFIG_NOTIMESTAMP": "1"}
        run(["make", "allnoconfig"], log, env, tree)
        # The first line of an option counts; oldconfig then asks for what is new.
        config = tree / ".config"
        config.write_text(wanted + config.read_text())
        run(["sh", "-c", "yes '' | make oldconfig"], log, env, tree)
        tools = [f"CC={self._libc / 'cc'}", "CROSS_COMPILE=arm-none-eabi-", "HOSTCC=gcc"]
        run(["make", f"-j{os.cpu_count() or 1}", *tools, "SKIP_STRIP=y", "busybox_unstripped"],
            log, env, tree)  # fmt: skip
        shutil.copy2(tree / "busybox_unstripped", folder / "busybox")
        shutil.rmtree(tree)

    def boot(self, folder: Path) -> None:
        """Fills a folder with the stub in ROM."""
        source = self._ours / "boot"
        command = ["arm-none-eabi-gcc", "-mcpu=arm7tdmi", "-nostdlib", "-T", "boot.ld", "boot.S"]
        run([*command, "-o", folder / "boot.elf"], self._log("boot"), self._env, source)

    def _unpacked(self, name: str) -> Path:
        tree = self._steps.work / name
        shutil.rmtree(tree, ignore_errors=True)
        packages.unpack_source(self._apt, name, tree, self._log(name))
        return tree

    def _log(self, name: str) -> Path:
        return self._steps.out / "log" / f"{name}.log"
