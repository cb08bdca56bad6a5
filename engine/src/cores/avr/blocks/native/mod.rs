//! Code of the host for hot blocks: areas of blocks become functions that run at once.
//!
//! A function has guest registers, flags and the cycle in registers of the host. It accesses the RAM and program memory
//! that the bus lends. It leaves before an instruction that blocks leave to the plain core, and before one that
//! accesses data elsewhere by a pointer. It also leaves at a boundary where the time until the next event may not last,
//! or whose block it does not have.

mod area;
mod emit;

use super::super::data::DATA;
use super::super::flags::flag;
use super::super::Avr;
use super::timeless::Timeless;
use super::Left;
use crate::bus::CodeBus;
use crate::translated::graph::Executions;
use crate::translated::{self, Function, Library, Made};

/// An entry of a function.
pub(super) type Entry = translated::Entry<()>;
/// All translations.
pub(super) type Natives = Library<Translation>;

/// The state that a function takes over and gives back. Functions know its order.
#[repr(C)]
pub(super) struct Frame {
    /// r0 in the core.
    registers: *mut u8,
    ram: *mut u8,
    program: *const u8,
    now: u64,
    /// Blocks that are entered end before this cycle.
    end: u64,
    retired: u64,
    sp: u32,
    /// Where the program goes on.
    pc: u32,
    /// 1: C is set.
    c: u8,
    /// Z is set if this is 0.
    zero: u8,
    /// Bit 7 is N.
    sign: u8,
    /// Bit 7 is V.
    v: u8,
    /// Bit 7 is S.
    s: u8,
    /// Bit 4 is H.
    half: u8,
    /// T and I, as SREG has them.
    held: u8,
    rampz: u8,
    eind: u8,
}

/// A function was left at a boundary, or before an instruction that is left to the plain core.
const BOUNDARY: u32 = 0;
const UNDONE: u32 = 1;

/// The memories that functions are translated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memories {
    /// Data address and bytes of the RAM.
    ram: (u32, u32),
    /// Bytes of the program memory, which begins at 0.
    program: u32,
    pc_mask: u32,
}

impl Memories {
    /// Those that are lent.
    pub fn of(lent: &Timeless, core: &Avr) -> Self {
        let (program, data) = lent.lent();
        let ram = (data.base.wrapping_sub(DATA), data.bytes.len() as u32);
        let program = if program.base == 0 { program.bytes.len() as u32 } else { 0 };
        Memories { ram, program, pc_mask: core.pc_mask }
    }

    /// Whether functions may be made for them: what is not lent, or lies as no part has it, is left to blocks.
    fn are_usual(self) -> bool {
        let (base, size) = self.ram;
        base > 0 && size >= 4 && base.saturating_add(size) <= 1 << 16 && self.program > 0
    }
}

/// A function and what was true when it was translated.
pub(super) struct Translation {
    function: Function<Frame>,
    memories: Memories,
}

impl Natives {
    /// Translates the block at an address and those that it leads to. The memories are back on the bus. `executions` says
    /// how often a block has executed.
    pub fn translate(
        &mut self,
        bus: &mut impl CodeBus,
        first: u32,
        memories: Memories,
        executions: Executions,
    ) -> Made<Entry> {
        if !memories.are_usual() {
            return Made::Nothing;
        }
        let Some(area) = area::find(bus, first, memories.pc_mask, executions) else {
            return Made::Nothing;
        };
        self.make(
            |context, isa| emit::function(context, isa, &area, memories),
            |function, ()| Translation { function, memories },
            area.places.iter().map(|place| (place.pc, (), place.bound)),
        )
    }

    /// Whether an entry was translated for the memories that are lent now.
    #[inline(always)]
    pub fn holds(&self, entry: Entry, bus: &Timeless, core: &Avr) -> bool {
        self.get(&entry).memories == Memories::of(bus, core)
    }

    /// Runs from an entry that holds and whose slowest way ends before `end`.
    #[inline]
    pub fn run(&self, entry: Entry, core: &mut Avr, bus: &mut Timeless, end: u32) -> Left {
        let translation = self.get(&entry);
        let (sreg, now) = (core.flags.byte(), bus.cycles);
        let (program, ram) = bus.places();
        let mut frame = Frame {
            registers: core.r.place(),
            ram,
            program,
            now: now.into(),
            end: end.into(),
            retired: core.retired,
            sp: core.sp.into(),
            pc: core.pc,
            c: sreg & flag::C,
            zero: !sreg & flag::Z,
            sign: sreg << 5,
            v: sreg << 4,
            s: sreg << 3,
            half: sreg >> 1,
            held: sreg & (flag::T | flag::I),
            rampz: core.rampz,
            eind: core.eind,
        };
        let how = (translation.function)(&mut frame, entry.place);
        core.flags.set_byte(sreg_of(&frame));
        core.shadow &= frame.retired == core.retired;
        (core.retired, core.sp, core.pc) = (frame.retired, frame.sp as u16, frame.pc);
        (core.rampz, core.eind) = (frame.rampz, frame.eind);
        bus.cycles = frame.now as u32;
        if how == UNDONE {
            Left::Undone
        } else {
            Left::Ended
        }
    }
}

/// SREG, of its parts.
fn sreg_of(frame: &Frame) -> u8 {
    let zero = u8::from(frame.zero == 0) << 1;
    let signs = frame.sign >> 7 << 2 | frame.v >> 7 << 3 | frame.s >> 7 << 4;
    frame.c & 1 | zero | signs | (frame.half & 0x10) << 1 | frame.held
}
