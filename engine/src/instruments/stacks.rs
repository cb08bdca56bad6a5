//! Call stacks: instructions and cycles by the chain of functions that led to them.
//!
//! Each chain begins with its origin: an interrupt, a fault, or a program whose beginning was not seen. A trap
//! goes on with the chain of the program that trapped. Every cycle is charged to one node of the
//! [tree](Node) of chains, so their sum is the time since the instrument was attached.

#[cfg(test)]
mod tests;
mod threads;
mod tree;

use self::threads::Threads;
use self::tree::Tree;
pub use self::tree::{Node, Of, Spent};
use super::callers::Code;
use crate::bus::{Access, Exception, ExceptionKind, Status};
use crate::instrument::{Instrument, Interest, Pause};
use crate::time::Cycle;

/// The instrument.
#[derive(Debug)]
pub struct Stacks {
    threads: Threads,
    tree: Tree,
    since: Cycle,
    /// Up to when cycles are charged.
    charged: Cycle,
    entering: bool,
}

impl Stacks {
    /// Stacks of a program of these functions.
    pub fn new(code: Code) -> Stacks {
        Stacks {
            threads: Threads::new(code),
            tree: Tree::default(),
            since: 0,
            charged: 0,
            entering: false,
        }
    }

    /// The nodes, each behind its parent.
    pub fn nodes(&self) -> &[Node] {
        self.tree.nodes()
    }

    /// The cycles between which it counted.
    pub fn interval(&self) -> (Cycle, Cycle) {
        (self.since, self.charged)
    }

    /// Begins to count anew; the chains under way go on.
    pub fn clear(&mut self) {
        self.since = self.charged;
        self.tree.clear();
    }

    fn spend(&mut self, at: Cycle) -> Cycle {
        at - std::mem::replace(&mut self.charged, at)
    }
}

impl Instrument for Stacks {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn attached(&mut self, at: Cycle) {
        (self.since, self.charged) = (at, at);
    }

    fn reset(&mut self) {
        self.threads.reset();
        self.tree = Tree::default();
        (self.since, self.charged, self.entering) = (0, 0, false);
    }

    fn accessed(&mut self, at: Cycle, _address: u32, _access: Access, _write: bool, _value: u32) {
        let cycles = self.spend(at);
        self.tree.current().cycles += cycles;
    }

    fn paused(&mut self, at: Cycle, _cycles: Cycle, why: Pause) {
        let cycles = self.spend(at);
        let spent = self.tree.current();
        match why {
            Pause::Internal => spent.cycles += cycles,
            Pause::Asleep => spent.asleep += cycles,
        }
    }

    fn follows_stack(&self) -> bool {
        true
    }

    fn stack(&mut self, pointer: u32) {
        self.threads.stack(pointer);
    }

    fn status(&mut self, _at: Cycle, status: Status) {
        self.threads.status(status);
    }

    fn entering(&mut self, _at: Cycle, exception: &Exception, _mode: u8) {
        if exception.kind == ExceptionKind::Fault {
            // The instruction at this boundary does not execute after all.
            self.tree.current().instructions -= 1;
        }
        self.threads.enter(exception, &mut self.tree);
        self.entering = true;
    }

    fn excepted(&mut self, _at: Cycle, exception: &Exception) {
        if !std::mem::take(&mut self.entering) {
            self.threads.enter(exception, &mut self.tree);
        }
    }

    fn left_exception(&mut self, _at: Cycle) {
        self.threads.left_exception();
    }

    fn executed(&mut self, _at: Cycle, address: u32) {
        self.threads.executed(address, &mut self.tree);
        self.tree.current().instructions += 1;
    }

    fn follows_iterations(&self) -> bool {
        true
    }

    fn iteration_began(&mut self) {
        self.tree.follow();
    }

    fn iterations_skipped(&mut self, count: u64, cycles: Cycle) {
        self.tree.repeat(count);
        self.charged += count * cycles;
    }

    fn iteration_ended(&mut self) {
        self.tree.unfollow();
    }
}
