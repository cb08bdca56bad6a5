//! Decoded blocks: sequences of instructions without a branch between, each with its executing function.
//!
//! They call the plain core's functions, so they spend the same cycles and leave the same pipeline.
//! A block reads and decodes its opcodes once. It checks inputs and observers only at the cycle
//! that the bus has named. If no check is due for longer than any block takes, it combines fetches
//! from one line (`flow`). A block ends before an instruction that it cannot execute, and the plain
//! core executes that one. Such are a change of mode, a trap, a breakpoint, and code that has
//! changed since it was decoded.

mod chains;
mod decode;
mod flow;
mod functions;
#[cfg(all(feature = "translate", target_arch = "x86_64"))]
#[allow(unsafe_code)]
mod native;
#[cfg(not(all(feature = "translate", target_arch = "x86_64")))]
#[path = "native/absent.rs"]
mod native;
mod translate;

use super::decoder::Condition;
use super::Arm7tdmi;
use crate::bus::{Bus, CodeBus, Width};
use crate::core::{Core, Limit, Stop};
use crate::processor::{Accelerator, Translations};
use crate::system::System;
use chains::Chains;

/// Executes an instruction whose first fetch has been made and whose condition holds.
type Execute<B> = fn(&mut Arm7tdmi, &mut B, u32);

/// One instruction of a block.
struct Step<B> {
    execute: Execute<B>,
    opcode: u32,
    condition: Condition,
    /// Fetches from the line fetched last that it must make: its own, and those of the steps before it
    /// that reach registers alone.
    due: u8,
    does: Does,
}

/// Work for an instruction besides executing it.
#[derive(Clone, Copy)]
struct Does(u8);

impl Does {
    /// It makes all fetches that are due and its own. Without this bit they wait for a later step.
    const SETTLES: Does = Does(1);
    /// Its own fetch is from a new line.
    const CROSSES: Does = Does(2);
    /// It uses the bus.
    const REACHES: Does = Does(4);
    /// It branches: the block ends there.
    const BRANCHES: Does = Does(8);

    #[inline(always)]
    const fn has(self, other: Does) -> bool {
        self.0 & other.0 != 0
    }
}

/// A block: its address (bit 0: in Thumb state) and its steps; none where the plain core must execute.
/// Two further steps represent the opcodes that are fetched and not executed.
#[derive(Clone, Copy)]
struct Block {
    key: u32,
    first: u32,
    count: u32,
}

/// The block that no address has.
const NO_BLOCK: Block = Block { key: u32::MAX, first: 0, count: 0 };
/// Opcodes fetched ahead of the one that executes.
const AHEAD: usize = 2;
/// Blocks are found by the low bits of their address; of two with the same bits the newer stays.
const SLOTS: usize = 1 << 18;
/// With more steps or blocks than this all blocks are forgotten.
const MOST: usize = 1 << 18;

/// The blocks decoded so far.
pub struct Blocks<B> {
    version: u64,
    /// By the low bits of an address: which block it may be.
    slots: Vec<u32>,
    blocks: Vec<Block>,
    steps: Vec<Step<B>>,
    chains: Chains,
    /// Instructions that the plain core has stepped, and all others.
    stepped: u64,
    executed: u64,
}

impl<B: CodeBus> Default for Blocks<B> {
    fn default() -> Self {
        Blocks {
            version: 0,
            slots: vec![0; SLOTS],
            blocks: vec![NO_BLOCK],
            steps: Vec::new(),
            chains: Chains::default(),
            stepped: 0,
            executed: 0,
        }
    }
}

impl Accelerator<Arm7tdmi> for Blocks<System> {
    const KEEPS_CODE: bool = true;

    fn translate_after(&mut self, executions: Option<u32>) {
        self.chains.translate_after(executions);
    }

    fn translations(&self) -> Translations {
        let translated = self.chains.translations();
        let in_blocks = self.executed - translated.instructions;
        Translations { stepped: self.stepped, in_blocks, ..translated }
    }

