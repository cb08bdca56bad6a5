//! Decoded blocks: sequences of instructions up to a branch, each with its executing function.
//!
//! Memory answers without a cycle of its own, and registers do not depend on the time. So while nothing can happen,
//! blocks run on memory that the bus lends, and their cycles are spent together behind the last. An access that reaches
//! a device is left to the plain core. So is an instruction that changes whether interrupts are taken.
//!
//! Hot blocks become code of the host, with those that they lead to (`native`). It has the same borders.

mod decode;
mod functions;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
#[allow(unsafe_code)]
mod native;
#[cfg(not(all(feature = "translate", target_arch = "x86_64")))]
#[path = "native/absent.rs"]
mod native;
mod timeless;

use super::decoder::Instruction;
use super::Avr;
use crate::bus::CodeBus;
use crate::core::{Core, Limit, Stop};
use crate::processor::{Accelerator, Translations};
use crate::system::System;
use crate::time::Cycle;
use crate::translated::{counted, Heat, Made};
use functions::Run;
use native::{Entry, Memories, Natives};
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
    heat: Heat,
    /// Index of the entry of its translation, from 1; 0 if there is none.
    entry: u32,
}

impl Block {
    /// The block that no address has.
    const NONE: Self =
        Block { pc: u32::MAX, first: 0, count: 0, cycles: 0, heat: Heat::NONE, entry: 0 };
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
    /// Before one whose block has executed so often that it shall be code of the host.
    Hot,
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
    natives: Natives,
    entries: Vec<Entry>,
    /// Executions before a block is translated to code of the host; none where none is.
    translate_after: Option<u32>,
    translations: Translations,
}

impl Default for Blocks {
    fn default() -> Self {
        Blocks {
            version: 0,
            slots: Vec::new(),
            blocks: vec![Block::NONE],
            steps: Vec::new(),
            natives: Natives::default(),
            entries: Vec::new(),
            translate_after: None,
            translations: Translations::default(),
        }
    }
}

impl Accelerator<Avr> for Blocks {
    fn translate_after(&mut self, executions: Option<u32>) {
        if self.translate_after != executions {
            self.translate_after = executions;
            for block in &mut self.blocks {
                block.heat = Heat::new(executions);
            }
        }
    }

