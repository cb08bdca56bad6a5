//! The shape of a decoded instruction.

use super::super::decoder::{
    Class, Index, Instruction, Operand, Operation as O, SetFlags, LR, PC, SP,
};
use super::{Shape, Way};

/// Registers but the program counter.
const GENERAL: u16 = 0x7FFF;

const fn bit(register: u8) -> u16 {
    1 << register & GENERAL
}

impl Shape {
    /// The shape of an instruction outside an IT block.
    pub fn of(one: &Instruction) -> Shape {
        let class = one.class();
        let by_link = is_by_link(one);
        let writes_back = one.index != Index::Offset;
        let narrow = !one.is_wide();
        let single = matches!(class, Class::Load | Class::Store);
        Shape {
            way: way(one, class, by_link),
            halves: one.bytes / 2,
            accesses: accesses(one, class),
            address: address(one, class),
            writes: one.writes & GENERAL,
            factors: if one.operation == O::Mla { bit(one.n) | bit(one.m) } else { 0 },
            high: if is_product(one.operation) { bit(one.a) } else { 0 },
            low: low(one, class, writes_back),
            list: if matches!(one.operation, O::Ldm | O::Ldmdb) { one.immediate as u16 } else { 0 },
            pair: if one.operation == O::Ldrd { [one.d, one.a] } else { [0; 2] },
            register_offset: (single && one.operand != Operand::Constant) || class == Class::Table,
            store: matches!(class, Class::Store | Class::Stores),
            writes_base: writes_back || (one.operation == O::Ldm && narrow),
            loads_pc: matches!(class, Class::Load | Class::Loads | Class::Table) && one.writes_pc(),
            stack_data: single && one.d == SP,
            conditional: one.operation == O::Bcond,
            tests_flags: one.operation == O::Bcond,
            by_link,
            writes_link: one.writes >> LR & 1 != 0 && !one.writes_pc(),
            may_set_flags: one.flags != SetFlags::Never,
            narrow_multiply: one.operation == O::Mul && narrow,
            folds: narrow && !one.writes_pc() && matches!(class, Class::Arithmetic | Class::Nop),
        }
    }

    /// The same instruction in an IT block.
    #[inline(always)]
    pub fn in_block(mut self) -> Shape {
        (self.conditional, self.folds) = (true, false);
        self
    }
}

/// Decode reads the link register for a branch by it.
fn is_by_link(one: &Instruction) -> bool {
    let moves = one.operation == O::Mov && one.d == PC && one.operand == Operand::Register;
    one.m == LR && (moves || matches!(one.operation, O::Bx | O::Blx))
}

fn is_product(operation: O) -> bool {
    matches!(operation, O::Mla | O::Umull | O::Smull | O::Umlal | O::Smlal)
}

fn way(one: &Instruction, class: Class, by_link: bool) -> Way {
    match class {
        _ if by_link => Way::Early,
        Class::Arithmetic if one.writes_pc() && one.operation == O::Add => Way::Sum,
        Class::Arithmetic if one.writes_pc() => Way::Late,
        Class::Multiply => Way::Multiply,
        Class::MultiplyAccumulate if one.operation == O::Mla => Way::Accumulate,
        Class::MultiplyAccumulate | Class::Divide => Way::Several,
        Class::LongMultiply if matches!(one.operation, O::Umull | O::Smull) => Way::LongProduct,
        Class::LongMultiply => Way::LongAccumulate,
        Class::Load => Way::Load,
        Class::Store => Way::Store,
        Class::Loads | Class::Stores => Way::List,
        Class::Table => Way::Table,
        Class::Branch => Way::Early,
        Class::RegisterBranch => Way::Late,
        Class::CompareBranch => Way::Compare,
        Class::It => Way::It,
        Class::Nop => Way::Nop,
        Class::System if one.operation == O::Isb => Way::Late,
        Class::Arithmetic | Class::System | Class::Trap => Way::Simple,
    }
}

fn accesses(one: &Instruction, class: Class) -> u8 {
    match class {
        Class::Loads | Class::Stores if matches!(one.operation, O::Ldrd | O::Strd) => 2,
        Class::Loads | Class::Stores => one.immediate.count_ones() as u8,
        _ => 0,
    }
}

fn address(one: &Instruction, class: Class) -> u16 {
    let offset = if one.operand == Operand::Constant { 0 } else { bit(one.m) };
    match class {
        Class::Load | Class::Store => bit(one.n) | offset,
        Class::Loads | Class::Stores => bit(one.n),
        Class::Table => bit(one.n) | bit(one.m),
        _ => 0,
    }
}

fn low(one: &Instruction, class: Class, writes_back: bool) -> u16 {
    match class {
        Class::LongMultiply => bit(one.d),
        Class::Load | Class::Store | Class::Loads | Class::Stores if writes_back => bit(one.n),
        _ => 0,
    }
}