    fn run(&mut self, core: &mut Arm7tdmi, system: &mut System, limit: Limit) -> Stop {
        self.execute_until(core, system, limit)
    }
}

impl Blocks<System> {
    /// Runs the core as [`Core::run`] does, with the same result.
    fn execute_until(&mut self, core: &mut Arm7tdmi, bus: &mut System, limit: Limit) -> Stop {
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
                let goes_on = self.execute(core, bus, limit.instructions);
                self.executed += core.retired - before;
                if goes_on {
                    continue;
                }
            }
            let before = core.retired;
            let stop = core.step(bus);
            self.stepped += core.retired - before;
            if let Some(stop) = stop {
                return stop;
            }
        }
    }

    /// Executes blocks until the bus pauses, or `instructions` have retired. Returns `false` if the next
    /// instruction is left to the plain core.
    fn execute(&mut self, core: &mut Arm7tdmi, bus: &mut System, instructions: u64) -> bool {
        loop {
            self.chains.run(core, bus, instructions);
            if bus.pauses() {
                return true;
            }
            let steps = self.steps(core, bus);
            let count = steps.len().saturating_sub(AHEAD) as u64;
            let fits = core.retired + count <= instructions;
            if !fits || !flow::stands_before(core, steps) {
                return core.retired >= instructions;
            }
            let pauses = if core.is_thumb() {
                flow::follow(core, bus, steps, Width::Half)
            } else {
                flow::follow(core, bus, steps, Width::Word)
            };
            if pauses {
                return true;
            }
        }
    }
}

impl<B: CodeBus> Blocks<B> {
    /// Returns the block at the core's address with the two steps behind it; nothing where the plain core
    /// must execute.
    #[inline(always)]
    fn steps(&mut self, core: &Arm7tdmi, bus: &mut B) -> &[Step<B>] {
        let key = core.address() | u32::from(core.is_thumb());
        let mut block = self.blocks[self.slots[slot(key)] as usize];
        if block.key != key {
            block = self.decode(core, bus, key);
        }
        &self.steps[block.first as usize..][..block.count as usize]
    }

    #[cold]
    fn forget(&mut self, version: u64) {
        self.version = version;
        for block in self.blocks.drain(1..) {
            self.slots[slot(block.key)] = 0;
        }
        self.steps.clear();
    }

    #[cold]
    #[inline(never)]
    fn decode(&mut self, core: &Arm7tdmi, bus: &mut B, key: u32) -> Block {
        if self.steps.len().max(self.blocks.len()) >= MOST {
            self.forget(self.version);
        }
        let (address, length) = (core.address(), core.length);
        let mut steps = decode::steps_at(bus, address, length).unwrap_or_default();
        if !steps.is_empty() && !bus.track_writes(address, steps.len() as u32 * length) {
            steps.clear();
        }
        let block = Block { key, first: self.steps.len() as u32, count: steps.len() as u32 };
        self.steps.extend(steps);
        self.slots[slot(key)] = self.blocks.len() as u32;
        self.blocks.push(block);
        block
    }
}

#[inline(always)]
fn slot(key: u32) -> usize {
    key as usize >> 1 & (SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Map, Parts};

    /// Two addresses whose code is left to the plain core share a slot and alternate without an end.
    #[test]
    fn what_is_kept_of_code_that_is_not_decoded_is_bounded() {
        let mut system = System::new(Parts {
            architecture: &super::super::ARCHITECTURE,
            memories: Vec::new(),
            map: Map::default(),
            buses: Vec::new(),
            paths: 1,
            devices: Vec::new(),
            inputs: Vec::new(),
            wires: Vec::new(),
            oscillator_hz: 1,
            synchroniser_cycles: 2,
        });
        let (core, mut blocks) = (Arm7tdmi::new(), Blocks::default());
        for _ in 0..MOST + 10 {
            for key in [0x100, 0x100 + 2 * SLOTS as u32] {
                assert_eq!(blocks.decode(&core, &mut system, key).count, 0);
            }
        }
        assert!(blocks.blocks.len() <= MOST, "{}", blocks.blocks.len());
    }
}
