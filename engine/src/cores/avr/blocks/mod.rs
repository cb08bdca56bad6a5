//! Decoded blocks: sequences of instructions up to a branch, each with its executing function.
//!
//! Memory answers without a cycle of its own, and registers do not depend on the time. So the cycles of a block are
//! spent at once at its end, while nothing can happen before. An access that reaches a device is left to the plain
//! core, after the cycles up to it are spent. So is an instruction that changes whether interrupts are taken.

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

/// One instruction of a block. The last step of a block leaves it.
struct Step<B> {
    run: Run<B>,
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
enum Left {
    /// Behind its last instruction.
    Ended,
    /// At a boundary at which the bus may want to look.
    Looks,
    /// Before an instruction that is left to the plain core.
    Undone,
}

/// With more steps or blocks than this all blocks are forgotten.
const MOST: usize = 1 << 18;

/// The blocks decoded so far.
pub struct Blocks<B> {
    version: u64,
    /// By the address of a word: its block.
    slots: Vec<u32>,
    blocks: Vec<Block>,
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
                if !matches!(self.execute(core, bus, limit.instructions), Left::Undone) {
                    continue;
                }
            }
            if let Some(stop) = core.step(bus) {
                return stop;
            }
        }
    }

    /// Executes blocks until the bus may want to look, `instructions` have retired, or the next one is left to the
    /// plain core.
    fn execute(&mut self, core: &mut Avr, bus: &mut B, instructions: u64) -> Left {
        loop {
            let mut block = self.blocks[self.slots[core.pc as usize] as usize];
            if block.pc != core.pc {
                block = self.decode(core, bus);
            }
            let fits = core.retired + u64::from(block.count) <= instructions;
            let ends = bus.now() + Cycle::from(block.cycles);
            if block.count == 0 || !fits || ends >= bus.undisturbed_until() {
                return if core.retired < instructions { Left::Undone } else { Left::Looks };
            }
            let steps = &self.steps[block.first as usize..][..block.count as usize];
            core.shadow = false;
            // A step that leaves before takes back those that it does not execute.
            core.retired += u64::from(block.count);
            match (steps[0].run)(core, bus, &steps[0], &steps[1..]) {
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

    /// Returns the block at the core's address.
    #[cold]
    #[inline(never)]
    fn decode(&mut self, core: &Avr, bus: &mut B) -> Block {
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
        let block = Block { pc, first, count, cycles };
        self.blocks.push(block);
        block
    }
}
