//! Decoded blocks: sequences of instructions up to a branch, each with its executing function.
//!
//! Memory answers without a cycle of its own, and registers do not depend on the time. So the cycles of a block are
//! spent at once at its end, while nothing can happen before. An access that reaches a device is left to the plain
//! core, after the cycles up to it are spent. So is an instruction that changes whether interrupts are taken.

mod decode;
mod functions;
mod timeless;

use super::alu::flag;
use super::decoder::{self, operation};
use super::exceptions::Leave;
use super::Avr;
use crate::bus::CodeBus;
use crate::core::{Core, Limit, Stop};
use crate::processor::Accelerator;
use crate::system::System;
use crate::time::Cycle;
use functions::{Finish, Run};

/// Whether an instruction was executed without the plain core.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Yes,
    /// Yes, and interrupts are taken now that were not, or the reverse: the block ends behind it.
    Leave,
    /// No, and nothing has changed.
    No,
}

/// One instruction of a block.
struct Step<B> {
    run: Run<B>,
    opcode: u16,
    /// The word behind the opcode.
    second: u16,
    /// Cycles from the beginning of the block to that of the instruction.
    start: u16,
    /// Words from there to here.
    word: u16,
}

/// The condition of a jump whose targets are known.
#[derive(Clone, Copy)]
enum Choice {
    Always,
    FlagSet,
    FlagClear,
    BitSet,
    BitClear,
    Equal,
}

/// The instruction at the end of a block that changes the flow.
enum Ending<B> {
    None,
    /// Targets and cycles: where the condition fails, and where it holds.
    Chosen {
        choice: Choice,
        opcode: u16,
        targets: [u32; 2],
        cycles: [u32; 2],
    },
    /// `finish` executes what `run` could not.
    Other {
        run: Run<B>,
        finish: Finish<B>,
        opcode: u16,
        second: u16,
        cycles: u32,
    },
}

impl<B> Ending<B> {
    fn longest_cycles(&self) -> u32 {
        match self {
            Ending::None => 0,
            Ending::Chosen { cycles, .. } => cycles[1],
            // A skip by a register of a device takes one more for each word.
            Ending::Other { cycles, .. } => cycles + 2,
        }
    }
}

impl Choice {
    #[inline(always)]
    fn holds(self, core: &Avr, opcode: u16) -> bool {
        let (bit, d) = (decoder::bit(opcode), decoder::d(opcode));
        match self {
            Choice::Always => true,
            Choice::FlagSet => core.sreg & bit != 0,
            Choice::FlagClear => core.sreg & bit == 0,
            Choice::BitSet => core.r[d] & bit != 0,
            Choice::BitClear => core.r[d] & bit == 0,
            Choice::Equal => core.r[d] == core.r[decoder::r(opcode)],
        }
    }
}

/// A block: where it begins, its steps, and their words and cycles.
struct Block<B> {
    pc: u32,
    first: u32,
    count: u32,
    words: u32,
    cycles: u32,
    /// With the ending.
    longest_cycles: u32,
    ending: Ending<B>,
}

impl<B> Block<B> {
    /// The block that no address has.
    const NONE: Self = Block {
        pc: u32::MAX,
        first: 0,
        count: 0,
        words: 0,
        cycles: 0,
        longest_cycles: 0,
        ending: Ending::None,
    };

    fn instructions(&self) -> u64 {
        u64::from(self.count) + u64::from(!matches!(self.ending, Ending::None))
    }
}

/// With more steps or blocks than this all blocks are forgotten.
const MOST: usize = 1 << 18;

/// The blocks decoded so far.
pub struct Blocks<B> {
    version: u64,
    /// By the address of a word: its block.
    slots: Vec<u32>,
    blocks: Vec<Block<B>>,
    steps: Vec<Step<B>>,
}

impl<B> Default for Blocks<B> {
    fn default() -> Self {
        Blocks { version: 0, slots: Vec::new(), blocks: vec![Block::NONE], steps: Vec::new() }
    }
}

impl Accelerator<Avr> for Blocks<System> {
    fn run(&mut self, core: &mut Avr, system: &mut System, limit: Limit) -> Stop {
        self.execute_until(core, system, limit)
    }
}

/// Where a block was left.
enum Left {
    /// Behind its last instruction.
    Ended,
    /// At a boundary at which the bus may want to look.
    Looks,
    /// By the host, or a fault.
    By(Leave),
}

impl<B: CodeBus> Blocks<B> {
    /// Runs the core as [`Core::run`] does, with the same result.
    fn execute_until(&mut self, core: &mut Avr, bus: &mut B, limit: Limit) -> Stop {
        self.slots.resize(core.pc_mask as usize + 1, 0);
        loop {
            if bus.now() >= limit.cycle || core.retired >= limit.instructions {
                return Stop::Limit;
            }
            let until = bus.horizon(core.status()).min(limit.cycle);
            if bus.now() < until {
                if self.version != bus.version() {
                    self.forget(bus.version());
                }
                bus.pause_at(until);
                match self.execute(core, bus, limit.instructions) {
                    Some(Left::By(Leave::Host)) => return Stop::HostCall,
                    Some(Left::By(Leave::Fault(vector))) => {
                        core.fault(bus, vector);
                        continue;
                    }
                    Some(_) => continue,
                    None => {}
                }
            }
            if let Some(stop) = core.step(bus) {
                return stop;
            }
        }
    }

