//! Decoded blocks: straight runs of instructions, each with the function that executes it found before.
//!
//! They spend the same cycles by the same calls on the bus as the plain core, whose functions they call,
//! and leave the same pipeline behind; only these things are done once, when a run is decoded, instead of
//! each time: finding out which instruction an opcode is, reading it from memory, and looking at the
//! lines and at those who watch, which is put off until the bus says that there is something to see.
//! Whatever a block cannot do (a change of mode, a trap, an instruction somebody waits for, code that is
//! not as it was decoded) is left to the plain core, before the instruction.

mod arm;
mod shapes;
mod thumb;

use super::psr::Condition;
use super::{Arm7tdmi, FETCH};
use crate::bus::{CodeBus, Width};
use crate::core::{Core, Limit, Stop};

/// Executes an instruction whose first fetch has been made and whose condition holds.
type Execute<B> = fn(&mut Arm7tdmi, &mut B, u32);

/// How a block executes an opcode: by which function, under which condition, and whether it ends there.
struct Form<B> {
    execute: Execute<B>,
    condition: Condition,
    ends: bool,
}

/// One instruction of a block.
struct Step<B> {
    form: Form<B>,
    opcode: u32,
    /// What the pipeline holds once the instruction has made its first fetch.
    pipeline: [u32; 2],
}

/// Where a block begins (bit 0: in Thumb state), and which steps it has: none where the plain core must
/// execute.
#[derive(Clone, Copy)]
struct Block {
    key: u32,
    first: u32,
    count: u32,
}

const NO_BLOCK: Block = Block { key: u32::MAX, first: 0, count: 0 };
/// Longest block, in instructions.
const LONGEST: u32 = 32;
/// Blocks are found by the low bits of their address; of two with the same bits the newer stays.
const SLOTS: usize = 1 << 15;
/// With more steps than this all blocks are forgotten.
const MOST_STEPS: usize = 1 << 18;

/// The blocks decoded so far.
pub struct Blocks<B> {
    version: u64,
    slots: Vec<Block>,
    steps: Vec<Step<B>>,
}

impl<B: CodeBus> Default for Blocks<B> {
    fn default() -> Self {
        Blocks { version: 0, slots: vec![NO_BLOCK; SLOTS], steps: Vec::new() }
    }
}

impl<B: CodeBus> Blocks<B> {
    /// Runs the core as [`Core::run`] does, with the same result.
    pub fn run(&mut self, core: &mut Arm7tdmi, bus: &mut B, limit: Limit) -> Stop {
        loop {
            if bus.now() >= limit.cycle || core.retired >= limit.instructions {
                return Stop::Limit;
            }
            let until = bus.quiet_until(core.status()).min(limit.cycle);
            if bus.now() < until {
                if self.version != bus.version() {
                    self.forget(bus.version());
                }
                bus.pause_at(until);
                if self.execute(core, bus, limit.instructions) {
                    continue;
                }
            }
            if let Some(stop) = core.step(bus) {
                return stop;
            }
        }
    }

    /// Executes blocks until the bus pauses, or `instructions` have retired; `false` when it stands before
    /// an instruction that is left to the plain core.
    fn execute(&mut self, core: &mut Arm7tdmi, bus: &mut B, instructions: u64) -> bool {
        loop {
            let steps = self.steps(core, bus);
            let fits = core.retired + steps.len() as u64 <= instructions;
            if !fits || !stands_before(core, steps) {
                return core.retired >= instructions;
            }
            let pauses = if core.is_thumb() {
                follow(core, bus, steps, Width::Half)
            } else {
                follow(core, bus, steps, Width::Word)
            };
            if pauses {
                return true;
            }
        }
    }

    /// The block that begins where the core stands; no step where that is left to the plain core.
    #[inline(always)]
    fn steps(&mut self, core: &Arm7tdmi, bus: &mut B) -> &[Step<B>] {
        let key = core.address() | u32::from(core.is_thumb());
        let mut block = self.slots[key as usize >> 1 & (SLOTS - 1)];
        if block.key != key {
            block = self.decode(core, bus, key);
        }
        &self.steps[block.first as usize..][..block.count as usize]
    }

    #[cold]
    fn forget(&mut self, version: u64) {
        self.version = version;
        self.slots.fill(NO_BLOCK);
        self.steps.clear();
    }

    #[cold]
    #[inline(never)]
    fn decode(&mut self, core: &Arm7tdmi, bus: &mut B, key: u32) -> Block {
        if self.steps.len() >= MOST_STEPS {
            self.forget(self.version);
        }
        let (address, length) = (core.address(), core.length);
        let mut steps = steps_at(bus, address, length).unwrap_or_default();
        // The fetches go two opcodes ahead.
        if !steps.is_empty() && !bus.hold(address, (steps.len() as u32 + 2) * length) {
            steps.clear();
        }
        let block = Block { key, first: self.steps.len() as u32, count: steps.len() as u32 };
        self.steps.extend(steps);
        self.slots[key as usize >> 1 & (SLOTS - 1)] = block;
        block
    }
}

/// The steps from `address` on, up to what ends a block or is left to the plain core.
fn steps_at<B: CodeBus>(bus: &B, address: u32, length: u32) -> Option<Vec<Step<B>>> {
    if address % length != 0 {
        return None;
    }
    let code = bus.code(address)?;
    let opcodes = code.chunks_exact(length as usize).map(|bytes| match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        [a, b] => u32::from(u16::from_le_bytes([a, b])),
        _ => 0,
    });
    let opcodes: Vec<u32> = opcodes.take(LONGEST as usize + 2).collect();
    let mut steps = Vec::new();
    for (place, three) in opcodes.windows(3).enumerate() {
        if bus.is_awaited(address.wrapping_add(place as u32 * length)) {
            break;
        }
        let opcode = three[0];
        let form = if length == 4 { arm::form(opcode) } else { thumb::form(opcode) };
        let Some(form) = form else { break };
        let ends = form.ends;
        steps.push(Step { form, opcode, pipeline: [three[1], three[2]] });
        if ends {
            break;
        }
    }
    Some(steps)
}

/// Whether the core has fetched what the block was decoded from.
#[inline(always)]
fn stands_before<B>(core: &Arm7tdmi, steps: &[Step<B>]) -> bool {
    let fetched = |first: &Step<B>| core.pipeline == [first.opcode, first.pipeline[0]];
    core.aborted == 0 && steps.first().is_some_and(fetched)
}

/// Executes a block; whether the bus pauses at the boundary behind it.
#[inline(always)]
fn follow<B: CodeBus>(core: &mut Arm7tdmi, bus: &mut B, steps: &[Step<B>], width: Width) -> bool {
    for step in steps {
        let fetched = core.r[15];
        let pc = fetched.wrapping_sub(2 * width.bytes());
        bus.fetch_known(pc, fetched, core.next.with_width(width));
        core.pipeline = step.pipeline;
        core.next = FETCH.sequential();
        core.retired += 1;
        let executes = step.form.condition.holds(core.cpsr);
        if executes {
            (step.form.execute)(core, bus, step.opcode);
        } else {
            core.advance();
        }
        if bus.pauses() {
            return true;
        }
        if executes && step.form.ends {
            return false;
        }
    }
    false
}
