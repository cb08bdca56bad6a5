//! ARM state.

use super::super::super::decoder::arm::{self, rd, rm, rn, rs, Form, Format};
use super::super::super::decoder::arm::{BEFORE, SET_FLAGS, UP, WRITE_BACK};
use super::super::super::decoder::{Condition, Cost, Instruction, Operation, Reach};
use super::super::super::psr;
use super::super::super::transfer::Load;
use super::super::super::PC;
use super::super::chains::alu::source;
use super::super::chains::memory::addressing;
use super::super::chains::op::{Op, What};
use super::draft::{Draft, Flags, Processing};
use super::Became::{self, Last, Nothing, Ops};

/// Adds an instruction whose fetch has been added.
pub(super) fn add(draft: &mut Draft, opcode: u32) -> Became {
    let instruction = arm::decode(opcode);
    let Instruction { form, condition, reach, cost, .. } = instruction;
    if reach >= Reach::Mode {
        return Nothing;
    }
    if condition == Condition::of(15) {
        return Ops;
    }
    if form.format == Format::Branch && form.operation == Operation::B {
        return branch(draft, opcode, condition);
    }
    if condition.holds_always() {
        return body(draft, form, opcode, cost);
    }
    // An operation that passes cycles to the bus must not be left out.
    if is_literal(form, opcode) {
        draft.settle();
    }
    let guard = draft.guard(condition);
    match body(draft, form, opcode, cost) {
        Nothing => Nothing,
        _ => {
            draft.end_guard(guard);
            Ops
        }
    }
}

/// LDR from a constant distance.
fn is_literal(form: Form, opcode: u32) -> bool {
    form.format == Format::OffsetImmediate && rn(opcode) == PC
}

fn body(draft: &mut Draft, form: Form, opcode: u32, cost: Cost) -> Became {
    match form.format {
        Format::Immediate | Format::Register | Format::ShiftedByConstant => {
            process(draft, form, opcode)
        }
        Format::ShiftedByRegister => process_by_register(draft, form, opcode, cost),
        Format::Multiply | Format::MultiplyLong => multiply(draft, form, opcode, cost),
        Format::OffsetImmediate | Format::OffsetShifted => word_or_byte(draft, form, opcode, cost),
        Format::HalfOffsetImmediate | Format::HalfOffsetRegister => {
            halfword(draft, form, opcode, cost)
        }
        Format::Block => block(draft, form, opcode, cost),
        Format::Branch => {
            draft.set(14, draft.pc().wrapping_add(4));
            branch(draft, opcode, Condition::of(14))
        }
        Format::Exchange => {
            if rm(opcode) == PC {
                draft.set(PC, draft.r15());
            }
            draft.count_refill();
            draft.add_leaving(Op { c: rm(opcode) as u8, ..Op::new(What::Exchange) });
            Last
        }
        _ => Nothing,
    }
}

fn branch(draft: &mut Draft, opcode: u32, condition: Condition) -> Became {
    let imm = draft.r15().wrapping_add(((opcode << 8) as i32 >> 6) as u32);
    let always = condition.holds_always();
    draft.count_refill();
    draft.add_leaving(Op { condition, imm, ..Op::new(What::Branch { always }) });
    if always {
        Last
    } else {
        Ops
    }
}

/// To the address that an operation has put into r15.
fn jump(draft: &mut Draft) -> Became {
    draft.count_refill();
    draft.add_leaving(Op::new(What::Jump));
    Last
}

fn process(draft: &mut Draft, form: Form, opcode: u32) -> Became {
    let mut op = Op::new(What::Settle);
    (op.a, op.b, op.c) = (rd(opcode) as u8, rn(opcode) as u8, rm(opcode) as u8);
    let mut rotated = false;
    let source = match form.format {
        Format::Immediate => {
            op.imm = (opcode & 0xFF).rotate_right(opcode >> 7 & 30);
            rotated = opcode & 0xF00 != 0;
            (op.aux, op.d) = if rotated { (0, (op.imm >> 31) as u8) } else { (psr::C, 0) };
            source::CONSTANT
        }
        Format::Register => source::REGISTER,
        _ if opcode >> 7 & 31 == 0 => {
            op.imm = opcode >> 5 & 3;
            source::SHIFTED_BY_ZERO
        }
        _ => {
            op.d = (opcode >> 7 & 31) as u8;
            source::SHIFTED + (opcode >> 5 & 3) as u8
        }
    };
    let reads_pc = rn(opcode) == PC || (source != source::CONSTANT && rm(opcode) == PC);
    if reads_pc {
        draft.set(PC, draft.r15());
    }
    let sets_flags = opcode & SET_FLAGS != 0;
    draft.process(Processing { operation: form.operation, source, sets_flags, rotated }, op);
    if rd(opcode) == PC && !form.operation.compares() {
        return jump(draft);
    }
    Ops
}

fn process_by_register(draft: &mut Draft, form: Form, opcode: u32, cost: Cost) -> Became {
    let registers = [rd(opcode), rn(opcode), rm(opcode), rs(opcode)];
    if registers.contains(&PC) {
        return Nothing;
    }
    let [a, b, c, d] = registers.map(|register| register as u8);
    let op = Op { a, b, c, d, imm: opcode >> 5 & 3, ..Op::new(What::Settle) };
    let sets_flags = opcode & SET_FLAGS != 0;
    let source = source::SHIFTED_BY_REGISTER;
    draft.process(Processing { operation: form.operation, source, sets_flags, rotated: false }, op);
    draft.count(0, cost);
    Ops
}