    fn translations(&self) -> Translations {
        self.translations
    }

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
                let before = core.retired;
                let native = self.translations.instructions;
                let left = self.execute(core, bus, limit.instructions);
                let translated = self.translations.instructions - native;
                self.translations.in_blocks += core.retired - before - translated;
                match left {
                    // Blocks in front of it may have made all instructions that were asked for.
                    Left::Undone if core.retired >= limit.instructions => continue,
                    Left::Undone => {}
                    Left::Unknown => {
                        self.decode(bus, core.pc);
                        continue;
                    }
                    Left::Hot => {
                        self.translate(core, bus);
                        continue;
                    }
                    Left::Ended | Left::Looks => continue,
                }
            }
            let before = core.retired;
            let stop = core.step(bus);
            self.translations.stepped += core.retired - before;
            if let Some(stop) = stop {
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
    fn execute(&mut self, core: &mut Avr, bus: &mut impl CodeBus, instructions: u64) -> Left {
        // No instruction takes less than a cycle.
        let instructions = (instructions - core.retired).saturating_add(1);
        let quiet = bus.undisturbed_until().saturating_sub(bus.now());
        let most = quiet.min(instructions).min(MOST_CYCLES) as u32;
        let first = self.block(core);
        if first.pc == core.pc && (first.count == 0 || first.cycles >= most) {
            return Left::Undone;
        }
        let mut timeless = Timeless::borrow(core, bus);
        let left = match self.translate_after {
            None => self.follow::<false>(core, &mut timeless, most),
            Some(_) => self.follow::<true>(core, &mut timeless, most),
        };
        timeless.end(bus);
        left
    }

    /// Executes blocks that take fewer than `most` cycles together.
    #[inline(always)]
    fn follow<const TRANSLATES: bool>(
        &mut self,
        core: &mut Avr,
        bus: &mut Timeless,
        most: u32,
    ) -> Left {
        loop {
            let block = self.block(core);
            if block.pc != core.pc {
                return Left::Unknown;
            }
            if TRANSLATES && block.count > 0 {
                match self.run_native(core, bus, block, most) {
                    Some(Left::Ended) => continue,
                    Some(left) => return left,
                    None => {}
                }
                if self.blocks[self.slots[core.pc as usize] as usize].heat.rises() {
                    return Left::Hot;
                }
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

    /// Runs the translation of a block, if it has one that holds and surely ends in time.
    #[inline(always)]
    fn run_native(
        &mut self,
        core: &mut Avr,
        bus: &mut Timeless,
        block: Block,
        most: u32,
    ) -> Option<Left> {
        let &entry = self.entries.get((block.entry as usize).wrapping_sub(1))?;
        let fits = bus.cycles.saturating_add(entry.slowest) < most;
        if !fits || !self.natives.holds(entry, bus, core) {
            return None;
        }
        let before = core.retired;
        let left = self.natives.run(entry, core, bus, most);
        debug_assert!(bus.cycles < most, "an area took longer than its slowest way");
        self.translations.instructions += core.retired - before;
        self.translations.entries += 1;
        Some(left)
    }

    #[cold]
    fn forget(&mut self, version: u64) {
        self.version = version;
        for block in self.blocks.drain(1..) {
            self.slots[block.pc as usize] = 0;
        }
        self.steps.clear();
        self.entries.clear();
        self.natives.forget();
    }

    /// Decodes the block at an address.
    #[cold]
    #[inline(never)]
    fn decode(&mut self, bus: &mut impl CodeBus, pc: u32) {
        if self.steps.len().max(self.blocks.len()) >= MOST {
            self.forget(self.version);
        }
        let (mut steps, cycles) = decode::steps_at(bus, pc);
        // A skip also depends on the instruction behind it, which may have two words.
        let words = steps.last().map_or(0, |last| u32::from(last.words) + 3);
        if steps.is_empty() || !bus.track_writes(2 * pc, 2 * words) {
            steps.clear();
        }
        let (first, count) = (self.steps.len() as u32, steps.len() as u32);
        self.steps.extend(steps);
        self.slots[pc as usize] = self.blocks.len() as u32;
        let heat = Heat::new(self.translate_after);
        self.blocks.push(Block { pc, first, count, cycles, heat, entry: 0 });
    }

    /// Translates the block at the core's address, and what it leads to, to code of the host.
    #[cold]
    #[inline(never)]
    fn translate(&mut self, core: &Avr, bus: &mut impl CodeBus) {
        let lent = Timeless::borrow(core, bus);
        let memories = Memories::of(&lent, core);
        lent.end(bus);
        let (slots, blocks) = (&self.slots, &self.blocks);
        let executions = |pc: u32| {
            let block = slots.get(pc as usize).map(|&slot| &blocks[slot as usize]);
            block.filter(|block| block.pc == pc).map_or(0, |block| block.heat.executions())
        };
        let natives = &mut self.natives;
        let made = counted(&mut self.translations, || {
            natives.translate(bus, core.pc, memories, &executions)
        });
        match made {
            Made::Entries(entries, _) => {
                for (pc, entry) in entries {
                    self.enter(bus, pc, entry);
                }
            }
            Made::Nothing => {}
            Made::Full => self.forget(self.version),
            Made::Refused => self.translate_after = None,
        }
    }

    /// The block at `pc` has a translation, unless it has one.
    fn enter(&mut self, bus: &mut impl CodeBus, pc: u32, entry: Entry) {
        if self.blocks[self.slots[pc as usize] as usize].pc != pc {
            self.decode(bus, pc);
        }
        let block = &mut self.blocks[self.slots[pc as usize] as usize];
        if block.count > 0 && block.entry == 0 {
            self.entries.push(entry);
            block.entry = self.entries.len() as u32;
        }
    }
}
