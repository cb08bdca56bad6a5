"""A copy of a board's RAM, read as a kernel's data: words, lists, named pieces."""

import builtins
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from cyclescope.firmware.linux.built import RAM, RAM_END

LONGEST_LIST = 1000
"""A list that is longer was being changed when the memory was copied."""


@dataclass(frozen=True)
class GuestObject:
    """A piece of memory with a name. `file_at` is where a page of a file lies in that file."""

    name: str
    start: int
    end: int
    file_at: int | None = None
    inode: int | None = None


class RamCopy:
    """The RAM as it stood at one cycle."""

    def __init__(self, ram: builtins.bytes) -> None:
        self._ram = ram

    def linked(self, head: int) -> Iterator[int]:
        """The links of a list that ends where it begins, without its head."""
        link = self.word(head)
        for _ in range(LONGEST_LIST):
            if link == head or not self.there(link):
                return
            yield link
            link = self.word(link)

    def chain(self, first: int) -> Iterator[int]:
        """A list that ends with a null pointer, linked by its first words."""
        for _ in range(LONGEST_LIST):
            if not self.there(first):
                return
            yield first
            first = self.word(first)

    def there(self, address: int) -> bool:
        """Whether a word lies at an address."""
        return RAM <= address < RAM_END - 3 and address % 4 == 0

    def word(self, address: int) -> int:
        """The word at an address; 0 outside the RAM."""
        if not RAM <= address <= RAM_END - 4:
            return 0
        (word,) = struct.unpack_from("<I", self._ram, address - RAM)
        return int(word)

    def bytes(self, address: int, length: int) -> builtins.bytes:
        """So many bytes from an address on."""
        return self._ram[address - RAM : address - RAM + length]
