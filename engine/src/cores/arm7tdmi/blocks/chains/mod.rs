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

use super::super::Arm7tdmi;
use super::translate;
use crate::bus::{Bus, CodeBus};
use crate::core::Core;
use crate::system::{Fetches, System};
use crate::time::Cycle;
use op::{Left, Op};
use registers::Registers;

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
    instructions: u32,
    /// Index of its [`Costs`].
    costs: u32,
    /// Its first two opcodes.
    opcodes: [u32; 2],
}

/// The block that no address has.
const NO_BLOCK: Block = Block {
    key: u32::MAX,
    first: 0,
    count: 0,
    slowest: 0,
    instructions: 0,
    costs: 0,
    opcodes: [0; 2],
};
/// Blocks are found by the low bits of their address; of two with the same bits the newer stays.
const SLOTS: usize = 1 << 16;
/// With more operations or blocks than this all blocks are forgotten.
const MOST: usize = 1 << 18;
/// With more sets of costs than this all blocks are forgotten.
const MOST_COSTS: usize = 16;

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
    /// The plain core has made the rest of an instruction.
    Within,
}

#[inline(always)]
fn slot(key: u32) -> usize {
    key as usize >> 1 & (SLOTS - 1)
}

impl Chains {
    /// Runs as far as chains go, at most until `instructions` have retired.
    pub fn run(&mut self, core: &mut Arm7tdmi, bus: &mut System, instructions: u64) {
        if self.version != bus.version() {
            self.forget(bus.version());
        }
        while self.chain(core, bus, instructions) == Ended::Unknown {
            self.translate(core, bus);
        }
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
        self.lend(core, bus);
        let costs = self.costs(fetches);
        if !known || block.costs != costs || self.slots[slot(key)] != first {
            bus.return_ram(std::mem::take(&mut self.registers.ram));
            return Ended::Unknown;
        }
        self.registers.take(core);
        let ended = self.follow(core, bus, first, (end, instructions));
        self.registers.give(core);
        bus.return_ram(std::mem::take(&mut self.registers.ram));
        self.leave(core, bus, ended.0, ended.1)
    }

    /// Executes blocks, the first of which fits. Returns how the last one was left, and which it is.
    #[inline(always)]
    fn follow(
        &mut self,
        core: &mut Arm7tdmi,
        bus: &mut System,
        first: u32,
        (end, instructions): (Cycle, u64),
    ) -> (Option<Left>, Block) {
        let mut block = self.blocks[first as usize];
        let costs = block.costs;
        loop {
            let ops = &self.ops[block.first as usize..][..block.count as usize];
            let left = op::go_on(&mut self.registers, bus, ops);
            if left != Left::Unfinished {
                core.retired += u64::from(self.registers.completed);
            }
            let next = match left {
                Left::Known => {
                    let from = (block.first + block.count) as usize - self.registers.rest - 1;
                    let mut next = self.ops[from].aux;
                    if next == 0 {
                        next = self.look_up(costs);
                        self.ops[from].aux = next;
                    }
                    next
                }
                Left::Any => self.look_up(costs),
                left => return (Some(left), block),
            };
            block = self.blocks[next as usize];
            let fits = bus.now() + Cycle::from(block.slowest) < end
                && core.retired + u64::from(block.instructions) <= instructions;
            if block.count == 0 || !fits {
                return (None, block);
            }
        }
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
        let address = core.address();
        let translated =
            translate::block_at(bus, address, core.is_thumb(), self.costs[costs as usize]);
        let mut block = Block {
            key: address | u32::from(core.is_thumb()),
            first: self.ops.len() as u32,
            costs,
            ..NO_BLOCK
        };
        if let Some(translated) = translated {
            let bytes = (translated.instructions + super::AHEAD as u32) * core.length;
            let tracked = translated.constants.iter().all(|&at| bus.track_writes(at, 4));
            if tracked && bus.track_writes(address, bytes) {
                block.count = translated.ops.len() as u32;
                block.instructions = translated.instructions;
                block.slowest = translated.slowest;
                block.opcodes = translated.opcodes;
                self.ops.extend(translated.ops);
            }
        }
        self.slots[slot(block.key)] = self.blocks.len() as u32;
        self.blocks.push(block);
    }
}