fn multiply(draft: &mut Draft, form: Form, opcode: u32, cost: Cost) -> Became {
    let registers = [rd(opcode), rn(opcode), rm(opcode), rs(opcode)];
    if registers.contains(&PC) {
        return Nothing;
    }
    let [rd, rn, b, c] = registers.map(|register| register as u8);
    let long = form.format == Format::MultiplyLong;
    let (a, d) = if long { (rd, rn) } else { (rn, rd) };
    let what = match form.operation {
        Operation::Mul | Operation::Mla => {
            What::Multiply { adds: form.operation == Operation::Mla, flags: true }
        }
        operation => What::MultiplyLong { operation, flags: true },
    };
    let flags = if opcode & SET_FLAGS != 0 { psr::N | psr::Z } else { 0 };
    let flags = Flags { reads: 0, sets: flags, replaces: flags };
    draft.add_setting(what, Op { a, b, c, d, ..Op::new(What::Settle) }, flags);
    draft.count(0, cost);
    Ops
}

/// A constant offset, with its sign.
fn signed(opcode: u32, offset: u32) -> u32 {
    if opcode & UP != 0 {
        offset
    } else {
        offset.wrapping_neg()
    }
}

/// Whether the base moves.
fn moves(opcode: u32) -> bool {
    opcode & BEFORE == 0 || opcode & WRITE_BACK != 0
}

/// How a constant offset is applied.
fn way(opcode: u32) -> u8 {
    match (opcode & BEFORE != 0, moves(opcode)) {
        (false, _) => addressing::BEHIND,
        (true, true) => addressing::MOVED,
        (true, false) => addressing::OFFSET,
    }
}

fn word_or_byte(draft: &mut Draft, form: Form, opcode: u32, cost: Cost) -> Became {
    let kind = match form.operation {
        Operation::Ldr | Operation::Str => Load::Word,
        _ => Load::Byte,
    };
    let loads = matches!(form.operation, Operation::Ldr | Operation::Ldrb);
    if form.format == Format::OffsetImmediate {
        return at_offset(draft, (loads, kind), opcode, (opcode & 0xFFF, cost));
    }
    let simple = opcode & UP != 0 && opcode >> 5 & 3 == 0 && !moves(opcode);
    at_register(draft, (loads, kind), opcode, (simple, cost))
}

fn halfword(draft: &mut Draft, form: Form, opcode: u32, cost: Cost) -> Became {
    let kind = match form.operation {
        Operation::Ldrsb => Load::SignedByte,
        Operation::Ldrsh => Load::SignedHalf,
        _ => Load::Half,
    };
    let loads = form.operation != Operation::Strh;
    if form.format == Format::HalfOffsetImmediate {
        let offset = opcode >> 4 & 0xF0 | opcode & 15;
        return at_offset(draft, (loads, kind), opcode, (offset, cost));
    }
    let simple = opcode & UP != 0 && !moves(opcode);
    at_register(draft, (loads, kind), opcode & !0xFF0, (simple, cost))
}

fn at_offset(
    draft: &mut Draft,
    (loads, kind): (bool, Load),
    opcode: u32,
    (offset, cost): (u32, Cost),
) -> Became {
    let (base, offset) = (rn(opcode), signed(opcode, offset));
    if base == PC {
        if moves(opcode) {
            return Nothing;
        }
        let address = draft.r15().wrapping_add(offset);
        let op = Op { imm: address, ..Op::new(What::Settle) };
        return access(draft, (loads, kind), opcode, (addressing::CONSTANT, op, cost));
    }
    let op = Op { b: base as u8, imm: offset, ..Op::new(What::Settle) };
    access(draft, (loads, kind), opcode, (way(opcode), op, cost))
}

fn at_register(
    draft: &mut Draft,
    (loads, kind): (bool, Load),
    opcode: u32,
    (simple, cost): (bool, Cost),
) -> Became {
    let (base, index) = (rn(opcode), rm(opcode));
    if base == PC || index == PC {
        return Nothing;
    }
    let mut op = Op { b: base as u8, c: index as u8, ..Op::new(What::Settle) };
    op.d = (opcode >> 7 & 31) as u8;
    if simple {
        return access(draft, (loads, kind), opcode, (addressing::REGISTER, op, cost));
    }
    let bit = |is, bit| if is { bit } else { 0 };
    op.imm = opcode >> 5 & 3
        | bit(opcode & UP != 0, addressing::UP)
        | bit(opcode & BEFORE != 0, addressing::BEFORE)
        | bit(moves(opcode), addressing::MOVES);
    access(draft, (loads, kind), opcode, (addressing::GENERAL, op, cost))
}

fn access(
    draft: &mut Draft,
    (loads, kind): (bool, Load),
    opcode: u32,
    (way, op, cost): (u8, Op, Cost),
) -> Became {
    let op = Op { a: rd(opcode) as u8, ..op };
    if !loads {
        if rd(opcode) == PC {
            return Nothing;
        }
        draft.store(kind.width(), way, op);
        return Ops;
    }
    if rd(opcode) == PC && !matches!(kind, Load::Word) {
        return Nothing;
    }
    draft.load(kind, way, op, cost);
    if rd(opcode) == PC {
        return jump(draft);
    }
    Ops
}

fn block(draft: &mut Draft, form: Form, opcode: u32, cost: Cost) -> Became {
    let (base, list) = (rn(opcode), opcode & 0xFFFF);
    let loads = form.operation == Operation::Ldm;
    if base == PC {
        return Nothing;
    }
    if !loads && list & 1 << PC != 0 {
        // Stored as the instruction's address + 12.
        draft.set(PC, draft.r15().wrapping_add(4));
    }
    let (up, before) = (opcode & UP != 0, opcode & BEFORE != 0);
    draft.transfer(loads, base, list, (up, before, opcode & WRITE_BACK != 0), cost);
    if loads && list & 1 << PC != 0 {
        return jump(draft);
    }
    Ops
}
