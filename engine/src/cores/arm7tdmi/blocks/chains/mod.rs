//! Chains: blocks of operations with decoded operands that follow one another without a question to the bus.
//!
//! A block's cycles are summed when it is translated. Only what depends on operands is added as it executes: the
//! multiplier, instructions whose condition fails, and accesses outside the RAM that the bus lends. The memory of
//! the code hears of new lines and of constants that are read beside the code, each at its cycle. A block begins
//! only if it ends before the next event even at its slowest. The plain core does the rest of an instruction that an
//! operation cannot do, and the chain ends there.

pub(super) mod alu;
pub(super) mod flow;
mod leaving;
pub(super) mod memory;
pub(super) mod op;
pub(super) mod registers;

use std::collections::HashSet;

use super::super::Arm7tdmi;
use super::native::{Entry, Exit, Natives};
use super::translate;
use crate::bus::{Bus, CodeBus};
use crate::core::Core;
use crate::processor::Translations;
use crate::system::{Fetches, System};
use crate::time::Cycle;
use crate::translated::{counted, Heat, Made};
use op::{Left, Op};
use registers::{kind, Registers};

/// The costs that the cycles of a block were summed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Costs {
    pub fetches: Fetches,
    /// Of each access to the RAM that is lent.
    pub ram: u32,
}

/// A block: its address (bit 0: in Thumb state) and its operations; none where it does not pay.
#[derive(Clone, Copy)]
struct Block {
    key: u32,
    first: u32,
    count: u32,
    /// The most cycles that it takes.
    slowest: u32,
    /// Further cycles if its first fetch is not in sequence; those may be among the slowest.
    nonsequential: u32,
    instructions: u32,
    /// Index of its [`Costs`].
    costs: u32,
    /// Its first two opcodes.
    opcodes: [u32; 2],
    heat: Heat,
    /// Index of the [`Known`] entry of its newest translation, from 1; 0 if there is none.
    entry: u32,
}

/// An entry of a translation, and the index of the block's next, from 1.
#[derive(Clone, Copy)]
struct Known {
    entry: Entry,
    next: u32,
}

/// The block that no address has.
const NO_BLOCK: Block = Block {
    key: u32::MAX,
    first: 0,
    count: 0,
    slowest: 0,
    nonsequential: 0,
    instructions: 0,
    costs: 0,
    opcodes: [0; 2],
    heat: Heat::NONE,
    entry: 0,
};
/// Blocks are found by the low bits of their address; of two with the same bits the newer stays.
const SLOTS: usize = 1 << 16;
/// With more operations or blocks than this all blocks are forgotten.
const MOST: usize = 1 << 18;
/// With more sets of costs than this all blocks are forgotten.
const MOST_COSTS: usize = 16;
/// A block has no more translations. Each waits for twice as many executions as the one before.
const MOST_ENTRIES: u32 = 8;

/// The blocks translated so far, and the state that they run on.
pub(super) struct Chains {
    version: u64,
    slots: Vec<u32>,
    blocks: Vec<Block>,
    ops: Vec<Op>,
    costs: Vec<Costs>,
    /// Index of those that held last.
    costs_now: u32,
    /// Where the RAM is that was lent last.
    ram_at: u32,
    registers: Registers,
    natives: Natives,
    entries: Vec<Known>,
    /// Executions before a block is translated to code of the host; none where none is.
    translate_after: Option<u32>,
    translations: Translations,
}

impl Default for Chains {
    fn default() -> Self {
        Chains {
            version: 0,
            slots: vec![0; SLOTS],
            blocks: vec![NO_BLOCK],
            ops: Vec::new(),
            costs: Vec::new(),
            costs_now: 0,
            ram_at: 0,
            registers: Registers::default(),
            natives: Natives::default(),
            entries: Vec::new(),
            translate_after: None,
            translations: Translations::default(),
        }
    }
}

/// Why a chain ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Something may happen in the next block, or it is not worth a translation, or the limit is near.
    Before,
    /// The next block is not translated.
    Unknown,
    /// The next block has executed so often that it shall be code of the host.
    Hot,
    /// The plain core has made the rest of an instruction.
    Within,
}

/// How blocks that followed one another ended.
#[derive(Clone, Copy)]
enum Ending {
    /// At a boundary before this block.
    Boundary(Block),
    /// There, and it is hot.
    Hot(Block),
    /// By the branch at a place of the block `key`, whose refill is left to the plain core.
    Far { key: u32, index: u32 },
    /// In the instruction there, `since` cycles behind, which the plain core executes.
    Unfinished { key: u32, index: u32, since: u32 },
}

#[inline(always)]
fn slot(key: u32) -> usize {
    key as usize >> 1 & (SLOTS - 1)
}

