//! Decode: the instruction behind the one that executes, its address, and the branches that decode knows.

use super::fetch::Wishes;
use super::{Move, Pipeline, Shape, Slot, Way};

/// A branch as decode knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Branch {
    /// There is none, or execute finds it.
    #[default]
    None,
    /// It is taken.
    Sure,
    /// Its target is fetched; the condition is known one cycle later.
    Guess,
}

/// The stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Decoding {
    /// It holds the next instruction.
    present: bool,
    /// That instruction can execute.
    pub ready: bool,
    /// The IT behind it is executed with it.
    folded: bool,
    /// Decode began under an instruction that ends late.
    held: bool,
    branch: Branch,
    /// The condition of the guess is known.
    resolved: bool,
    /// A register of the address was not there in time.
    waited: bool,
    /// The instruction before writes the link register.
    link_busy: bool,
    /// The instruction before is a MUL of 16 bits.
    after_multiply: bool,
}

impl Decoding {
    /// Half-words that leave the queue when the instruction executes; 0 without one.
    pub fn halves(&self, shape: &Shape) -> u8 {
        if self.present {
            shape.halves + u8::from(self.folded)
        } else {
            0
        }
    }

    /// An instruction waits for its address.
    pub fn is_stalled(&self) -> bool {
        self.present && !self.ready
    }

    /// A branch was taken: what is here never executes.
    pub fn discard(&mut self) {
        *self = Decoding { link_busy: self.link_busy, ..Decoding::default() };
    }
}

impl Pipeline {
    /// The instruction enters execute.
    pub(super) fn advance(&mut self) {
        let (next, stage) = (&self.next, &self.decoding);
        if stage.branch == Branch::Guess && !stage.resolved {
            self.fetching.answer = Some(next.taken);
        }
        let along = self.main.is_some() && next.shape.way == Way::Nop;
        let branch = match stage.branch {
            Branch::None => false,
            Branch::Sure => true,
            Branch::Guess => next.taken,
        };
        self.step =
            Some(Move { halves: stage.halves(&next.shape), branch, held: stage.held, along });
        self.mark = !self.mark;
        let dead = next.skipped || next.shape.way == Way::Compare;
        let busy = if dead { 0 } else { next.shape.writes };
        let slot = Slot {
            shape: next.shape,
            skipped: next.skipped,
            early: stage.branch != Branch::None,
            taken: branch,
            folded: stage.folded,
            second: self.main.is_some(),
            hidden: self.newest_hides,
            busy,
            busy_next: busy,
            mark: self.mark,
            ..Slot::default()
        };
        self.newest_hides = next.skipped || next.shape.may_set_flags;
        self.decoding = Decoding {
            link_busy: next.shape.writes_link && !next.skipped,
            after_multiply: next.shape.narrow_multiply,
            ..Decoding::default()
        };
        if self.main.is_none() {
            self.main = Some(slot);
        } else {
            self.second = Some(slot);
        }
        self.moved = true;
    }

    /// The stage works.
    #[inline(always)]
    pub(super) fn decode(&mut self, wishes: &mut Wishes) {
        if wishes.discards {
            self.decoding.discard();
            return;
        }
        let stage = &mut self.decoding;
        if stage.ready && stage.branch == Branch::Guess && !stage.resolved {
            stage.resolved = true;
            self.fetching.answer = Some(self.next.taken);
        }
        if !stage.present && self.fetching.offers(self.next.shape.halves) {
            self.begin_decoding();
        }
        if self.decoding.present {
            self.fold();
            if !self.decoding.ready {
                self.prepare(wishes);
            }
        }
    }

    fn begin_decoding(&mut self) {
        let held = self.main.as_ref().is_some_and(|m| m.shape.ends_late() && !m.skipped);
        let shape = &self.next.shape;
        let early = shape.way == Way::Early && !(shape.by_link && self.decoding.link_busy);
        let branch = match (early, shape.conditional) {
            (false, _) => Branch::None,
            (true, false) => Branch::Sure,
            (true, true) => Branch::Guess,
        };
        let stage = &mut self.decoding;
        (stage.present, stage.held, stage.branch) = (true, held, branch);
    }

    /// An IT behind it is executed with it, as soon as the queue shows it.
    fn fold(&mut self) {
        if self.next.it_follows && self.next.shape.folds && self.fetching.head == 2 {
            self.decoding.folded = true;
        }
    }

    fn prepare(&mut self, wishes: &mut Wishes) {
        let next = &self.next;
        let stage = &mut self.decoding;
        if stage.branch != Branch::None {
            if next.shape.tests_flags && stage.after_multiply && self.main.is_some() {
                return;
            }
            stage.ready = true;
            match stage.branch {
                Branch::Sure => wishes.target = Some(next.target),
                _ => wishes.guess = Some(next.target),
            }
            return;
        }
        // A skipped access needs no address. Where decode does not see that, it waits for a cycle.
        let seen = next.skipped && (!self.newest_hides || stage.waited);
        let needs = next.shape.transfers() && !seen;
        if needs && next.shape.address & self.busy() != 0 {
            self.decoding.waited = true;
        } else {
            self.decoding.ready = true;
        }
    }

    fn busy(&self) -> u16 {
        [&self.main, &self.second].into_iter().flatten().fold(0, |all, slot| all | slot.busy)
    }

    /// A value of a load arrives late in the cycle, in time for the address that waits for it.
    pub(super) fn forward(&mut self) {
        let busy = self.busy();
        let next = &self.next;
        let stage = &mut self.decoding;
        if stage.is_stalled() && next.shape.transfers() && next.shape.address & busy == 0 {
            stage.ready = true;
        }
    }
}
