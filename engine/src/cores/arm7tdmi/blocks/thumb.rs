//! Thumb state: which opcodes a block executes, and by which function (ARM DDI 0029, "Thumb instruction
//! set").

use super::super::psr::Condition;
use super::super::thumb::{low, PC, SP};
use super::super::transfer::Load;
use super::super::Arm7tdmi;
use super::{Execute, Form, Reach};
use crate::bus::{Bus, Width};

/// The condition of what always executes.
const ALWAYS: u32 = 14;

/// How a block executes `opcode`; none where that is left to the plain core: traps, and what the
/// architecture does not define.
pub(super) fn form<B: Bus>(opcode: u32) -> Option<Form<B>> {
    let condition = opcode >> 8 & 15;
    let branches = |so| if so { Reach::Branch } else { reach(opcode) };
    let (execute, condition, reach): (Execute<B>, u32, Reach) = match opcode >> 11 & 31 {
        8 if opcode & 0x400 != 0 => {
            let exchanges = opcode >> 8 & 3 == 3;
            let moves = opcode >> 8 & 1 == 0 && opcode & 0x87 == 0x87;
            (Arm7tdmi::operate_high, ALWAYS, branches(exchanges || moves))
        }
        22 | 23 => (stack(opcode)?, ALWAYS, branches(opcode & 0xF00 == 0xD00)),
        24 | 25 if opcode & 0xFF == 0 => return None,
        26 | 27 if condition >= 14 => return None,
        26 | 27 => (Arm7tdmi::branch_near, condition, Reach::Branch),
        28 => (Arm7tdmi::branch_short, ALWAYS, Reach::Branch),
        31 => (Arm7tdmi::branch_link_suffix, ALWAYS, Reach::Branch),
        _ => (straight(opcode)?, ALWAYS, reach(opcode)),
    };
    Some(Form { execute, condition: Condition::of(condition), reach })
}

/// How far what does not branch reaches: transfers use the bus, and so do shifts by a register and MUL, for
/// their internal cycles.
fn reach(opcode: u32) -> Reach {
    let idles = matches!(opcode >> 6 & 15, 2 | 3 | 4 | 7 | 13);
    match opcode >> 11 & 31 {
        8 if opcode & 0x400 == 0 && idles => Reach::Bus,
        0..=8 | 20 | 21 | 30 => Reach::Registers,
        22 | 23 if opcode >> 8 & 15 == 0 => Reach::Registers,
        _ => Reach::Bus,
    }
}

/// ADD SP, PUSH and POP, with a list that is not empty.
fn stack<B: Bus>(opcode: u32) -> Option<Execute<B>> {
    match opcode >> 8 & 15 {
        0 => Some(Arm7tdmi::stack),
        4 | 5 | 12 | 13 if opcode & 0x1FF != 0 => Some(Arm7tdmi::stack),
        _ => None,
    }
}

/// What never branches.
fn straight<B: Bus>(opcode: u32) -> Option<Execute<B>> {
    Some(match opcode >> 11 & 31 {
        0 => |core, _, opcode| core.shift_immediate(opcode & 0x7FF),
        1 => |core, _, opcode| core.shift_immediate(opcode & 0x7FF | 1 << 11),
        2 => |core, _, opcode| core.shift_immediate(opcode & 0x7FF | 2 << 11),
        3 => |core, _, opcode| core.add_subtract(opcode),
        4 => |core, _, opcode| core.operate_immediate(opcode & 0x7FF),
        5 => |core, _, opcode| core.operate_immediate(opcode & 0x7FF | 1 << 11),
        6 => |core, _, opcode| core.operate_immediate(opcode & 0x7FF | 2 << 11),
        7 => |core, _, opcode| core.operate_immediate(opcode & 0x7FF | 3 << 11),
        8 => Arm7tdmi::operate_low,
        9 => |core, bus, opcode| {
            core.load(bus, Load::Word, low(opcode, 8), core.based(PC, 4 * (opcode & 0xFF)));
        },
        10 | 11 => Arm7tdmi::transfer_register_offset,
        12 => |core, bus, opcode| {
            let to = core.based(low(opcode, 3), 4 * (opcode >> 6 & 31));
            core.store(bus, Width::Word, low(opcode, 0), to);
        },
        13 => |core, bus, opcode| {
            let to = core.based(low(opcode, 3), 4 * (opcode >> 6 & 31));
            core.load(bus, Load::Word, low(opcode, 0), to);
        },
        14 => |core, bus, opcode| {
            let to = core.based(low(opcode, 3), opcode >> 6 & 31);
            core.store(bus, Width::Byte, low(opcode, 0), to);
        },
        15 => |core, bus, opcode| {
            let to = core.based(low(opcode, 3), opcode >> 6 & 31);
            core.load(bus, Load::Byte, low(opcode, 0), to);
        },
        16 => |core, bus, opcode| {
            let to = core.based(low(opcode, 3), 2 * (opcode >> 6 & 31));
            core.store(bus, Width::Half, low(opcode, 0), to);
        },
        17 => |core, bus, opcode| {
            let to = core.based(low(opcode, 3), 2 * (opcode >> 6 & 31));
            core.load(bus, Load::Half, low(opcode, 0), to);
        },
        18 => |core, bus, opcode| {
            core.store(bus, Width::Word, low(opcode, 8), core.based(SP, 4 * (opcode & 0xFF)));
        },
        19 => |core, bus, opcode| {
            core.load(bus, Load::Word, low(opcode, 8), core.based(SP, 4 * (opcode & 0xFF)));
        },
        20 => |core, _, opcode| core.add_address(opcode, PC),
        21 => |core, _, opcode| core.add_address(opcode, SP),
        24 | 25 => Arm7tdmi::multiple,
        30 => |core, _, opcode| core.branch_link_prefix(opcode),
        _ => return None,
    })
}
