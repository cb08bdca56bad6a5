//! The chain of functions under way, and those that wait.
//!
//! A call is known by an instruction at a function's start that comes with the stack pointer of the one before
//! it. A return is known by the stack pointer of the call, in the function that called. So a switch between
//! threads that returns in another thread is known, too: the return is that of a chain that waits. Code that an
//! exception interrupted goes on at the same address, with the same stack pointer. Stacks grow downwards.

use std::ops::Range;

use super::tree::{Of, Tree};
use crate::bus::{Exception, ExceptionKind, Status};
use crate::instruments::callers::Code;

/// Chains that never go on are left behind; of more than these the oldest are forgotten.
const MOST_WAITING: usize = 1024;

/// A function that was called.
#[derive(Clone, Copy, Debug)]
struct Level {
    node: usize,
    of: Of,
    /// The stack pointer at its entry.
    stack: u32,
}

/// A chain, from its origin on.
#[derive(Clone, Debug)]
struct Thread {
    levels: Vec<Level>,
    /// Where it goes on after an exception, and with which stack pointer.
    resumes: Option<(u32, u32)>,
    /// The inputs masked before the exception that it began with.
    masked: u64,
}

impl Thread {
    /// The level that a return to `of` with this stack pointer leads to.
    fn returned(&self, of: Of, stack: u32) -> Option<usize> {
        let calls = self.levels.windows(2);
        calls.rev().position(|two| two[0].of == of && two[1].stack == stack).map(|n| {
            let last = self.levels.len() - 2;
            last - n
        })
    }
}

#[derive(Debug)]
pub(super) struct Threads {
    code: Code,
    /// Where the same function executes.
    here: Range<u64>,
    now: Thread,
    waiting: Vec<Thread>,
    stack: u32,
    /// The stack pointer at the boundary before.
    before: u32,
    status: Status,
    /// The next instruction is where an exception returns to, …
    leaves: bool,
    /// … or the first of a chain.
    begins: bool,
}

impl Threads {
    pub fn new(code: Code) -> Threads {
        let program = Level { node: 0, of: Of::Program, stack: 0 };
        Threads {
            code,
            here: 0..0,
            now: Thread { levels: vec![program], resumes: None, masked: 0 },
            waiting: Vec::new(),
            stack: 0,
            before: 0,
            status: Status::default(),
            leaves: false,
            begins: true,
        }
    }

    pub fn reset(&mut self) {
        *self = Threads::new(std::mem::take(&mut self.code));
    }

    #[inline]
    pub fn stack(&mut self, pointer: u32) {
        (self.before, self.stack) = (self.stack, pointer);
    }

    pub fn status(&mut self, status: Status) {
        self.status = status;
    }

    pub fn left_exception(&mut self) {
        (self.leaves, self.here) = (true, 0..0);
    }

    /// An exception takes the place of the next instruction, or the instruction asked for it.
    pub fn enter(&mut self, exception: &Exception, tree: &mut Tree) {
        let resumes = match exception.kind {
            ExceptionKind::Interrupt(_) => {
                // The interrupted instruction may be the first of a function.
                (self.before, self.stack) = (self.stack, exception.stack);
                self.executed(exception.at, tree);
                exception.at
            }
            ExceptionKind::Call => exception.return_to,
            ExceptionKind::Fault => exception.at,
        };
        if let ExceptionKind::Interrupt(input) = exception.kind {
            // The instruction before may have unmasked it, and no boundary has reported that.
            self.status.masked &= !(1 << input);
        }
        let parent = (exception.kind == ExceptionKind::Call).then(|| self.top().node);
        self.now.resumes = Some((resumes, exception.stack));
        self.begin(parent, Of::exception(exception.kind, exception.vector), tree);
        tree.charge_to(self.top().node);
    }

    /// The instruction at this address executes: sets the node that pays for it.
    #[inline]
    pub fn executed(&mut self, address: u32, tree: &mut Tree) {
        if !self.here.contains(&address.into()) {
            self.cross(address, tree);
        }
    }

