//! ARM state: which opcodes a block executes, and by which function (ARM DDI 0029, "Instruction set
//! summary").

use super::super::psr::Condition;
use super::super::Arm7tdmi;
use super::{shapes, Form, Reach};
use crate::bus::Bus;

const LOAD: u32 = 1 << 20;
const STATUS: u32 = 1 << 22;
const BRANCH_EXCHANGE: (u32, u32) = (0x0FF0_00F0, 0x0120_0010);
const MOVE_FROM_STATUS: (u32, u32) = (0x0FB0_00F0, 0x0100_0000);

/// How a block executes `opcode`; none where that is left to the plain core: traps, changes of the status
/// register's lower byte, transfers of another mode's registers, what the architecture does not define.
pub(super) fn form<B: Bus>(opcode: u32) -> Option<Form<B>> {
    let is = |(mask, value)| opcode & mask == value;
    let (rd, loads) = (opcode >> 12 & 15, opcode & LOAD != 0);
    let miscellaneous = opcode & 0x0190_0000 == 0x0100_0000;
    let transfer = |into_pc| if loads && into_pc { Reach::Branch } else { Reach::Bus };
    let (execute, reach): (super::Execute<B>, Reach) = match opcode >> 25 & 7 {
        0 if opcode & 0x90 == 0x90 => (multiply_or_halfword(opcode)?, Reach::Bus),
        0 if is(BRANCH_EXCHANGE) => (
            |core, bus, opcode| core.branch_exchange(bus, core.r[(opcode & 15) as usize]),
            Reach::Branch,
        ),
        0 if is(MOVE_FROM_STATUS) && rd != 15 => (Arm7tdmi::move_from_status, Reach::Registers),
        0 | 1 if miscellaneous => return None,
        0 | 1 if rd == 15 => return into_pc(opcode),
        0 if opcode & 0x10 != 0 => (Arm7tdmi::data_processing_register_shift, Reach::Bus),
        0 | 1 => (shapes::data_processing(opcode), Reach::Registers),
        2 => (shapes::single_transfer(opcode), transfer(rd == 15)),
        3 if opcode & 0x10 == 0 => (shapes::single_transfer(opcode), transfer(rd == 15)),
        4 if opcode & STATUS == 0 && opcode & 0xFFFF != 0 => {
            (Arm7tdmi::block_transfer, transfer(opcode & 1 << 15 != 0))
        }
        5 => (Arm7tdmi::branch_relative, Reach::Branch),
        _ => return None,
    };
    Some(Form { execute, condition: Condition::of(opcode >> 28), reach })
}

/// Bits 7 and 4 set in the room of data processing.
fn multiply_or_halfword<B: Bus>(opcode: u32) -> Option<super::Execute<B>> {
    let (high, low) = (opcode >> 16 & 15, opcode >> 12 & 15);
    match (opcode >> 5 & 3, opcode >> 20 & 0x1F) {
        (0, 0b00000..=0b00011) if high != 15 => Some(Arm7tdmi::multiply),
        (0, 0b01000..=0b01111) if high != 15 && low != 15 => Some(Arm7tdmi::multiply_long),
        (0, _) => None,
        (1, _) if low != 15 => Some(Arm7tdmi::halfword_transfer),
        _ if opcode & LOAD != 0 && low != 15 => Some(Arm7tdmi::halfword_transfer),
        _ => None,
    }
}

/// Data processing into r15 that is neither a comparison nor a return from an exception.
fn into_pc<B: Bus>(opcode: u32) -> Option<Form<B>> {
    if opcode & LOAD != 0 {
        return None;
    }
    let execute: super::Execute<B> = match (opcode & 1 << 25 != 0, opcode & 0x10 != 0) {
        (true, _) => Arm7tdmi::data_processing_immediate,
        (_, true) => Arm7tdmi::data_processing_register_shift,
        _ => Arm7tdmi::data_processing_constant_shift,
    };
    Some(Form { execute, condition: Condition::of(opcode >> 28), reach: Reach::Branch })
}
