"""A plug-in of a device as a module of WebAssembly, assembled from its instructions."""

import struct
from collections.abc import Callable, Iterable
from random import Random

CODES = {
    "block": 0x02,
    "loop": 0x03,
    "if": 0x04,
    "end": 0x0B,
    "br": 0x0C,
    "br_if": 0x0D,
    "return": 0x0F,
    "call": 0x10,
    "local.get": 0x20,
    "local.set": 0x21,
    "local.tee": 0x22,
    "i32.load8_u": 0x2D,
    "i32.store8": 0x3A,
    "i32.const": 0x41,
    "i64.const": 0x42,
    "i32.eqz": 0x45,
    "i32.lt_s": 0x48,
    "i32.gt_u": 0x4B,
    "i32.ge_u": 0x4F,
    "i32.add": 0x6A,
    "i32.sub": 0x6B,
    "i32.mul": 0x6C,
    "i32.and": 0x71,
    "i32.xor": 0x73,
    "i32.shr_u": 0x76,
    "i64.add": 0x7C,
    "i64.mul": 0x7E,
    "i64.xor": 0x85,
    "i64.shr_u": 0x88,
    "f64.add": 0xA0,
    "f64.sub": 0xA1,
    "f64.mul": 0xA2,
    "i32.wrap_i64": 0xA7,
    "i32.trunc_f64_s": 0xAA,
    "f64.convert_i32_s": 0xB7,
}
BLOCKS = ("block", "loop", "if")
I32, I64, F64, NOTHING = 0x7F, 0x7E, 0x7C, 0x40
ACCESS = ("i32.load8_u", "i32.store8")

# Each counts, sums or filters up to its argument, and says what it found.
PRIMES = """
block loop local.get 1 local.get 0 i32.ge_u br_if 1
  local.get 1 i32.const 0 i32.store8 0 local.get 1 i32.const 1 i32.add local.set 1 br 0 end end
i32.const 2 local.set 1
block loop local.get 1 local.get 0 i32.ge_u br_if 1
  local.get 1 i32.load8_u 0 i32.eqz if
    local.get 3 i32.const 1 i32.add local.set 3
    local.get 1 local.get 1 i32.add local.set 2
    block loop local.get 2 local.get 0 i32.ge_u br_if 1
      local.get 2 i32.const 1 i32.store8 0 local.get 2 local.get 1 i32.add local.set 2 br 0 end end
  end
  local.get 1 i32.const 1 i32.add local.set 1 br 0 end end
local.get 3 call 0
"""
CHECK = """
i32.const -1 local.set 2
block loop local.get 1 local.get 0 i32.ge_u br_if 1
  local.get 2 local.get 1 i32.const 37 i32.mul i32.const 255 i32.and i32.xor local.set 2
  i32.const 8 local.set 3
  loop
    local.get 2 i32.const 1 i32.shr_u
    i32.const 0 local.get 2 i32.const 1 i32.and i32.sub i32.const -306674912 i32.and i32.xor
    local.set 2
    local.get 3 i32.const 1 i32.sub local.tee 3 br_if 0
  end
  local.get 1 i32.const 1 i32.add local.set 1 br 0 end end
local.get 2 i32.const -1 i32.xor call 0
"""
SAY_FIBONACCI = "local.get 0 call 4 call 0"
FIBONACCI = """
local.get 0 i32.const 2 i32.lt_s if local.get 0 return end
local.get 0 i32.const 1 i32.sub call 4 local.get 0 i32.const 2 i32.sub call 4 i32.add
"""
MIX = """
block loop local.get 1 local.get 0 i32.ge_u br_if 1
  local.get 2 i64.const 2862933555777941757 i64.mul i64.const 3037000493 i64.add local.tee 2
  local.get 2 i64.const 29 i64.shr_u i64.xor local.set 2
  local.get 1 i32.const 1 i32.add local.set 1 br 0 end end
local.get 2 i64.const 32 i64.shr_u i32.wrap_i64 call 0
"""
FILTER = """
block loop local.get 1 local.get 0 i32.ge_u br_if 1
  local.get 2
  local.get 1 i32.const 31 i32.and i32.const 16 i32.sub i32.const 1000 i32.mul f64.convert_i32_s
  local.get 2 f64.sub i32.const 3 f64.convert_i32_s f64.mul
  local.get 3 f64.mul f64.add local.set 2
  local.get 1 i32.const 63 i32.and i32.eqz if local.get 2 i32.trunc_f64_s call 0 end
  local.get 1 i32.const 1 i32.add local.set 1 br 0 end end
local.get 2 i32.trunc_f64_s call 0
"""
FUNCTIONS: dict[str, tuple[int, tuple[int, ...], str]] = {
    "primes": (0, (I32, I32, I32), PRIMES),
    "check": (0, (I32, I32, I32), CHECK),
    "fibonacci": (0, (), SAY_FIBONACCI),
    "inner": (1, (), FIBONACCI),
    "mix": (0, (I32, I64), MIX),
    "filter": (0, (I32, F64, F64), "f64.const 0.0625 local.set 3 " + FILTER),
}
"""Type, locals behind the argument, and instructions; device.say() comes before them."""


def _signed(value: int) -> bytes:
    """LEB128."""
    found = bytearray()
    while not -64 <= value < 64:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value & 127])


def _unsigned(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def _code(text: str) -> bytes:
    words, found = iter(text.split()), bytearray()
    for word in words:
        if word == "f64.const":
            found += b"\x44" + struct.pack("<d", float(next(words)))
            continue
        found.append(CODES[word])
        if word in BLOCKS:
            found.append(NOTHING)
        elif word in ("i32.const", "i64.const"):
            found += _signed(int(next(words)))
        elif word in ACCESS:
            found += b"\0" + _unsigned(int(next(words)))
        elif word in ("br", "br_if", "call", "local.get", "local.set", "local.tee"):
            found += _unsigned(int(next(words)))
    return bytes(found) + b"\x0b"


def _several(parts: Iterable[bytes]) -> bytes:
    kept = list(parts)
    return _unsigned(len(kept)) + b"".join(kept)


def _section(number: int, parts: Iterable[bytes]) -> bytes:
    body = _several(parts)
    return bytes([number]) + _unsigned(len(body)) + body


def _name(text: str) -> bytes:
    return _unsigned(len(text)) + text.encode()


def _body(kinds: tuple[int, ...], text: str) -> bytes:
    made = _several(bytes([1, kind]) for kind in kinds) + _code(text)
    return _unsigned(len(made)) + made


def _plugin(pages: int, random: Random) -> bytes:
    """The module, with so many pages of memory."""
    del random
    return (
        b"\0asm\1\0\0\0"
        + _section(1, [bytes([0x60, 1, I32, 0]), bytes([0x60, 1, I32, 1, I32])])
        + _section(2, [_name("device") + _name("say") + b"\0\0"])
        + _section(3, [bytes([kind]) for kind, _, _ in FUNCTIONS.values()])
        + _section(5, [b"\0" + _unsigned(pages)])
        + _section(7, [_name(name) + bytes([0, at]) for at, name in enumerate(FUNCTIONS, 1)])
        + _section(10, [_body(kinds, text) for _, kinds, text in FUNCTIONS.values()])
    )


WASM_KINDS: dict[str, Callable[[int, Random], bytes]] = {"plugin": _plugin}
"""Kinds of files, as inputs.KINDS has them."""
