//! Execute: one instruction, and under the end of some a second.

use super::fetch::Wishes;
use super::{Act, Counts, Pipeline, Shape, Way};

/// An instruction in execute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    pub shape: Shape,
    pub skipped: bool,
    /// Decode knew the branch, and took it.
    pub early: bool,
    pub taken: bool,
    pub folded: bool,
    /// It began under another.
    pub second: bool,
    /// If it is a load or store that is skipped: decode did not see that.
    pub hidden: bool,
    /// Cycles since it began.
    pub age: u8,
    pub cycles: u8,
    /// Registers that it has yet to write, in this cycle and in the next.
    pub busy: u16,
    pub busy_next: u16,
    /// Accesses that it waits for, and those that were answered.
    pub left: u8,
    pub answered: u8,
    /// The program counter is loaded.
    pub loaded_pc: bool,
    pub done: bool,
    pub mark: bool,
}

impl Slot {
    fn finish(&mut self) {
        (self.done, self.busy_next) = (true, 0);
    }

    /// While it executes, the queue keeps what decode holds.
    pub fn holds_queue(&self) -> bool {
        let seen = self.skipped && !(self.hidden && self.shape.transfers());
        self.shape.ends_late() && !seen
    }
}

impl Pipeline {
    /// Whether the instruction in decode may enter execute under the one that is there.
    pub(super) fn goes_along(&self) -> bool {
        let Some(main) = &self.main else { return true };
        if main.skipped {
            return false;
        }
        let (before, next) = (&main.shape, &self.next.shape);
        match before.way {
            Way::LongProduct | Way::Accumulate => self.accumulates(),
            Way::Load | Way::Store if self.loads.answers_last() && !before.loads_pc => {
                let idle = next.way == Way::Nop || self.next.skipped;
                let plain = matches!(next.way, Way::Load | Way::Store) && !next.writes_base;
                let begins = plain
                    && !(before.store && (before.writes_base || before.register_offset))
                    && (before.store || !before.stack_data);
                if before.store && before.register_offset && next.way != Way::Nop {
                    false
                } else if before.stack_data || !idle {
                    begins
                } else {
                    true
                }
            }
            _ => false,
        }
    }

    /// An MLA takes its third operand from the product on its way to the register; a second one from the first.
    fn accumulates(&self) -> bool {
        let Some(main) = &self.main else { return false };
        let next = &self.next.shape;
        let last = main.age + 1 == main.cycles;
        if next.way != Way::Accumulate || self.next.skipped || !last {
            return false;
        }
        match main.shape.way {
            Way::LongProduct => main.shape.high == next.high && main.shape.high & next.factors == 0,
            _ => {
                main.second
                    && self.after_product
                    && main.shape.writes == next.high
                    && main.shape.writes & next.factors == 0
            }
        }
    }

    /// The stage works.
    #[inline(always)]
    pub(super) fn execute(&mut self, act: &Act, wishes: &mut Wishes, counts: &mut Counts) {
        if let Some(mut slot) = self.main.take() {
            if !slot.done {
                self.execute_one(&mut slot, act, wishes, counts);
            }
            self.main = Some(slot);
        }
        if let Some(mut slot) = self.second.take() {
            if !slot.done {
                self.execute_one(&mut slot, act, wishes, counts);
            }
            self.second = Some(slot);
        }
    }

    #[inline(always)]
    fn execute_one(
        &mut self,
        slot: &mut Slot,
        act: &Act,
        wishes: &mut Wishes,
        counts: &mut Counts,
    ) {
        if slot.skipped {
            slot.finish();
            counts.folded += u32::from(slot.folded);
            return;
        }
        match slot.shape.way {
            Way::Simple | Way::Nop | Way::It | Way::Multiply => {
                slot.finish();
                counts.folded += u32::from(slot.folded);
            }
            Way::Load | Way::Store | Way::List | Way::Table => self.transfer(slot, act, wishes),
            Way::Accumulate | Way::LongProduct | Way::LongAccumulate | Way::Several => {
                compute(slot, act);
            }
            Way::Early if slot.early => {
                slot.finish();
                wishes.discards |= slot.taken;
            }
            Way::Early | Way::Late | Way::Compare | Way::Sum => {
                slot.finish();
                wishes.discards |= act.target.is_some();
                wishes.lead(act.target, slot.shape.adds_to_pc());
            }
        }
    }

    #[inline(always)]
    fn transfer(&mut self, slot: &mut Slot, act: &Act, wishes: &mut Wishes) {
        if slot.age == 0 && act.accesses == 0 {
            slot.finish();
            return;
        }
        if slot.age == 0 {
            slot.left = act.accesses;
            self.loads.ask(act, &slot.shape, slot.mark);
            if slot.shape.loads_pc {
                wishes.stop(None);
            }
        }
        wishes.discards |= slot.shape.loads_pc;
        if slot.loaded_pc {
            slot.finish();
            wishes.lead(act.target, slot.shape.adds_to_pc());
        }
    }
}

/// A product or a quotient. The low half of a long product is there a cycle before the high half.
#[inline(always)]
fn compute(slot: &mut Slot, act: &Act) {
    if slot.age == 0 {
        slot.cycles = act.cycles;
    }
    if slot.age + 1 >= slot.cycles {
        slot.finish();
    } else if slot.age + 2 >= slot.cycles {
        slot.busy_next &= !slot.shape.low;
    }
}
