//! How a chain ends: the core stands again where the plain core would.

use super::super::super::decoder::{arm, thumb};
use super::super::super::{Arm7tdmi, FETCH};
use super::op::Left;
use super::registers::{kind, Registers};
use super::{Block, Chains, Ended, NO_BLOCK};
use crate::bus::{CodeBus, Width};
use crate::system::System;

impl Chains {
    /// Sets the core where the last block was left; registers and flags it has.
    #[inline(always)]
    pub(super) fn leave(
        &mut self,
        core: &mut Arm7tdmi,
        bus: &mut System,
        left: Option<Left>,
        block: Block,
    ) -> Ended {
        match left {
            None => {
                self.stand(core, bus, block);
                if block.key == NO_BLOCK.key {
                    Ended::Unknown
                } else {
                    Ended::Before
                }
            }
            Some(Left::Far) => {
                self.go_far(core, bus, block);
                Ended::Within
            }
            Some(_) => {
                self.finish(core, bus, block);
                Ended::Within
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
    fn go_far(&self, core: &mut Arm7tdmi, bus: &mut System, block: Block) {
        let [pc, _, second, third] =
            block.opcodes_at(bus, self.registers.completed.wrapping_sub(1));
        bus.stand_at(pc);
        // Where nothing answers, the pipeline keeps what it had.
        core.pipeline = [second, third];
        core.set_thumb(self.registers.thumb);
        core.branch(bus, self.registers.target);
    }

    /// The plain core executes the instruction whose fetch has been made.
    #[cold]
    #[inline(never)]
    fn finish(&self, core: &mut Arm7tdmi, bus: &mut System, block: Block) {
        let from = (block.first + block.count) as usize - self.registers.rest - 1;
        let op = self.ops[from];
        bus.spend(op.since);
        core.retired += u64::from(op.index) + 1;
        let [pc, opcode, second, third] = block.opcodes_at(bus, op.index.into());
        core.set_thumb(block.is_thumb());
        core.r[15] = pc.wrapping_add(2 * block.length());
        core.pipeline = [second, third];
        core.next = FETCH.sequential();
        bus.stand_at(pc);
        if block.is_thumb() {
            core.execute_thumb(bus, thumb::form(opcode), opcode);
        } else {
            core.execute_arm(bus, arm::form(opcode), opcode);
        }
    }
}

impl Block {
    fn address(&self) -> u32 {
        self.key & !1
    }

    fn is_thumb(&self) -> bool {
        self.key & 1 != 0
    }

    fn length(&self) -> u32 {
        if self.is_thumb() {
            2
        } else {
            4
        }
    }

    /// Address and opcode of the instruction at a place of the block, and the two opcodes behind it.
    fn opcodes_at(&self, bus: &System, place: u32) -> [u32; 4] {
        let pc = self.address().wrapping_add(place.wrapping_mul(self.length()));
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
