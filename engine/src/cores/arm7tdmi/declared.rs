//! Variants of the core that no ARM7TDMI is. A board file declares them in `[core].parameters.declared`;
//! without it none of this has an effect.

use serde::Deserialize;

use super::decoder::arm::rd;
use super::psr::Bank;
use super::{Arm7tdmi, PC};
use crate::bus::{Access, Bus, Width};
use crate::moves::Register;

/// The variants that a board declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Declared {
    /// Whole sets of registers: with 2, IRQ mode has r0 to r12 of its own; 0 or 1 is the real core.
    pub register_contexts: u32,
    /// Registers of a device that MRC and MCR reach.
    pub register_io: Option<RegisterIo>,
}

/// `MRC` and `MCR p<coprocessor>, 0, Rd, c<n>, c0, 0` read and write the word at `base + 4 n`. They cost their fetch and
/// the access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegisterIo {
    coprocessor: u32,
    base: u32,
}

/// Most register contexts.
pub(super) const MOST_CONTEXTS: u32 = 2;

/// r0 to r7 of the two contexts while the other is in use.
pub(super) type Low = [[u32; 8]; MOST_CONTEXTS as usize];

/// Bits of MRC and MCR that are not operands, the coprocessor included: opcode 1, opcode 2 and CRm are 0.
const FIXED: u32 = 0x0FE0_0FFF;
const MOVE: u32 = 0x0E00_0010;
const TO_CORE: u32 = 1 << 20;
const WORD: Access = Access::data(Width::Word);

impl Arm7tdmi {
    pub(super) fn declare(&mut self, declared: Declared) {
        self.contexts = (declared.register_contexts > 1).then(Box::default);
        self.register_io = declared.register_io;
    }

    /// Whether a mode has all its registers for itself.
    pub(super) fn has_context(&self, bank: Bank) -> bool {
        bank == Bank::Irq && self.contexts.is_some()
    }

    /// The number of a register, r0 to r12, of a mode with a context of its own. Such
    /// numbers belong to registers that no bank has.
    pub(super) fn number_in_context(index: usize) -> Register {
        let number = match index {
            0..=6 => 16 + 7 * Bank::User as usize + index,
            7 => 16 + 7 * Bank::Supervisor as usize,
            _ => 16 + 7 * Bank::Irq as usize + index - 8,
        };
        number as Register
    }

    /// The address that MRC or MCR of this opcode reaches; none without such registers.
    pub(super) fn register_of_device(&self, opcode: u32) -> Option<u32> {
        let io = self.register_io?;
        let is_move = opcode & FIXED == MOVE | io.coprocessor << 8;
        (is_move && rd(opcode) != PC).then(|| io.base.wrapping_add((opcode >> 16 & 15) * 4))
    }

    /// MRC and MCR where a board declares registers behind them; else the undefined instruction.
    #[cold]
    pub(super) fn undefined_or_register<B: Bus>(&mut self, bus: &mut B, opcode: u32) {
        let Some(address) = self.register_of_device(opcode) else { return self.undefined(bus) };
        let value = self.r[rd(opcode)];
        self.advance();
        let refused = if moves_to_core(opcode) {
            bus.read(address, WORD).map(|value| self.r[rd(opcode)] = value).is_err()
        } else {
            bus.write(address, value, WORD).is_err()
        };
        if refused {
            self.data_abort(bus);
        }
    }
}

/// MRC, not MCR.
pub(super) fn moves_to_core(opcode: u32) -> bool {
    opcode & TO_CORE != 0
}

#[cfg(test)]
mod tests {
    use super::super::psr::mode;
    use super::super::State;
    use super::*;

    fn core(register_contexts: u32, register_io: Option<RegisterIo>) -> Arm7tdmi {
        let mut core = Arm7tdmi::new();
        core.declare(Declared { register_contexts, register_io });
        core.set_state(&State {
            user: std::array::from_fn(|n| 0x100 + n as u32),
            cpsr: mode::SYSTEM,
            ..State::default()
        });
        core
    }

    #[test]
    fn a_context_keeps_its_registers_and_leaves_those_of_the_other() {
        let mut core = core(2, None);
        core.set_status(mode::IRQ);
        assert!((0..13).all(|n| core.r[n] == 0));
        (0..13).for_each(|n| core.r[n] = 0x200 + n as u32);
        assert!((0..15).all(|n| *core.user_register(n) == 0x100 + n as u32));
        *core.user_register(3) = 7;
        *core.user_register(9) = 8;
        assert_eq!(core.state().user[3], 7);
        core.set_status(mode::SUPERVISOR);
        assert_eq!((core.r[3], core.r[9], core.r[4]), (7, 8, 0x104));
        core.set_status(mode::IRQ);
        assert!((0..13).all(|n| core.r[n] == 0x200 + n as u32));
    }

    #[test]
    fn registers_of_a_context_have_numbers_of_their_own() {
        let mut core = core(2, None);
        let numbers =
            |core: &Arm7tdmi| (0..15).map(|n| core.register_number(n)).collect::<Vec<_>>();
        let mut all = Vec::new();
        for mode in [mode::SYSTEM, mode::FIQ, mode::IRQ, mode::SUPERVISOR] {
            core.set_status(mode);
            all.extend(numbers(&core));
        }
        all.sort_unstable();
        all.dedup();
        // 15 of System, 7 of FIQ, 15 of IRQ, 2 of Supervisor.
        assert_eq!(all.len(), 39);
    }

    #[test]
    fn the_real_core_has_neither() {
        let mut core = core(0, None);
        core.set_status(mode::IRQ);
        assert!((0..13).all(|n| core.r[n] == 0x100 + n as u32));
        assert_eq!(core.register_of_device(0xEE16_0710), None);
    }

    #[test]
    fn only_the_moves_of_the_coprocessor_reach_its_registers() {
        let core = core(0, Some(RegisterIo { coprocessor: 7, base: 0x4000 }));
        for (opcode, address) in [
            (0xEE16_0710, Some(0x4018)), // MRC p7, 0, r0, c6, c0, 0
            (0xEE0D_C710, Some(0x4034)), // MCR p7, 0, r12, c13, c0, 0
            (0xEE16_0610, None),         // p6
            (0xEE36_0710, None),         // opcode 1
            (0xEE16_0711, None),         // c1 as CRm
            (0xEE16_0730, None),         // opcode 2
            (0xEE16_F710, None),         // to the flags
            (0xEE16_0700, None),         // CDP
        ] {
            assert_eq!(core.register_of_device(opcode), address, "{opcode:#x}");
        }
    }
}
