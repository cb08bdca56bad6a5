//! Thumb state: each instruction is the operation of the ARM instruction that it stands for.

use super::super::super::decoder::thumb::{self, high_rd, high_rs, list, low, Form, Format};
use super::super::super::decoder::{Cost, Instruction, Operation, Reach};
use super::super::super::psr;
use super::super::super::transfer::Load;
use super::super::super::PC;
use super::super::chains::alu::source;
use super::super::chains::memory::addressing;
use super::super::chains::op::{Op, What};
use super::draft::{Draft, Flags, Processing};
use super::Became::{self, Last, Nothing, Ops};

const SP: usize = 13;

/// The source that is register `c` shifted by the constant `d`.
fn shifted(operation: Operation) -> u8 {
    match operation {
        Operation::Lsl => 0,
        Operation::Lsr => 1,
        Operation::Asr => 2,
        _ => 3,
    }
}

/// Adds an instruction whose fetch has been added.
pub(super) fn add(draft: &mut Draft, opcode: u32) -> Became {
    let Instruction { form, condition, reach, cost, .. } = thumb::decode(opcode);
    if reach >= Reach::Mode {
        return Nothing;
    }
    let branch = |draft: &mut Draft, distance: i32| {
        let imm = draft.r15().wrapping_add(distance as u32);
        let always = condition.holds_always();
        draft.count_refill();
        draft.add_leaving(Op { condition, imm, ..Op::new(What::Branch { always }) });
        if always {
            Last
        } else {
            Ops
        }
    };
    match form.format {
        Format::NearBranch => branch(draft, (opcode << 24) as i32 >> 23),
        Format::Branch => branch(draft, (opcode << 21) as i32 >> 20),
        Format::Exchange => {
            if high_rs(opcode) == PC {
                draft.set(PC, draft.r15());
            }
            draft.count_refill();
            draft.add_leaving(Op { c: high_rs(opcode) as u8, ..Op::new(What::Exchange) });
            Last
        }
        Format::LinkHalf if form.operation == Operation::BlPrefix => {
            let distance = (opcode << 21) as i32 >> 9;
            draft.add_link_prefix(draft.r15().wrapping_add(distance as u32));
            Ops
        }
        Format::LinkHalf => {
            draft.count_refill();
            let (imm, aux) = ((opcode & 0x7FF) << 1, draft.pc().wrapping_add(2) | 1);
            draft.add_link(imm, aux);
            Last
        }
        _ => body(draft, form, opcode, cost),
    }
}

fn body(draft: &mut Draft, form: Form, opcode: u32, cost: Cost) -> Became {
    let (rd, rb, imm5) = (low(opcode, 0), low(opcode, 3), opcode >> 6 & 31);
    match form.format {
        Format::HighRegisters => high_registers(draft, form, opcode),
        Format::ShiftRegister => {
            let op = Op { c: rd as u8, d: rb as u8, imm: shifted(form.operation).into(), ..to(rd) };
            set_flags(draft, Operation::Mov, source::SHIFTED_BY_REGISTER, op);
            draft.count(0, cost);
            Ops
        }
        Format::Multiply => {
            let flags = psr::N | psr::Z;
            let flags = Flags { reads: 0, sets: flags, replaces: flags };
            let op = Op { b: rb as u8, c: rd as u8, ..to(rd) };
            draft.add_setting(What::Multiply { adds: false, flags: true }, op, flags);
            draft.count(0, cost);
            Ops
        }
        Format::Literal => {
            let address = (draft.r15() & !3).wrapping_add(4 * (opcode & 0xFF));
            let op = Op { imm: address, ..to(low(opcode, 8)) };
            draft.load(Load::Word, addressing::CONSTANT, op, cost);
            Ops
        }
        Format::OffsetRegister => {
            let op = Op { b: rb as u8, c: low(opcode, 6) as u8, ..to(rd) };
            transfer(draft, form.operation, addressing::REGISTER, op, cost)
        }
        Format::OffsetWord => at(draft, form.operation, (rd, rb, 4 * imm5), cost),
        Format::OffsetByte => at(draft, form.operation, (rd, rb, imm5), cost),
        Format::OffsetHalf => at(draft, form.operation, (rd, rb, 2 * imm5), cost),
        Format::OffsetStack => {
            let rd = low(opcode, 8);
            at(draft, form.operation, (rd, SP, 4 * (opcode & 0xFF)), cost)
        }
        Format::Stack => {
            let loads = form.operation == Operation::Ldm;
            let list = list(form, opcode);
            draft.transfer(loads, SP, list, (loads, !loads, true), cost);
            if loads && list & 1 << PC != 0 {
                draft.count_refill();
                draft.add_leaving(Op::new(What::Jump));
                return Last;
            }
            Ops
        }
        Format::Block => {
            let loads = form.operation == Operation::Ldm;
            draft.transfer(loads, low(opcode, 8), list(form, opcode), (true, false, true), cost);
            Ops
        }
        _ => process(draft, form, opcode),
    }
}