    /// Executes blocks until the bus may want to look, or `instructions` have retired. `None`: the next instruction is
    /// left to the plain core.
    fn execute(&mut self, core: &mut Avr, bus: &mut B, instructions: u64) -> Option<Left> {
        loop {
            let mut index = self.slots[core.pc as usize];
            if self.blocks[index as usize].pc != core.pc {
                index = self.decode(core, bus);
            }
            let block = &self.blocks[index as usize];
            let fits = core.retired + block.instructions() <= instructions;
            let ends = bus.now() + Cycle::from(block.longest_cycles);
            if block.longest_cycles == 0 || !fits || ends >= bus.undisturbed_until() {
                return (core.retired >= instructions).then_some(Left::Looks);
            }
            let steps = &self.steps[block.first as usize..][..block.count as usize];
            match follow(core, bus, block, steps) {
                Left::Ended => {}
                left => return Some(left),
            }
        }
    }

    #[cold]
    fn forget(&mut self, version: u64) {
        self.version = version;
        for block in self.blocks.drain(1..) {
            self.slots[block.pc as usize] = 0;
        }
        self.steps.clear();
    }

    /// Returns the number of the block at the core's address.
    #[cold]
    #[inline(never)]
    fn decode(&mut self, core: &Avr, bus: &mut B) -> u32 {
        if self.steps.len().max(self.blocks.len()) >= MOST {
            self.forget(self.version);
        }
        let pc = core.pc;
        let (mut block, mut steps) =
            decode::block_at(bus, pc, core.pc_mask, self.steps.len() as u32);
        // A skip also depends on the instruction behind it.
        let bytes = 2 * (block.words + 2);
        if block.longest_cycles == 0 || !bus.track_writes(2 * pc, bytes) {
            (block, steps) = (Block { pc, ..Block::NONE }, Vec::new());
        }
        self.steps.extend(steps);
        let index = self.blocks.len() as u32;
        self.slots[pc as usize] = index;
        self.blocks.push(block);
        index
    }
}

/// Executes a block that ends before anything can happen.
#[inline(always)]
fn follow<B: CodeBus>(core: &mut Avr, bus: &mut B, block: &Block<B>, steps: &[Step<B>]) -> Left {
    core.shadow = false;
    // Cycles of the block that are spent, and its instructions that have retired.
    let (mut spent, mut counted) = (0, 0);
    for (place, step) in steps.iter().enumerate() {
        let done = (step.run)(core, bus, step.opcode, step.second);
        if done == Done::Yes {
            continue;
        }
        let enabled = core.sreg & flag::I;
        let (words, until) = match steps.get(place + 1) {
            Some(next) => (next.word.into(), next.start.into()),
            None => (block.words, block.cycles),
        };
        if done == Done::Leave {
            bus.spend(until - spent);
            core.retired += (place + 1 - counted) as u64;
            core.pc = (block.pc + words) & core.pc_mask;
            return Left::Looks;
        }
        core.pc = block.pc + u32::from(step.word);
        core.retired += (place - counted) as u64;
        bus.idle(u32::from(step.start) - spent);
        bus.stand_at(2 * core.pc);
        if let Err(leave) = core.execute(bus, operation(step.opcode), step.opcode) {
            return Left::By(leave);
        }
        (spent, counted) = (until, place + 1);
        let ends = bus.now() + Cycle::from(block.longest_cycles - spent);
        if ends >= bus.undisturbed_until() || core.sreg & flag::I != enabled {
            return Left::Looks;
        }
    }
    core.retired += (steps.len() - counted) as u64;
    let rest = block.cycles - spent;
    match block.ending {
        Ending::None => {
            bus.spend(rest);
            core.pc = (block.pc + block.words) & core.pc_mask;
        }
        Ending::Chosen { choice, opcode, targets, cycles } => {
            let chosen = usize::from(choice.holds(core, opcode));
            bus.spend(rest + cycles[chosen]);
            core.retired += 1;
            core.pc = targets[chosen];
        }
        Ending::Other { run, finish, opcode, second, cycles } => {
            core.pc = block.pc + block.words;
            let done = run(core, bus, opcode, second);
            if done == Done::No {
                bus.idle(rest);
                bus.stand_at(2 * core.pc);
                return match finish(core, bus, opcode) {
                    Ok(()) => Left::Looks,
                    Err(leave) => Left::By(leave),
                };
            }
            bus.spend(rest + cycles);
            core.retired += 1;
            if done == Done::Leave {
                return Left::Looks;
            }
        }
    }
    Left::Ended
}