/// How often a block has executed, if it is the one at `key`: at least once if it is known.
#[cold]
fn executions(block: &Block, key: u32, costs: u32) -> u64 {
    if block.key == key && block.costs == costs {
        block.heat.executions()
    } else {
        0
    }
}

impl Chains {
    /// Runs as far as chains go, at most until `instructions` have retired.
    pub fn run(&mut self, core: &mut Arm7tdmi, bus: &mut System, instructions: u64) {
        if self.version != bus.version() {
            self.forget(bus.version());
        }
        loop {
            match self.chain(core, bus, instructions) {
                Ended::Unknown => self.translate(core, bus),
                Ended::Hot => self.translate_area(core, bus),
                _ => return,
            }
        }
    }

    /// Blocks that have executed so often become code of the host from now on; or none.
    pub fn translate_after(&mut self, executions: Option<u32>) {
        if self.translate_after != executions {
            self.translate_after = executions;
            for block in &mut self.blocks {
                block.heat = Heat::new(executions);
            }
        }
    }

    /// The work of code of the host.
    pub fn translations(&self) -> Translations {
        self.translations
    }

    /// Lends the RAM that the stack is in, or the one lent last.
    #[inline(always)]
    fn lend(&mut self, core: &Arm7tdmi, bus: &mut System) {
        (self.registers.ram, self.registers.ram_cycles) = bus.lend_ram(core.r[13]);
        if self.registers.ram.bytes.is_empty() {
            (self.registers.ram, self.registers.ram_cycles) = bus.lend_ram(self.ram_at);
        } else {
            self.ram_at = core.r[13];
        }
    }

    /// Lends all that the bus lends, for code that is fetched so.
    #[inline(always)]
    fn lend_all(&mut self, core: &Arm7tdmi, bus: &mut System, fetches: &Fetches) {
        self.lend(core, bus);
        self.registers.flash = if fetches.is_flash { bus.lend_flash() } else { None };
        let flat = fetches.line_bytes.is_none();
        self.registers.refill_cycles = flat.then_some(fetches.nonsequential + fetches.again);
    }

    /// Gives all back.
    #[inline(always)]
    fn give_back(&mut self, bus: &mut System) {
        bus.return_ram(std::mem::take(&mut self.registers.ram));
        if let Some(flash) = &self.registers.flash {
            bus.return_flash(flash);
        }
    }

    /// Index of the costs that hold now.
    #[inline(always)]
    fn costs(&mut self, fetches: Fetches) -> u32 {
        let now = Costs { fetches, ram: self.registers.ram_cycles };
        if self.costs.get(self.costs_now as usize) == Some(&now) {
            return self.costs_now;
        }
        self.costs_now = self.find_costs(now);
        self.costs_now
    }

    #[cold]
    fn find_costs(&mut self, now: Costs) -> u32 {
        if let Some(index) = self.costs.iter().position(|one| *one == now) {
            return index as u32;
        }
        if self.costs.len() >= MOST_COSTS {
            self.forget(self.version);
        }
        self.costs.push(now);
        self.costs.len() as u32 - 1
    }

    fn chain(&mut self, core: &mut Arm7tdmi, bus: &mut System, instructions: u64) -> Ended {
        let key = core.address() | u32::from(core.is_thumb());
        let first = self.slots[slot(key)];
        let block = self.blocks[first as usize];
        let known = block.key == key;
        let end = bus.undisturbed_until();
        let fits = bus.now().saturating_add(block.slowest.into()) < end
            && core.retired + u64::from(block.instructions) <= instructions;
        if known && (block.count == 0 || !fits) || core.aborted != 0 || bus.now() >= end {
            return Ended::Before;
        }
        let Some(fetches) = bus.fetches(core.r[15].wrapping_sub(core.length)) else {
            return Ended::Before;
        };
        if known && block.opcodes != core.pipeline {
            return Ended::Before;
        }
        if core.next.is_break_in_flow() || fetches.differ() && !core.after_idle.is_sequential() {
            return Ended::Before;
        }
        self.lend_all(core, bus, &fetches);
        let costs = self.costs(fetches);
        if !known || block.costs != costs || self.slots[slot(key)] != first {
            self.give_back(bus);
            return Ended::Unknown;
        }
        self.registers.take(core);
        if self.is_hot(bus, first) {
            self.give_back(bus);
            return Ended::Hot;
        }
        let ended = self.follow(core, bus, first, (end, instructions));
        self.registers.give(core);
        self.give_back(bus);
        if fetches.is_flash && fetches.line_bytes.is_none() {
            bus.set_fetched(self.last_fetched(ended));
        }
        self.leave(core, bus, ended)
    }

