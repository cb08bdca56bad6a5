//! The function that executes, and for library functions the function that called them.
//!
//! A **library** function is charged to the function whose code ran before it was entered: its caller, also
//! when that jumped there in its last instruction. Library functions that it calls belong to the same call.
//! The call is over when other code runs with the stack as it was at the entry. Else it is suspended: by an
//! interrupt or a trap, which ends at the address that did not execute; or by a function that the library
//! calls. It goes on when that address executes, or library code that is no entry, with the stack pointer of
//! that moment. So calls of several threads, which have stacks of their own, do not mix, however the program
//! switches between them. Stacks grow downwards.

use std::ops::Range;

use crate::bus::{Exception, ExceptionKind};

/// A function of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its first address, and the first behind it.
    pub start: u32,
    /// The first address behind it.
    pub end: u32,
    /// It is charged to its caller.
    pub library: bool,
}

/// The functions of all images of a program. Code between them belongs to none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    functions: Vec<Function>,
}

impl Code {
    /// Functions in any order. Where two overlap, the one that begins later counts.
    pub fn new(mut functions: Vec<Function>) -> Code {
        functions.sort_by_key(|one| one.start);
        functions.dedup_by_key(|one| one.start);
        for i in 1..functions.len() {
            functions[i - 1].end = functions[i - 1].end.min(functions[i].start);
        }
        functions.retain(|one| one.start < one.end);
        Code { functions }
    }

    /// The function that holds an address, and the addresses around it of which the same is true.
    pub(super) fn at(&self, address: u32) -> (Range<u64>, Option<Function>) {
        let next = self.functions.partition_point(|one| one.start <= address);
        let begin = |n: usize| self.functions.get(n).map_or(1 << 32, |one| u64::from(one.start));
        let Some(before) = next.checked_sub(1).map(|n| self.functions[n]) else {
            return (0..begin(0), None);
        };
        if address < before.end {
            return (before.start.into()..before.end.into(), Some(before));
        }
        (before.end.into()..begin(next), None)
    }
}

/// The payer of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Charged {
    /// Its own function, if it is in one.
    Itself,
    /// The function that begins here: it called a library.
    Caller(u32),
    /// A function that is not known: the call of the library was not seen.
    Unknown,
}

/// A call of library functions under way.
#[derive(Clone, Copy, Debug)]
struct Call {
    by: Charged,
    /// The stack pointer at its entry.
    stack: u32,
}

#[derive(Clone, Copy, Debug)]
struct Suspended {
    call: Call,
    /// The address at which it goes on, if that is known.
    resumes: Option<u32>,
    /// The stack pointer with which it goes on.
    stack: u32,
}

/// Threads that never go on leave their calls behind; of more than these the oldest are forgotten.
const MOST_SUSPENDED: usize = 1024;

/// Follows the program through its functions.
#[derive(Debug)]
pub struct Callers {
    code: Code,
    libraries: bool,
    /// Where the same function executes.
    here: Range<u64>,
    function: Option<Function>,
    call: Option<Call>,
    suspended: Vec<Suspended>,
    stack: u32,
}

impl Callers {
    /// A run in this code.
    pub fn new(code: Code) -> Callers {
        let libraries = code.functions.iter().any(|one| one.library);
        Callers {
            code,
            libraries,
            here: 0..0,
            function: None,
            call: None,
            suspended: Vec::new(),
            stack: 0,
        }
    }

    /// Whether it needs the stack pointer.
    pub fn follows_stack(&self) -> bool {
        self.libraries
    }

    /// The stack pointer of the next boundary.
    pub fn stack(&mut self, pointer: u32) {
        self.stack = pointer;
    }

    /// The program begins anew.
    pub fn reset(&mut self) {
        (self.here, self.function, self.call) = (0..0, None, None);
        self.suspended.clear();
    }

    /// The function that executes.
    pub fn function(&self) -> Option<Function> {
        self.function
    }

    /// The payer of the code that executes.
    pub fn charged(&self) -> Charged {
        self.call.map_or(Charged::Itself, |call| call.by)
    }

    /// An instruction executes. Returns whether it may be charged otherwise than the one before.
    #[inline]
    pub fn executed(&mut self, address: u32) -> bool {
        if self.here.contains(&address.into()) {
            return false;
        }
        self.cross(address);
        true
    }

    /// An exception takes the place of the next instruction.
    pub fn entering(&mut self, exception: &Exception) {
        self.stack = exception.stack;
        self.executed(exception.at);
        self.leave(Some(exception.at));
        self.cross(exception.vector);
    }

    /// An exception was entered.
    pub fn excepted(&mut self, exception: &Exception) {
        self.stack = exception.stack;
        match exception.kind {
            ExceptionKind::Interrupt(_) => {}
            ExceptionKind::Call => self.leave(Some(exception.return_to)),
            ExceptionKind::Fault => self.leave(None),
        }
    }

    /// The next instruction is where an exception returns to.
    pub fn left_exception(&mut self) {
        self.leave(None);
    }

    /// From an exception, or from its return, the next instruction is called by nobody.
    fn leave(&mut self, resumes: Option<u32>) {
        if let Some(call) = self.call.take() {
            self.suspend(call, resumes);
        }
        (self.here, self.function) = (0..0, None);
    }

    fn suspend(&mut self, call: Call, resumes: Option<u32>) {
        if self.suspended.len() == MOST_SUSPENDED {
            self.suspended.remove(0);
        }
        self.suspended.push(Suspended { call, resumes, stack: self.stack });
    }

    /// Control goes from one function to another.
    fn cross(&mut self, address: u32) {
        let (here, to) = self.code.at(address);
        let from = std::mem::replace(&mut self.function, to);
        self.here = here;
        if !self.libraries {
            return;
        }
        let Some(library) = to.filter(|to| to.library) else {
            if let Some(call) = self.call.take().filter(|call| self.stack < call.stack) {
                self.suspend(call, None);
            }
            return;
        };
        let is_entry = address == library.start;
        let goes_on = |one: &Suspended| {
            one.stack == self.stack
                && match one.resumes {
                    Some(at) => at == address && (from.is_none() || !is_entry),
                    None => !is_entry,
                }
        };
        if let Some(place) = self.suspended.iter().rposition(goes_on) {
            self.call = Some(self.suspended.remove(place).call);
        } else if self.call.is_none() {
            let by = from.map_or(Charged::Unknown, |one| Charged::Caller(one.start));
            self.call = Some(Call { by, stack: self.stack });
        }
    }
}

#[cfg(test)]
mod tests;
