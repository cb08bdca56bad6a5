//! Loads and stores of both states.

use super::super::super::decoder::{Cost, Operation};
use super::super::super::transfer::Load;
use super::super::chains::memory::addressing;
use super::super::chains::op::{Op, What};
use super::draft::Draft;
use crate::bus::Width;

impl Draft<'_> {
    /// Adds LDR or one of its forms.
    pub(super) fn load(&mut self, kind: Load, way: u8, op: Op, cost: Cost) {
        if way == addressing::CONSTANT && matches!(kind, Load::Word) {
            if let Some(value) = self.constant(op.imm) {
                return self.load_constant(op, value, cost);
            }
        }
        self.add_leaving(op.with(What::Load(kind, way)));
        self.count(1, cost);
    }

    fn load_constant(&mut self, op: Op, value: u32, cost: Cost) {
        let (a, aux) = (op.a.into(), op.imm);
        if let Some(cycles) = self.costs.fetches.data {
            self.set(a, value);
            self.count(0, cost);
            self.count_cycles(cycles);
            return;
        }
        self.add_leaving(Op { imm: value, aux, ..op }.with(What::Literal));
        self.reset_since();
        self.count_slowest();
        self.count(0, cost);
    }

    /// Adds STR or one of its forms.
    pub(super) fn store(&mut self, width: Width, way: u8, op: Op) {
        self.add_leaving(op.with(What::Store(width, way)));
        self.count(1, Cost::plain(Operation::Str));
        self.stored();
    }

    /// Adds LDM or STM.
    pub(super) fn transfer(
        &mut self,
        loads: bool,
        base: usize,
        list: u32,
        (up, before, moves): (bool, bool, bool),
        cost: Cost,
    ) {
        let count = list.count_ones();
        let moved = if up { 4 * count } else { (4 * count).wrapping_neg() };
        let lowest = if up { 0 } else { -(count as i32) };
        let start = lowest + i32::from(before == up);
        self.add_leaving(Op {
            b: base as u8,
            c: count as u8,
            d: start as i8 as u8,
            imm: list,
            aux: if moves { moved } else { 0 },
            ..Op::new(What::Transfer { loads })
        });
        self.count(count, cost);
        if !loads {
            self.stored();
        }
    }
}