    /// Executes blocks, the first of which fits.
    #[inline(always)]
    fn follow(
        &mut self,
        core: &mut Arm7tdmi,
        bus: &mut System,
        first: u32,
        (end, instructions): (Cycle, u64),
    ) -> Ending {
        let mut block = self.blocks[first as usize];
        let costs = block.costs;
        loop {
            let next = if let Some(exit) = self.run_native(core, bus, block, (end, instructions)) {
                let is_boundary = !matches!(exit, Exit::Unfinished { .. });
                debug_assert!(
                    !is_boundary || bus.now() < end,
                    "an area took longer than its slowest way"
                );
                match exit {
                    Exit::Boundary { .. } | Exit::Branched => self.look_up(costs),
                    Exit::Unfinished { key, index, since } => {
                        return Ending::Unfinished { key, index: index.into(), since };
                    }
                    Exit::Far { key, index } => return Ending::Far { key, index: index.into() },
                }
            } else {
                if self.registers.kind == kind::NON_SEQUENTIAL {
                    bus.spend(block.nonsequential);
                }
                let ops = &self.ops[block.first as usize..][..block.count as usize];
                let left = op::go_on(&mut self.registers, bus, ops);
                if left != Left::Unfinished {
                    debug_assert!(bus.now() < end, "a block took longer than its slowest way");
                    core.retired += u64::from(self.registers.completed);
                }
                let from = (block.first + block.count) as usize - self.registers.rest - 1;
                match left {
                    Left::Known => {
                        let mut next = self.ops[from].aux;
                        if next == 0 {
                            next = self.look_up(costs);
                            self.ops[from].aux = next;
                        }
                        next
                    }
                    Left::Any => self.look_up(costs),
                    Left::Far => {
                        let index = self.registers.completed.wrapping_sub(1);
                        return Ending::Far { key: block.key, index };
                    }
                    Left::Unfinished => {
                        let Op { index, since, .. } = self.ops[from];
                        return Ending::Unfinished { key: block.key, index: index.into(), since };
                    }
                }
            };
            block = self.blocks[next as usize];
            let fits = bus.now() + Cycle::from(block.slowest) < end
                && core.retired + u64::from(block.instructions) <= instructions;
            if block.count == 0 || !fits {
                return Ending::Boundary(block);
            }
            if self.is_hot(bus, next) {
                return Ending::Hot(block);
            }
        }
    }

    /// Runs the translation of a block, if it has one that holds and surely ends in time.
    #[inline(always)]
    fn run_native(
        &mut self,
        core: &mut Arm7tdmi,
        bus: &mut System,
        block: Block,
        (end, instructions): (Cycle, u64),
    ) -> Option<Exit> {
        if block.entry == 0 || self.translate_after.is_none() {
            return None;
        }
        let entry = self.entry(bus, block.entry)?;
        // An instruction takes a cycle at least.
        let end = end.min(bus.now().saturating_add(instructions - core.retired));
        if bus.now() + Cycle::from(entry.slowest) >= end {
            return None;
        }
        let before = core.retired;
        let exit = self.natives.run(entry, &mut self.registers, bus, (end, &mut core.retired));
        let executed = core.retired - before;
        self.natives.count(&entry, executed);
        self.translations.instructions += executed;
        self.translations.entries += 1;
        Some(exit)
    }

    /// The entry that holds now, of those from the one at this index on.
    #[inline(always)]
    fn entry(&self, bus: &mut System, mut index: u32) -> Option<Entry> {
        loop {
            let known = self.entries.get((index as usize).wrapping_sub(1))?;
            if self.natives.holds(&known.entry, bus, &self.registers) {
                return Some(known.entry);
            }
            index = known.next;
        }
    }

    /// Counts an execution. Whether the block is to be translated before it.
    #[inline(always)]
    fn is_hot(&mut self, bus: &mut System, index: u32) -> bool {
        let Some(after) = self.translate_after else { return false };
        let block = &mut self.blocks[index as usize];
        block.heat.rises() && self.wants_translation(bus, index, after)
    }

    #[cold]
    #[inline(never)]
    fn wants_translation(&mut self, bus: &mut System, index: u32, after: u32) -> bool {
        let (mut count, first) = (0, self.blocks[index as usize].entry);
        let mut entry = first;
        while let Some(known) = self.entries.get((entry as usize).wrapping_sub(1)) {
            (count, entry) = (count + 1, known.next);
        }
        if count >= MOST_ENTRIES {
            return false;
        }
        self.blocks[index as usize].heat.wait(after, count);
        self.entry(bus, first).is_none()
    }

