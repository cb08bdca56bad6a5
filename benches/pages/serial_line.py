"""Transfers over the serial line of docs/explanation/peripheral.md, and single figures of them."""

from typing import Any

from pages.runs import PageError, campaign, once, today

Transfer = dict[str, Any]


@once
def transfers(name: str) -> list[Transfer]:
    """Every transfer of a campaign, in the order of its plan."""
    found: list[Transfer] = campaign(name)["transfers"]
    return found


def transfer(name: str, **settings: Any) -> Transfer:
    """The one transfer of a campaign that has these settings."""
    found = [
        one
        for one in transfers(name)
        if all(one["setting"][key] == value for key, value in settings.items())
    ]
    if len(found) != 1:
        raise PageError(f"the campaign {name} has {len(found)} transfers with {settings}")
    return found[0]


def download(name: str, driver: str = "pdc") -> Transfer:
    """The download of 1,000 bytes of a campaign."""
    return transfer(name, driver=driver, direction="download", size=1000)


def outcome(one: Transfer) -> str:
    """How a transfer came out, in a cell of a table."""
    came = one["outcome"]
    overruns = came["overruns"]
    lost = f"{overruns} overrun{'s' * (overruns != 1)}"
    if not came["identical"]:
        return f"not whole, {lost}"
    return f"whole, {lost}" if overruns else "whole"


def active(one: Transfer, unit: str = "instructions") -> float:
    """Active instructions, or cycles, per byte through the USART in the steady state."""
    value: float = one["analyses"]["load"]["steady"]["active"][f"{unit}_per_byte"]
    return value


def serial_active(name: str, driver: str = "pdc", direction: str = "download", size: int = 1000,
                  unit: str = "instructions") -> str:  # fmt: skip
    """Active instructions, or cycles, per byte of a transfer."""
    found = active(transfer(name, driver=driver, direction=direction, size=size), unit)
    return f"{found:,.0f}" if unit == "cycles" or found >= 1000 else f"{found:,.1f}"


def serial_copies(name: str, driver: str = "pdc", direction: str = "download") -> str:
    """How often a byte of the file is copied: mostly, and at most."""
    found = _buffers(name, driver, direction)["copies_per_payload_byte"]
    most = f"at most {found['max']}; " if found["max"] != found["q50"] else ""
    return f"{found['q50']} times ({most}n = {found['n']:,} bytes)"


def serial_buffers(name: str) -> str:
    """Buffers between the device and the program, of most bytes of a download."""
    return f"{_buffers(name, 'pdc', 'download')['buffers_to_program']['q50']}"


def _buffers(name: str, driver: str, direction: str) -> Any:
    one = transfer(name, driver=driver, direction=direction)
    return one["analyses"]["buffers"]


def serial_frame() -> str:
    """Cycles of a character at 115,200 baud."""
    return f"{download('serial_1000')['frame_cycles']:,}"


def serial_handler() -> str:
    """Cycles from the USART's request to the driver's handler: median, and greatest."""
    interrupts = download("serial_1000")["analyses"]["latency"]["interrupts"]
    stage = interrupts["usart1.interrupt"]["stages"]["asserted_to_handler"]
    return f"{stage['q50']:,} (median of {stage['n']:,}; at most {stage['max']:,})"


def serial_interrupt() -> str:
    """Cycles of an interrupt with all that it calls, when the line is driven by PIO."""
    found = download("serial_slow", "pio")["analyses"]
    entries = {one["entry"]: one for one in found["stacks"]["entries"]}
    cycles = entries["interrupt"]["inclusive_cycles"]
    taken = sum(one["taken"] for one in found["latency"]["interrupts"].values())
    return f"{cycles / taken:,.0f} cycles ({cycles:,} in {taken:,})"


def serial_energy() -> str:
    """The energy of a byte, and its largest parts."""
    found = download("serial_1000")["analyses"]["energy"]
    wire = found["bytes"]["wire"]
    shown = {"core": "core", "memory": "memories", "sleep": "sleep"}
    parts = ", ".join(
        f"{name} {found['terms_fj'][term] / 1e9 / wire:.1f}" for term, name in shown.items()
    )
    return f"{found['total']['nj_per_byte'] / 1000:.1f} µJ per byte: {parts}"


def serial_whole_by_steady(name: str, size: int) -> str:
    """The load of the whole transfer by that of the steady state, per byte."""
    one = transfer(name, driver="pdc", direction="download", size=size)
    return f"{one['analyses']['load']['whole_by_steady']:.2f}"


def serial_large(direction: str) -> str:
    """How the file of 1 MB came, in a sentence's rest."""
    came = transfer("serial_large", direction=direction)["outcome"]
    state = "came whole" if came["identical"] else "did not come whole"
    return (
        f"{state} in {came['seconds']:,.1f} s of the board, with {came['overruns']} overruns, "
        f"{came['lost_to_board']} lost characters and {came['retransmissions']} repeated packets"
    )


def serial_announced(name: str) -> str:
    """Which interrupts announce the received bytes of a download, with their shares."""
    found = download(name)["analyses"]["latency"]["bytes"]
    names = {"usart1.interrupt": "the USART", "tc.interrupt2": "the timer"}
    return " and ".join(
        f"{names.get(source, source)} {count / found['n']:.0%}"
        for source, count in found["announced_by"].items()
    )


def serial_made() -> str:
    """Of which Linux the page's figures are, and of which day."""
    systems = [one["system"] for one in transfers("serial_1000")]
    kernel = systems[0]["sha256"]["kernel"]
    version = systems[0]["packages"]["linux-source-6.1"]["version"]
    return (
        f"Made by `make pages` on {today()} with Linux {version}; the kernel's image has SHA-256 "
        f"`{kernel[:16]}…`."
    )
