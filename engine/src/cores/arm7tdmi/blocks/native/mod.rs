//! Code of the host for hot blocks: areas of blocks become functions that run at once.
//!
//! A function has guest registers, flags and the cycle in registers of the host. It computes what the operations of
//! its blocks say, and spends the same cycles. It leaves where an operation would leave the chain: before an
//! instruction that the plain core executes. It also leaves at a boundary where the time until the next event may not
//! last, or whose block it does not have.

mod area;
mod called;
mod emit;
mod fetching;

use super::chains::flow;
use super::chains::registers::{kind, Registers};
use super::chains::Costs;
use crate::bus::Bus;
use crate::system::System;
use crate::time::Cycle;
use crate::translated::{self, Function, Library, Made};
use area::Start;
use fetching::{Fetched, Fetching};

/// How the program must come to an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comes {
    fetched: Fetched,
    /// The first fetch is not in sequence.
    nonsequential: bool,
}

/// An entry of a function.
pub(super) type Entry = translated::Entry<Comes>;
/// All translations.
pub(super) type Natives = Library<Translation>;

/// The state that a function takes over and gives back. Functions know its order.
#[repr(C)]
pub(super) struct Frame {
    r: [u32; 16],
    /// The sign of this is N …
    n: u32,
    /// … and this is 0 if Z is set.
    z: u32,
    /// 1: C is set.
    c: u32,
    /// The sign of this is V.
    v: u32,
    now: Cycle,
    /// Blocks that are entered end before this cycle.
    end: Cycle,
    retired: u64,
    ram: *mut u8,
    granules: *const u8,
    system: *mut System,
    /// Where the program goes on, if that is not known ahead (bit 0: in Thumb state).
    target: u32,
    /// The line of the last data from the flash that the code is in …
    data: u32,
    /// … and when its read under way completes.
    ready: Cycle,
    /// The bytes of the memory that the code is in.
    code: *const u8,
}

/// How a function was left.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exit {
    /// At a boundary before the instruction at `key`, which is fetched by a fetch of this kind.
    Boundary { key: u32, kind: u8 },
    /// At a boundary, behind a branch to where the frame says.
    Branched,
    /// In the instruction at a place of the block `key`: the plain core executes it, `since` cycles behind.
    Unfinished { key: u32, index: u8, since: u32 },
    /// By the branch there, whose refill the plain core makes.
    Far { key: u32, index: u8 },
}

/// An exit, and the fetches behind it.
struct Left {
    exit: Exit,
    fetched: Fetched,
}

/// A function and what was true when it was translated.
pub(super) struct Translation {
    function: Function<Frame>,
    exits: Vec<Left>,
    fetching: Fetching,
    ram: (u32, usize),
}

impl Natives {
    /// Translates the block at an address and those that it leads to, for data in this RAM, whose bytes are back at their
    /// memory. The address comes with whether its first fetch is nonsequential. `executions` says how often a block has executed.
    pub fn translate(
        &mut self,
        bus: &mut System,
        first: (u32, bool),
        (costs, ram): (Costs, (u32, usize)),
        executions: &dyn Fn(u32) -> u64,
    ) -> Made<Entry> {
        if ram.1 < 4 {
            return Made::Nothing;
        }
        let Some(area) = area::find(bus, first, costs, executions) else { return Made::Nothing };
        let fetching = area.fetching;
        self.make(
            |context, isa| emit::function(context, isa, &area, (costs, ram)),
            |function, exits| Translation { function, exits, fetching, ram },
            area.places.iter().map(|place| {
                let Start { key, fetched, nonsequential } = place.start;
                (key, Comes { fetched, nonsequential }, place.bound)
            }),
        )
    }

    /// Whether an entry was translated for what holds now.
    #[inline(always)]
    pub fn holds(&self, entry: &Entry, bus: &System, registers: &Registers) -> bool {
        let translation = self.get(entry);
        let Fetching { view, flash, differ, .. } = translation.fetching;
        let ram = &registers.ram;
        if differ && entry.comes.nonsequential != (registers.kind == kind::NON_SEQUENTIAL) {
            return false;
        }
        if view != bus.code_view() || translation.ram != (ram.base, ram.bytes.len()) {
            return false;
        }
        match (&registers.flash, &entry.comes.fetched.held) {
            (Some(now), Some(held)) => Some(now.known()) == flash && now.holds(held),
            (None, None) => true,
            _ => false,
        }
    }

    /// Runs from an entry that holds and whose slowest way ends before `end`.
    #[inline]
    pub fn run(
        &self,
        entry: Entry,
        registers: &mut Registers,
        bus: &mut System,
        (end, retired): (Cycle, &mut u64),
    ) -> Exit {
        let translation = self.get(&entry);
        let flags = registers.flags;
        let (ready, data) = registers.flash.as_ref().map_or((0, 0), |flash| flash.ready());
        let mut frame = Frame {
            r: [0; 16],
            n: flags,
            z: !flags & 1 << 30,
            c: flags >> 29 & 1,
            v: flags << 3,
            now: bus.now(),
            end,
            retired: *retired,
            ram: registers.ram.bytes.as_mut_ptr(),
            granules: registers.ram.granules.as_ptr(),
            code: bus.code_bytes().as_ptr(),
            system: bus,
            target: 0,
            ready,
            data,
        };
        frame.r.copy_from_slice(&registers.r[..16]);
        let exit = (translation.function)(&mut frame, entry.place);
        registers.r[..16].copy_from_slice(&frame.r);
        let zero = u32::from(frame.z == 0) << 30;
        registers.flags = frame.n & 1 << 31 | zero | (frame.c & 1) << 29 | frame.v >> 31 << 28;
        bus.set_now(frame.now);
        *retired = frame.retired;
        let Left { exit, fetched } = &translation.exits[exit as usize];
        if let (Some(flash), Some(held)) = (&mut registers.flash, &fetched.held) {
            flash.set_held(held, (frame.ready, frame.data));
        }
        let (key, kind) = match *exit {
            Exit::Boundary { key, kind } => (key, kind),
            _ => (frame.target, kind::SEQUENTIAL),
        };
        (registers.target, registers.thumb, registers.kind) = (key & !1, key & 1 != 0, kind);
        if matches!(exit, Exit::Far { .. }) && flow::fetch_both(registers, bus) {
            return Exit::Branched;
        }
        *exit
    }
}