    fn top(&self) -> Level {
        self.now.levels[self.now.levels.len() - 1]
    }

    /// A chain begins; the one under way waits.
    fn begin(&mut self, parent: Option<usize>, of: Of, tree: &mut Tree) {
        let origin = Level { node: tree.node(parent, of), of, stack: self.stack };
        let masked = self.status.masked;
        let new = Thread { levels: vec![origin], resumes: None, masked };
        let old = std::mem::replace(&mut self.now, new);
        self.wait(old);
        (self.here, self.begins, self.leaves) = (0..0, true, false);
    }

    fn wait(&mut self, thread: Thread) {
        if self.waiting.len() == MOST_WAITING {
            self.waiting.remove(0);
        }
        self.waiting.push(thread);
    }

    /// Control goes to another function.
    fn cross(&mut self, address: u32, tree: &mut Tree) {
        let (here, function) = self.code.at(address);
        self.here = here;
        let of = function.map_or(Of::NoFunction, |one| Of::Function(one.start));
        let is_call = function.is_some_and(|one| one.start == address) && self.stack == self.before;
        if std::mem::take(&mut self.leaves) {
            self.leave(address, of, tree);
        } else if std::mem::take(&mut self.begins) || is_call {
            self.call(of, tree);
        } else {
            self.go_back(of, tree);
        }
        tree.charge_to(self.top().node);
    }

    fn call(&mut self, of: Of, tree: &mut Tree) {
        let jumps = self.now.levels.iter().rposition(|one| one.stack != self.stack);
        let first = jumps.map_or(0, |n| n + 1);
        // Functions that end by jumps to each other would call each other for ever.
        let again = self.now.levels[first..].iter().position(|one| one.of == of);
        if let Some(again) = again {
            self.now.levels.truncate(first + again + 1);
        } else {
            let node = tree.node(Some(self.top().node), of);
            self.now.levels.push(Level { node, of, stack: self.stack });
        }
    }

    /// To a function that called, in this chain or in one that waits.
    fn go_back(&mut self, of: Of, tree: &mut Tree) {
        if let Some(level) = self.now.returned(of, self.stack) {
            return self.now.levels.truncate(level + 1);
        }
        let found = self
            .waiting
            .iter()
            .rposition(|one| one.resumes.is_none() && one.returned(of, self.stack).is_some());
        if let Some(found) = found {
            let mut next = self.waiting.remove(found);
            let level = next.returned(of, self.stack).unwrap_or(0);
            next.levels.truncate(level + 1);
            let old = std::mem::replace(&mut self.now, next);
            return self.wait(old);
        }
        // A return to another label than that of the call, or a jump into a function.
        let called = self.now.levels.iter().rposition(|one| one.stack == self.stack);
        if let Some(called) = called.filter(|called| *called > 0) {
            self.now.levels.truncate(called);
        } else if self.stack != self.before {
            self.begin(None, Of::Program, tree);
            self.begins = false;
        }
        self.call(of, tree);
    }

    /// An exception is over, or its handler has changed the mode.
    fn leave(&mut self, address: u32, of: Of, tree: &mut Tree) {
        let place = (address, self.stack);
        let at_place = self.waiting.iter().rposition(|one| one.resumes == Some(place));
        // A system call may be made again, so its program goes on before the address.
        let found = at_place.or_else(|| {
            let same = |one: &Thread| one.levels.last().is_some_and(|level| level.of == of);
            let stack = |one: &Thread| one.resumes.is_some_and(|(_, stack)| stack == self.stack);
            self.waiting.iter().rposition(|one| stack(one) && same(one))
        });
        if let Some(found) = found {
            self.now = self.waiting.remove(found);
            self.now.resumes = None;
            if self.top().of != of {
                self.go_back(of, tree);
            }
        } else if self.status.masked & !self.now.masked != 0 {
            self.call(of, tree);
        } else {
            self.begin(None, Of::Program, tree);
            self.begins = false;
            self.waiting.pop();
            self.call(of, tree);
        }
    }
}
