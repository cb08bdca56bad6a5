//! How a chain ends: the core stands again where the plain core would.

use super::super::super::decoder::{arm, thumb};
use super::super::super::{Arm7tdmi, FETCH};
use super::registers::{kind, Registers};
use super::{Block, Chains, Ended, Ending, NO_BLOCK};
use crate::bus::{CodeBus, Width};
use crate::system::System;

impl Chains {
    /// Sets the core where the last block was left; registers and flags it has.
    #[inline(always)]
    pub(super) fn leave(&mut self, core: &mut Arm7tdmi, bus: &mut System, ending: Ending) -> Ended {
        match ending {
            Ending::Boundary(block) => {
                self.stand(core, bus, block);
                if block.key == NO_BLOCK.key {
                    Ended::Unknown
                } else {
                    Ended::Before
                }
            }
            Ending::Hot(block) => {
                self.stand(core, bus, block);
                Ended::Hot
            }
            Ending::Far { key, index } => {
                self.go_far(core, bus, Place { key, index });
                Ended::Within
            }
            Ending::Unfinished { key, index, since } => {
                bus.spend(since);
                self.finish(core, bus, Place { key, index });
                Ended::Within
            }
        }
    }

    /// The address that was fetched last before the chain ended so.
    #[inline(always)]
    pub(super) fn last_fetched(&self, ending: Ending) -> u32 {
        match ending {
            Ending::Boundary(_) | Ending::Hot(_) => {
                self.registers.target.wrapping_add(self.registers.width().bytes())
            }
            Ending::Far { key, index } | Ending::Unfinished { key, index, .. } => {
                let place = Place { key, index };
                place.pc().wrapping_add(2 * place.length())
            }
        }
    }

    /// The core stands at a boundary, its pipeline full.
    #[inline(always)]
    fn stand(&self, core: &mut Arm7tdmi, bus: &System, next: Block) {
        let Registers { target, thumb, kind: fetch, .. } = self.registers;
        core.set_thumb(thumb);
        let width = core.width();
        core.r[15] = target.wrapping_add(2 * core.length);
        core.pipeline = if next.count > 0 {
            next.opcodes
        } else {
            let opcode = |n| bus.peek(target.wrapping_add(n), width).unwrap_or_default();
            [opcode(0), opcode(core.length)]
        };
        core.next = match fetch {
            kind::NON_SEQUENTIAL => FETCH,
            kind::AFTER_IDLE => core.after_idle,
            _ => FETCH.sequential(),
        };
    }

    /// The plain core refills its pipeline.
    #[cold]
    #[inline(never)]
    fn go_far(&self, core: &mut Arm7tdmi, bus: &mut System, place: Place) {
        let [pc, _, second, third] = place.opcodes(bus);
        bus.stand_at(pc);
        // Where nothing answers, the pipeline keeps what it had.
        core.pipeline = [second, third];
        core.set_thumb(self.registers.thumb);
        core.branch(bus, self.registers.target);
    }

    /// The plain core executes the instruction whose fetch has been made.
    #[cold]
    #[inline(never)]
    fn finish(&self, core: &mut Arm7tdmi, bus: &mut System, place: Place) {
        core.retired += u64::from(place.index) + 1;
        let [pc, opcode, second, third] = place.opcodes(bus);
        core.set_thumb(place.is_thumb());
        core.r[15] = pc.wrapping_add(2 * place.length());
        core.pipeline = [second, third];
        core.next = FETCH.sequential();
        bus.stand_at(pc);
        if place.is_thumb() {
            core.execute_thumb(bus, thumb::form(opcode), opcode);
        } else {
            core.execute_arm(bus, arm::form(opcode), opcode);
        }
    }
}

/// An instruction: its place in the block at `key` (bit 0: in Thumb state).
#[derive(Clone, Copy)]
struct Place {
    key: u32,
    index: u32,
}

impl Place {
    fn is_thumb(self) -> bool {
        self.key & 1 != 0
    }

    fn length(self) -> u32 {
        if self.is_thumb() {
            2
        } else {
            4
        }
    }

    fn pc(self) -> u32 {
        (self.key & !1).wrapping_add(self.index.wrapping_mul(self.length()))
    }

    /// Its address and opcode, and the two opcodes behind it.
    fn opcodes(self, bus: &System) -> [u32; 4] {
        let pc = self.pc();
        let width = if self.is_thumb() { Width::Half } else { Width::Word };
        let opcode = |n: u32| bus.peek(pc.wrapping_add(n * self.length()), width);
        [
            pc,
            opcode(0).unwrap_or_default(),
            opcode(1).unwrap_or_default(),
            opcode(2).unwrap_or_default(),
        ]
    }
}
