//! Loads and stores: in the RAM that is lent at once, in the memory of the code beside its fetches, and
//! anywhere else by the plain core.

use super::super::super::alu::shift_by_constant;
use super::super::super::transfer::Load;
use super::op::{go_on, Left, Op, Run};
use super::registers::Registers;
use crate::bus::{Access, Lent, Width};
use crate::system::System;
use crate::timing::mam_lpc2000::lent::line;

/// How a transfer addresses.
pub(in super::super) mod addressing {
    /// `imm`.
    pub const CONSTANT: u8 = 0;
    /// `b` + `imm`.
    pub const OFFSET: u8 = 1;
    /// `b` + `c` << `d`.
    pub const REGISTER: u8 = 2;
    /// `b`, which moves by `imm` then.
    pub const BEHIND: u8 = 3;
    /// `b` + `imm`, where `b` moves to.
    pub const MOVED: u8 = 4;
    /// Any other: `c` shifted by the constant `d`; bits 1:0 of `imm` say how, and then [`UP`], [`BEFORE`], [`MOVES`].
    pub const GENERAL: u8 = 5;
    pub const UP: u32 = 1 << 2;
    pub const BEFORE: u32 = 1 << 3;
    pub const MOVES: u32 = 1 << 4;
}

/// How many ways there are.
const WAYS: usize = 6;

/// The address, and what the base becomes if it moves.
#[inline(always)]
fn address<const WAY: u8>(registers: &Registers, op: &Op) -> (u32, Option<u32>) {
    let base = registers.r[op.b as usize];
    let moved = base.wrapping_add(op.imm);
    match WAY {
        addressing::CONSTANT => (op.imm, None),
        addressing::OFFSET => (moved, None),
        addressing::REGISTER => {
            let index = registers.r[op.c as usize] << (op.d & 31);
            (base.wrapping_add(index), None)
        }
        addressing::BEHIND => (base, Some(moved)),
        addressing::MOVED => (moved, Some(moved)),
        _ => {
            let value = registers.r[op.c as usize];
            let offset = shift_by_constant(op.imm, value, u32::from(op.d), registers.flags).value;
            let up = op.imm & addressing::UP != 0;
            let moved = if up { base.wrapping_add(offset) } else { base.wrapping_sub(offset) };
            let address = if op.imm & addressing::BEFORE != 0 { moved } else { base };
            (address, (op.imm & addressing::MOVES != 0).then_some(moved))
        }
    }
}

/// The kinds of load, by number.
const LOADS: [Load; 5] = [Load::Word, Load::Byte, Load::Half, Load::SignedByte, Load::SignedHalf];

/// Reads the lent RAM at an aligned address.
#[inline(always)]
fn get(ram: &Lent, address: u32, width: Width) -> Option<u32> {
    let at = address.wrapping_sub(ram.base) as usize;
    if address & (width.bytes() - 1) != 0 {
        return None;
    }
    match width {
        Width::Byte => ram.bytes.get(at).map(|&byte| byte.into()),
        Width::Half => match ram.bytes.get(at..at + 2)? {
            &[a, b] => Some(u16::from_le_bytes([a, b]).into()),
            _ => None,
        },
        Width::Word => match ram.bytes.get(at..at + 4)? {
            &[a, b, c, d] => Some(u32::from_le_bytes([a, b, c, d])),
            _ => None,
        },
    }
}

/// LDR and its forms: `a` is read.
fn load<const KIND: u8, const WAY: u8>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    let (address, moved) = address::<WAY>(registers, op);
    let kind = const { LOADS[KIND as usize] };
    let Some(data) = get(&registers.ram, address, kind.width()) else {
        return load_elsewhere::<KIND, WAY>(registers, bus, op, rest);
    };
    if let Some(moved) = moved {
        registers.r[op.b as usize] = moved;
    }
    registers.r[op.a as usize] = kind.extend(data, 0);
    go_on(registers, bus, rest)
}

/// The same where the lent RAM does not answer.
#[cold]
#[inline(never)]
fn load_elsewhere<const KIND: u8, const WAY: u8>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    let (address, moved) = address::<WAY>(registers, op);
    let kind = const { LOADS[KIND as usize] };
    let width = kind.width();
    if address & (width.bytes() - 1) != 0 {
        return op.unfinished(registers, rest);
    }
    let flash = registers.flash.as_mut();
    let read = bus.read_beside(address, Access::data(width), op.since, flash);
    let Some((data, cycles)) = read else {
        return op.unfinished(registers, rest);
    };
    // The block has counted an access to the RAM.
    bus.spend(cycles);
    bus.take_back_cycles(registers.ram_cycles);
    if let Some(moved) = moved {
        registers.r[op.b as usize] = moved;
    }
    registers.r[op.a as usize] = kind.extend(data, 0);
    go_on(registers, bus, rest)
}

