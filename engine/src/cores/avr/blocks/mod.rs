//! Decoded blocks: sequences of instructions up to a branch, each with its executing function.
//!
//! Memory answers without a cycle of its own, and registers do not depend on the time. So while nothing can happen,
//! blocks run on memory that the bus lends, and their cycles are spent together behind the last. An access that reaches
//! a device is left to the plain core. So is an instruction that changes whether interrupts are taken.

mod decode;
mod functions;
mod timeless;

use super::decoder::Instruction;
use super::Avr;
use crate::bus::CodeBus;
use crate::core::{Core, Limit, Stop};
use crate::processor::Accelerator;
use crate::system::System;
use crate::time::Cycle;
use functions::Run;
use timeless::Timeless;

/// One instruction of a block. The last step of a block leaves it.
struct Step {
    run: Run,
    instruction: Instruction,
    /// The word behind the opcode.
    behind: u16,
    /// Words from the beginning of the block to the instruction.
    words: u8,
    /// Cycles from there to here.
    cycles: u8,
}

/// A block: where it begins, and its steps.
#[derive(Clone, Copy)]
struct Block {
    pc: u32,
    first: u32,
    count: u32,
    /// The most that it takes.
    cycles: u32,
}

impl Block {
    /// The block that no address has.
    const NONE: Self = Block { pc: u32::MAX, first: 0, count: 0, cycles: 0 };
}

/// Where a block was left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Behind its last instruction.
    Ended,
    /// At a boundary at which the bus may want to look.
    Looks,
    /// Before an instruction that is left to the plain core.
    Undone,
    /// Before one that no block begins with so far.
    Unknown,
}

/// Blocks execute for no more cycles at once.
const MOST_CYCLES: Cycle = 1 << 30;

/// With more steps or blocks than this all blocks are forgotten.
const MOST: usize = 1 << 18;

/// The blocks decoded so far.
pub struct Blocks {
    version: u64,
    /// By the address of a word: its block.
    slots: Vec<u32>,
    blocks: Vec<Block>,
    steps: Vec<Step>,
}

impl Default for Blocks {
    fn default() -> Self {
        Blocks { version: 0, slots: Vec::new(), blocks: vec![Block::NONE], steps: Vec::new() }
    }
}

impl Accelerator<Avr> for Blocks {
    fn run(&mut self, core: &mut Avr, system: &mut System, limit: Limit) -> Stop {
        self.execute_until(core, system, limit)
    }
}

impl Blocks {
    /// Runs the core as [`Core::run`] does, with the same result.
    fn execute_until(&mut self, core: &mut Avr, bus: &mut impl CodeBus, limit: Limit) -> Stop {
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
                    // Blocks in front of it may have made all instructions that were asked for.
                    Left::Undone if core.retired >= limit.instructions => continue,
                    Left::Undone => {}
                    Left::Unknown => {
                        self.decode(core, bus);
                        continue;
                    }
                    Left::Ended | Left::Looks => continue,
                }
            }
            if let Some(stop) = core.step(bus) {
                return stop;
            }
        }
    }

    /// The block at the core's address; one of no steps where the plain core executes.
    #[inline(always)]
    fn block(&self, core: &Avr) -> Block {
        self.blocks[self.slots[core.pc as usize] as usize]
    }

    /// Executes blocks while nothing can happen and `instructions` have not retired.
    fn execute(&self, core: &mut Avr, bus: &mut impl CodeBus, instructions: u64) -> Left {
        // No instruction takes less than a cycle.
        let instructions = (instructions - core.retired).saturating_add(1);
        let quiet = bus.undisturbed_until().saturating_sub(bus.now());
        let most = quiet.min(instructions).min(MOST_CYCLES) as u32;
        let first = self.block(core);
        if first.pc == core.pc && (first.count == 0 || first.cycles >= most) {
            return Left::Undone;
        }
        let mut timeless = Timeless::borrow(core, bus);
        let left = self.follow(core, &mut timeless, most);
        timeless.end(bus);
        left
    }

    /// Executes blocks that take fewer than `most` cycles together.
    #[inline(always)]
    fn follow(&self, core: &mut Avr, bus: &mut Timeless, most: u32) -> Left {
        loop {
            let block = self.block(core);
            if block.pc != core.pc {
                return Left::Unknown;
            }
            let Some((step, rest)) =
                self.steps[block.first as usize..][..block.count as usize].split_first()
            else {
                return Left::Undone;
            };
            if bus.cycles + block.cycles >= most {
                return Left::Undone;
            }
            core.shadow = false;
            // A step that leaves before takes back those that it does not execute.
            core.retired += u64::from(block.count);
            match (step.run)(core, bus, step, rest) {
                Left::Ended => {}
                left => return left,
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

    /// Decodes the block at the core's address.
    #[cold]
    #[inline(never)]
    fn decode(&mut self, core: &Avr, bus: &mut impl CodeBus) {
        if self.steps.len().max(self.blocks.len()) >= MOST {
            self.forget(self.version);
        }
        let pc = core.pc;
        let (mut steps, cycles) = decode::steps_at(bus, pc);
        // A skip also depends on the instruction behind it, which may have two words.
        let words = steps.last().map_or(0, |last| u32::from(last.words) + 3);
        if steps.is_empty() || !bus.track_writes(2 * pc, 2 * words) {
            steps.clear();
        }
        let (first, count) = (self.steps.len() as u32, steps.len() as u32);
        self.steps.extend(steps);
        self.slots[pc as usize] = self.blocks.len() as u32;
        self.blocks.push(Block { pc, first, count, cycles });
    }
}
