"""Structures of an image's source, from its debugging information."""

import io
from collections.abc import Collection
from dataclasses import dataclass

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile


@dataclass(frozen=True)
class Structure:
    """A structure: its size, and where its fields begin, in bytes."""

    size_bytes: int
    fields: dict[str, int]


def structures(elf: bytes, source: str, wanted: Collection[str]) -> dict[str, Structure]:
    """Returns structures of a source file by their tags; those that it lacks are left out.

    `source` is the end of the file's name. An image without debugging information has none.
    """
    try:
        return _found(ELFFile(io.BytesIO(elf)), source, wanted)
    except (ELFError, DWARFError):
        return {}


def _found(file: ELFFile, source: str, wanted: Collection[str]) -> dict[str, Structure]:
    if not file.has_dwarf_info():
        return {}
    for unit in file.get_dwarf_info().iter_CUs():
        top = unit.get_top_DIE()
        if _name(top).endswith(source):
            found = (die for die in top.iter_children() if _name(die) in wanted)
            known = {_name(die): _structure(die) for die in found if SIZE in die.attributes}
            if known:
                return known
    return {}


SIZE, PLACE = "DW_AT_byte_size", "DW_AT_data_member_location"


def _structure(die: DIE) -> Structure:
    return Structure(int(die.attributes[SIZE].value), _fields(die))


def _fields(die: DIE) -> dict[str, int]:
    """Places of fields; those of a structure without a name are fields of the one around it."""
    places: dict[str, int] = {}
    for one in die.iter_children():
        if one.tag != "DW_TAG_member":
            continue
        # Fields of a union lie at its beginning.
        place = int(one.attributes[PLACE].value) if PLACE in one.attributes else 0
        if _name(one):
            places[_name(one)] = place
        else:
            inner = _fields(one.get_DIE_from_attribute("DW_AT_type"))
            places |= {name: place + offset for name, offset in inner.items()}
    return places


def _name(die: DIE) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return attribute.value.decode(errors="replace") if attribute else ""
