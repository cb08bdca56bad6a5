//! Registers by name, and the whole architectural state at once.

use super::nvic::bit;
use super::psr::{it_bits, T};
use super::{Armv7m, LR, SP};

const NAMES: [&str; 13] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12"];

/// Everything that a program sees of the registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// r0 to r12.
    pub r: [u32; 13],
    /// The main stack pointer.
    pub msp: u32,
    /// The process stack pointer.
    pub psp: u32,
    /// The link register.
    pub lr: u32,
    /// The address of the next instruction.
    pub pc: u32,
    /// Flags, state of an IT block, bit 24 for Thumb state, number of the exception.
    pub xpsr: u32,
    /// CONTROL.
    pub control: u32,
    /// PRIMASK.
    pub primask: bool,
    /// FAULTMASK.
    pub faultmask: bool,
    /// BASEPRI.
    pub basepri: u8,
}

impl Armv7m {
    /// The state.
    pub fn state(&self) -> State {
        State {
            r: std::array::from_fn(|n| self.r[n]),
            msp: self.main_stack(),
            psp: self.process_stack(),
            lr: self.r[LR],
            pc: self.pc,
            xpsr: self.xpsr(),
            control: self.control_register(),
            primask: self.primask,
            faultmask: self.faultmask,
            basepri: self.basepri,
        }
    }

    /// Sets the state. The exception that it names is active, and no other.
    pub fn set_state(&mut self, state: &State) {
        self.r[..13].copy_from_slice(&state.r);
        self.r[LR] = state.lr;
        self.set_xpsr(state.xpsr);
        self.use_stack(false);
        (self.r[SP], self.other_stack) = (state.msp & !3, state.psp & !3);
        self.set_control_register(state.control);
        (self.primask, self.faultmask) = (state.primask, state.faultmask);
        self.basepri = state.basepri;
        self.nvic.active = if self.ipsr == 0 { 0 } else { bit(self.ipsr.into()) };
        self.take_continuation();
        (self.pc, self.ahead) = (state.pc & !1, None);
        self.empty_pipeline();
        self.masks_changed();
    }

    /// An instruction that was interrupted goes on where it was, if XPSR says so.
    pub(super) fn take_continuation(&mut self) {
        self.continued = 0;
        if self.it & 0xF == 0 {
            self.continued = self.it >> 4;
            self.it = 0;
        }
    }

    /// The bits of XPSR that say where an interrupted instruction goes on.
    pub(super) fn continuation_bits(&self) -> u32 {
        it_bits(self.continued << 4)
    }

    /// r0 to r12, sp, lr, pc, xpsr, and what only this core has.
    pub(super) fn named_registers(&self) -> Vec<(&'static str, u32)> {
        let own = [
            ("sp", self.r[SP]),
            ("lr", self.r[LR]),
            ("pc", self.pc),
            ("xpsr", self.xpsr()),
            ("msp", self.main_stack()),
            ("psp", self.process_stack()),
            ("primask", self.primask.into()),
            ("basepri", self.basepri.into()),
            ("faultmask", self.faultmask.into()),
            ("control", self.control_register()),
        ];
        NAMES.into_iter().zip(self.r).chain(own).collect()
    }

    /// Sets one of the named registers, but not the program counter.
    pub(super) fn set_named_register(&mut self, name: &str, value: u32) -> bool {
        if let Some(index) = NAMES.iter().position(|one| *one == name) {
            self.r[index] = value;
            return true;
        }
        match name {
            "sp" => self.r[SP] = value & !3,
            "lr" => self.r[LR] = value,
            "xpsr" => {
                let number = self.ipsr;
                self.set_xpsr(value | T);
                self.ipsr = number;
                self.take_continuation();
            }
            "msp" => self.set_main_stack(value & !3),
            "psp" => self.set_process_stack(value & !3),
            "primask" => self.primask = value & 1 != 0,
            "basepri" => self.basepri = value as u8 & self.nvic.priority_mask(),
            "faultmask" => self.faultmask = value & 1 != 0,
            "control" => self.set_control_register(value),
            _ => return false,
        }
        self.masks_changed();
        true
    }
}