    /// The block where the program goes on; 0 if there is none.
    #[inline(always)]
    fn look_up(&self, costs: u32) -> u32 {
        let key = self.registers.target | u32::from(self.registers.thumb);
        let index = self.slots[slot(key)];
        let block = &self.blocks[index as usize];
        if block.key == key && block.costs == costs {
            index
        } else {
            0
        }
    }

    #[cold]
    fn forget(&mut self, version: u64) {
        self.version = version;
        for block in self.blocks.drain(1..) {
            self.slots[slot(block.key)] = 0;
        }
        self.ops.clear();
        self.costs.clear();
        self.entries.clear();
        self.natives.forget();
    }

    /// Translates the block where the core stands.
    #[cold]
    #[inline(never)]
    fn translate(&mut self, core: &Arm7tdmi, bus: &mut System) {
        let Some(fetches) = bus.fetches(core.r[15].wrapping_sub(core.length)) else { return };
        if self.ops.len().max(self.blocks.len()) >= MOST {
            self.forget(self.version);
        }
        let costs = self.costs(fetches);
        self.add(bus, core.address() | u32::from(core.is_thumb()), costs);
    }

    /// Adds the block at an address (bit 0: in Thumb state).
    fn add(&mut self, bus: &mut System, key: u32, costs: u32) {
        let (address, is_thumb) = (key & !1, key & 1 != 0);
        let costs_now = self.costs[costs as usize];
        let translated = translate::block_at(bus, address, is_thumb, costs_now, |_| false);
        let heat = Heat::new(self.translate_after);
        let mut block = Block { key, first: self.ops.len() as u32, costs, heat, ..NO_BLOCK };
        if let Some(translated) = translated {
            let length = if is_thumb { 2 } else { 4 };
            let bytes = (translated.instructions + super::AHEAD as u32) * length;
            let tracked = translated.constants.iter().all(|&at| bus.track_writes(at, 4));
            if tracked && bus.track_writes(address, bytes) {
                block.count = translated.ops.len() as u32;
                block.instructions = translated.instructions;
                block.slowest = translated.slowest;
                block.nonsequential = translated.nonsequential;
                block.opcodes = translated.opcodes;
                self.ops.extend(translated.ops);
            }
        }
        self.slots[slot(block.key)] = self.blocks.len() as u32;
        self.blocks.push(block);
    }

    /// Translates the block where the core stands, and what it leads to, to code of the host.
    #[cold]
    #[inline(never)]
    fn translate_area(&mut self, core: &Arm7tdmi, bus: &mut System) {
        let Some(fetches) = bus.fetches(core.r[15].wrapping_sub(core.length)) else { return };
        self.lend(core, bus);
        let ram = (self.registers.ram.base, self.registers.ram.bytes.len());
        bus.return_ram(std::mem::take(&mut self.registers.ram));
        let costs = self.costs(fetches);
        let key = core.address() | u32::from(core.is_thumb());
        let known = self.costs[costs as usize];
        let (slots, blocks) = (&self.slots, &self.blocks);
        // Code that runs long each time stays by itself.
        let long = |block: &&Block| {
            let known = self.entries.get((block.entry as usize).wrapping_sub(1));
            block.key != key && known.is_some_and(|known| self.natives.runs_long(&known.entry))
        };
        let long: HashSet<u32> = blocks.iter().filter(long).map(|block| block.key).collect();
        let executions = |at: u32| {
            let block = &blocks[slots[slot(at)] as usize];
            if long.contains(&at) {
                0
            } else {
                executions(block, at, costs)
            }
        };
        let nonsequential = !core.next.is_sequential();
        let natives = &mut self.natives;
        let made = counted(&mut self.translations, || {
            natives.translate(bus, (key, nonsequential), (known, ram), &executions)
        });
        match made {
            Made::Entries(entries, _) => {
                for (key, entry) in entries {
                    self.enter(bus, (key, costs), entry);
                }
            }
            Made::Nothing => {
                let index = self.slots[slot(key)];
                self.blocks[index as usize].heat = Heat::NONE;
            }
            Made::Full => self.forget(self.version),
            Made::Refused => self.translate_after = None,
        }
    }

    /// The block at `key` has a translation, unless it has one.
    fn enter(&mut self, bus: &mut System, (key, costs): (u32, u32), entry: Entry) {
        let holds = |block: &Block| block.key == key && block.costs == costs;
        if !holds(&self.blocks[self.slots[slot(key)] as usize]) {
            self.add(bus, key, costs);
        }
        let block = &mut self.blocks[self.slots[slot(key)] as usize];
        if block.count > 0 && self.entries.len() < MOST {
            self.entries.push(Known { entry, next: block.entry });
            block.entry = self.entries.len() as u32;
        }
    }
}