/// LDR of the constant `imm`, which lies at `aux` in the memory of the code.
pub(super) fn literal(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    if let Some(flash) = &mut registers.flash {
        let cycles = flash.read(line(bus.code_offset(op.aux)));
        bus.spend(op.since + cycles);
    } else {
        match bus.read_beside(op.aux, Access::data(Width::Word), op.since, None) {
            Some((_, cycles)) => bus.spend(op.since + cycles),
            None => return op.unfinished(registers, rest),
        }
    }
    registers.r[op.a as usize] = op.imm;
    go_on(registers, bus, rest)
}

/// The place of so many bytes in the lent RAM, if no code lies there.
#[inline(always)]
fn place(ram: &mut Lent, address: u32, bytes: usize) -> Option<&mut [u8]> {
    let at = address.wrapping_sub(ram.base) as usize;
    let slot = ram.bytes.get_mut(at..at + bytes)?;
    (ram.granules.get(at >> Lent::GRANULE_SHIFT)? & Lent::TRACKED == 0).then_some(slot)
}

/// STR and its forms: `a` is written.
fn store<const WIDTH: u8, const WAY: u8>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    let (address, moved) = address::<WAY>(registers, op);
    let value = registers.r[op.a as usize].to_le_bytes();
    let bytes = 1 << WIDTH;
    let slot = place(&mut registers.ram, address, bytes);
    let Some(slot) = slot.filter(|_| address & (bytes as u32 - 1) == 0) else {
        return op.unfinished(registers, rest);
    };
    slot.copy_from_slice(&value[..bytes]);
    if let Some(moved) = moved {
        registers.r[op.b as usize] = moved;
    }
    go_on(registers, bus, rest)
}

macro_rules! ways {
    ($function:ident, $number:literal) => {
        [
            $function::<$number, 0>,
            $function::<$number, 1>,
            $function::<$number, 2>,
            $function::<$number, 3>,
            $function::<$number, 4>,
            $function::<$number, 5>,
        ]
    };
}

static LOAD: [[Run; WAYS]; 5] =
    [ways!(load, 0), ways!(load, 1), ways!(load, 2), ways!(load, 3), ways!(load, 4)];
static STORE: [[Run; WAYS]; 3] = [ways!(store, 0), ways!(store, 1), ways!(store, 2)];

/// The function for a load of this kind.
pub(super) fn loading(kind: Load, way: u8) -> Run {
    LOAD[kind as usize][way as usize % WAYS]
}

/// The function for a store of this width.
pub(super) fn storing(width: Width, way: u8) -> Run {
    STORE[width as usize][way as usize % WAYS]
}

/// Takes the lowest register out of a list.
#[inline(always)]
fn take(list: &mut u32) -> usize {
    let lowest = list.trailing_zeros() & 15;
    *list &= list.wrapping_sub(1);
    lowest as usize
}

/// Where a block transfer begins: `d` words, signed, from `b`.
#[inline(always)]
fn start(registers: &Registers, op: &Op) -> (usize, usize) {
    let offset = (4 * i32::from(op.d as i8)) as u32;
    let address = registers.r[op.b as usize].wrapping_add(offset);
    let at = address.wrapping_sub(registers.ram.base) as usize;
    // A base that is not aligned is left to the plain core.
    (if address & 3 == 0 { at } else { usize::MAX / 2 }, 4 * op.c as usize)
}

/// LDM of the `c` registers of `imm`; the base `b` moves by `aux`.
fn load_many(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    let (at, bytes) = start(registers, op);
    let Registers { r, ram, .. } = registers;
    let Some(words) = ram.bytes.get(at..at + bytes) else {
        return op.unfinished(registers, rest);
    };
    r[op.b as usize] = r[op.b as usize].wrapping_add(op.aux);
    let mut list = op.imm;
    for word in words.chunks_exact(4) {
        r[take(&mut list)] = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    }
    go_on(registers, bus, rest)
}

/// STM of the same. The base moves behind the first store.
fn store_many(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    let (at, bytes) = start(registers, op);
    let Registers { r, ram, .. } = registers;
    let is_code = |granule: &u8| granule & Lent::TRACKED != 0;
    let last = at + bytes - 1;
    let granules = ram.granules.get(at >> Lent::GRANULE_SHIFT..=last >> Lent::GRANULE_SHIFT);
    let words = ram.bytes.get_mut(at..at + bytes);
    let (Some(words), false) = (words, granules.is_none_or(|all| all.iter().any(is_code))) else {
        return op.unfinished(registers, rest);
    };
    let mut list = op.imm;
    let mut words = words.chunks_exact_mut(4);
    if let Some(word) = words.next() {
        word.copy_from_slice(&r[take(&mut list)].to_le_bytes());
    }
    r[op.b as usize] = r[op.b as usize].wrapping_add(op.aux);
    for word in words {
        word.copy_from_slice(&r[take(&mut list)].to_le_bytes());
    }
    go_on(registers, bus, rest)
}

/// The function for LDM, or STM.
pub(super) fn transferring(loads: bool) -> Run {
    if loads {
        load_many
    } else {
        store_many
    }
}