/// An operation into a register.
fn to(rd: usize) -> Op {
    Op { a: rd as u8, ..Op::new(What::Settle) }
}

/// Data processing that sets the flags.
fn set_flags(draft: &mut Draft, operation: Operation, source: u8, op: Op) {
    draft.process(Processing { operation, source, sets_flags: true, rotated: false }, op);
}

/// The same without flags.
fn keep_flags(draft: &mut Draft, operation: Operation, source: u8, op: Op) {
    draft.process(Processing { operation, source, sets_flags: false, rotated: false }, op);
}

/// An operation with a constant, whose carry is C.
fn constant(rd: usize, first: usize, imm: u32) -> Op {
    Op { b: first as u8, imm, aux: psr::C, ..to(rd) }
}

fn process(draft: &mut Draft, form: Form, opcode: u32) -> Became {
    let (rd, rb, imm8) = (low(opcode, 0), low(opcode, 3), opcode & 0xFF);
    let operation = form.operation;
    match form.format {
        Format::ShiftImmediate => {
            let amount = (opcode >> 6 & 31) as u8;
            let mut op = Op { c: rb as u8, d: amount, ..to(rd) };
            let source = match (operation, amount) {
                (Operation::Lsl, 0) => source::REGISTER,
                (_, 0) => {
                    op.imm = shifted(operation).into();
                    source::SHIFTED_BY_ZERO
                }
                _ => source::SHIFTED + shifted(operation),
            };
            set_flags(draft, Operation::Mov, source, op);
        }
        Format::ThreeRegisters => {
            let op = Op { b: rb as u8, c: low(opcode, 6) as u8, ..to(rd) };
            set_flags(draft, operation, source::REGISTER, op);
        }
        Format::Immediate3 => {
            let op = constant(rd, rb, low(opcode, 6) as u32);
            set_flags(draft, operation, source::CONSTANT, op);
        }
        Format::Immediate8 => {
            let rd = low(opcode, 8);
            set_flags(draft, operation, source::CONSTANT, constant(rd, rd, imm8));
        }
        Format::LowRegisters if operation == Operation::Rsb => {
            set_flags(draft, operation, source::CONSTANT, constant(rd, rb, 0));
        }
        Format::LowRegisters => {
            let op = Op { b: rd as u8, c: rb as u8, ..to(rd) };
            set_flags(draft, operation, source::REGISTER, op);
        }
        Format::AddressAfter => {
            let value = (draft.r15() & !3).wrapping_add(4 * imm8);
            draft.set(low(opcode, 8), value);
        }
        Format::AddressStack => {
            let op = constant(low(opcode, 8), SP, 4 * imm8);
            keep_flags(draft, Operation::Add, source::CONSTANT, op);
        }
        Format::AdjustStack => {
            let op = constant(SP, SP, 4 * (opcode & 0x7F));
            keep_flags(draft, operation, source::CONSTANT, op);
        }
        _ => return Nothing,
    }
    Ops
}

/// ADD, CMP, MOV of any two registers.
fn high_registers(draft: &mut Draft, form: Form, opcode: u32) -> Became {
    let (rd, rs) = (high_rd(opcode), high_rs(opcode));
    if rd == PC || rs == PC {
        draft.set(PC, draft.r15());
    }
    let op = Op { b: rd as u8, c: rs as u8, ..to(rd) };
    if form.operation.compares() {
        set_flags(draft, form.operation, source::REGISTER, op);
        return Ops;
    }
    keep_flags(draft, form.operation, source::REGISTER, op);
    if rd == PC {
        draft.count_refill();
        draft.add_leaving(Op::new(What::Jump));
        return Last;
    }
    Ops
}

fn at(
    draft: &mut Draft,
    operation: Operation,
    (rd, base, offset): (usize, usize, u32),
    cost: Cost,
) -> Became {
    let op = Op { b: base as u8, imm: offset, ..to(rd) };
    transfer(draft, operation, addressing::OFFSET, op, cost)
}

fn transfer(draft: &mut Draft, operation: Operation, way: u8, op: Op, cost: Cost) -> Became {
    let kind = match operation {
        Operation::Ldr | Operation::Str => Load::Word,
        Operation::Ldrh | Operation::Strh => Load::Half,
        Operation::Ldrsb => Load::SignedByte,
        Operation::Ldrsh => Load::SignedHalf,
        _ => Load::Byte,
    };
    match operation {
        Operation::Str | Operation::Strh | Operation::Strb => draft.store(kind.width(), way, op),
        _ => draft.load(kind, way, op, cost),
    }
    Ops
}
