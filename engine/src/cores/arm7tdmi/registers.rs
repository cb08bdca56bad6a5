//! The 37 registers, their banks, and how the world outside reads and sets them.

use super::psr::{self, Bank};
use super::Arm7tdmi;
use crate::bus::{Access, Width};
use crate::core::Core;
use crate::system::System;

/// All that an ARM7TDMI remembers. Fields are named as in the programmer's model; the arrays hold
/// the registers in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// r0 to r15 of User and System mode, whatever the mode is. The last, r15, is two instructions
    /// ahead of the one about to execute: +8 in ARM state, +4 in Thumb state.
    pub user: [u32; 16],
    /// r8 to r14 of FIQ mode.
    pub fiq: [u32; 7],
    /// r13 and r14 of Supervisor mode.
    pub supervisor: [u32; 2],
    /// r13 and r14 of Abort mode.
    pub abort: [u32; 2],
    /// r13 and r14 of IRQ mode.
    pub irq: [u32; 2],
    /// r13 and r14 of Undefined mode.
    pub undefined: [u32; 2],
    /// Current program status. Bit 4 reads as 1.
    pub cpsr: u32,
    /// Saved program status of FIQ, Supervisor, Abort, IRQ and Undefined mode, in this order.
    pub spsr: [u32; 5],
    /// The opcode about to execute and the one after it.
    pub pipeline: [u32; 2],
    /// Whether the fetch of each was aborted.
    pub pipeline_aborted: [bool; 2],
    /// Kind of the next opcode fetch; its width follows the T bit of `cpsr`.
    pub next_fetch: Access,
}

impl Default for State {
    fn default() -> Self {
        State {
            user: [0; 16],
            fiq: [0; 7],
            supervisor: [0; 2],
            abort: [0; 2],
            irq: [0; 2],
            undefined: [0; 2],
            cpsr: psr::mode::SUPERVISOR | psr::I | psr::F,
            spsr: [psr::ALWAYS; 5],
            pipeline: [0; 2],
            pipeline_aborted: [false; 2],
            next_fetch: Access::code(Width::Word).sequential(),
        }
    }
}

const SPSR_BANKS: [Bank; 5] =
    [Bank::Fiq, Bank::Supervisor, Bank::Abort, Bank::Irq, Bank::Undefined];

const NAMES: [&str; 16] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15",
];

const FIQ_NAMES: [&str; 7] =
    ["r8_fiq", "r9_fiq", "r10_fiq", "r11_fiq", "r12_fiq", "r13_fiq", "r14_fiq"];

impl Arm7tdmi {
    /// Everything the core remembers.
    pub fn state(&self) -> State {
        let mut all = self.clone();
        all.bank_out();
        let pair = |bank: Bank| [all.banks[bank as usize][5], all.banks[bank as usize][6]];
        let mut user = all.r;
        if let Some(contexts) = &all.contexts {
            user[..8].copy_from_slice(&contexts[0]);
        }
        user[8..15].copy_from_slice(&all.banks[Bank::User as usize]);
        State {
            user,
            fiq: all.banks[Bank::Fiq as usize],
            supervisor: pair(Bank::Supervisor),
            abort: pair(Bank::Abort),
            irq: pair(Bank::Irq),
            undefined: pair(Bank::Undefined),
            cpsr: self.cpsr,
            spsr: SPSR_BANKS.map(|bank| self.spsr[bank as usize]),
            pipeline: self.pipeline,
            pipeline_aborted: [self.aborted & 1 != 0, self.aborted & 2 != 0],
            next_fetch: self.next.with_width(self.width()),
        }
    }

    /// Sets everything the core remembers; [`retired`](crate::core::Core::retired) stays.
    pub fn set_state(&mut self, state: &State) {
        let pairs = [
            (Bank::Supervisor, state.supervisor),
            (Bank::Abort, state.abort),
            (Bank::Irq, state.irq),
            (Bank::Undefined, state.undefined),
        ];
        self.banks[Bank::User as usize].copy_from_slice(&state.user[8..15]);
        self.banks[Bank::Fiq as usize] = state.fiq;
        for (bank, pair) in pairs {
            self.banks[bank as usize][5..7].copy_from_slice(&pair);
        }
        for (bank, value) in SPSR_BANKS.into_iter().zip(state.spsr) {
            self.spsr[bank as usize] = value | psr::ALWAYS;
        }
        if let Some(contexts) = &mut self.contexts {
            **contexts = [[0; 8]; 2];
            contexts[0].copy_from_slice(&state.user[..8]);
            self.banks[Bank::Irq as usize][..5].fill(0);
        }
        self.r = state.user;
        self.cpsr = state.cpsr | psr::ALWAYS;
        self.bank_in();
        self.pipeline = state.pipeline;
        self.aborted =
            u8::from(state.pipeline_aborted[0]) | u8::from(state.pipeline_aborted[1]) << 1;
        self.length = self.width().bytes();
        self.next = state.next_fetch;
    }

    /// Every register by name: r0 to r15 and cpsr of the current mode, then all banked ones.
    /// r15 is two instructions ahead of the one about to execute.
    pub(super) fn named_registers(&self) -> Vec<(&'static str, u32)> {
        let state = self.state();
        let mut all: Vec<_> = NAMES.into_iter().zip(self.r).collect();
        all.push(("cpsr", self.cpsr));
        all.extend([("r13_usr", state.user[13]), ("r14_usr", state.user[14])]);
        all.extend(FIQ_NAMES.into_iter().zip(state.fiq));
        all.extend(["r13_svc", "r14_svc"].into_iter().zip(state.supervisor));
        all.extend(["r13_abt", "r14_abt"].into_iter().zip(state.abort));
        all.extend(["r13_irq", "r14_irq"].into_iter().zip(state.irq));
        all.extend(["r13_und", "r14_und"].into_iter().zip(state.undefined));
        let saved = ["spsr_fiq", "spsr_svc", "spsr_abt", "spsr_irq", "spsr_und"];
        all.extend(saved.into_iter().zip(state.spsr));
        all
    }

    /// Sets one of `named_registers`, r15 excepted. Returns `false` if there is none of that name.
    pub(super) fn set_named_register(&mut self, name: &str, value: u32) -> bool {
        if name == "cpsr" {
            self.set_status(value);
        } else if let Some(index) = NAMES[..15].iter().position(|one| *one == name) {
            self.r[index] = value;
        } else {
            self.bank_out();
            let banked = self.banked(name);
            let known = banked.map(|register| *register = value).is_some();
            self.bank_in();
            return known;
        }
        true
    }

    /// The register of a bank by its name, `r13_irq` or `spsr_irq`.
    fn banked(&mut self, name: &str) -> Option<&mut u32> {
        let (register, mode) = name.split_once('_')?;
        let bank = match mode {
            "usr" => Bank::User,
            "fiq" => Bank::Fiq,
            "svc" => Bank::Supervisor,
            "abt" => Bank::Abort,
            "irq" => Bank::Irq,
            "und" => Bank::Undefined,
            _ => return None,
        };
        if register == "spsr" {
            return (bank != Bank::User).then_some(&mut self.spsr[bank as usize]);
        }
        let first = if bank == Bank::Fiq { 8 } else { 13 };
        let index = NAMES[..15].iter().position(|one| *one == register)?;
        (index >= first).then(|| &mut self.banks[bank as usize][index - 8])
    }

    /// Fills the pipeline from `address` by memory as it is now, without a cycle.
    pub(super) fn refetch(&mut self, system: &System, address: u32) {
        let (from, width) = (self.address(), self.width());
        let address = width.align(address);
        self.aborted = 0;
        for n in 0..2 {
            match system.peek(address.wrapping_add(n * width.bytes()), width) {
                Some(opcode) => self.pipeline[n as usize] = opcode,
                None => self.aborted |= 1 << n,
            }
        }
        self.r[15] = address.wrapping_add(2 * width.bytes());
        if address != from {
            self.next = Access::code(width).sequential();
        }
    }

    /// Register 0 to 15 of the current mode.
    ///
    /// # Panics
    /// When `index` is above 15.
    pub fn register(&self, index: usize) -> u32 {
        self.r[index]
    }

    /// Sets register 0 to 14 of the current mode. The PC moves by [`reset`](crate::core::Core::reset)
    /// or [`set_state`](Self::set_state) only, since moving it refills the pipeline.
    ///
    /// # Panics
    /// When `index` is above 14.
    pub fn set_register(&mut self, index: usize, value: u32) {
        self.r[..15][index] = value;
    }

    /// Current program status.
    pub fn cpsr(&self) -> u32 {
        self.cpsr
    }

    /// Whether the core is in Thumb state.
    pub fn is_thumb(&self) -> bool {
        self.cpsr & psr::T != 0
    }

    /// Saved program status of the current mode; User and System mode have none and read the CPSR.
    #[inline]
    pub(super) fn saved_status(&self) -> u32 {
        match Bank::of(self.cpsr) {
            Bank::User => self.cpsr,
            bank => self.spsr[bank as usize],
        }
    }

    /// Writes the bits of `mask` into the SPSR of the current mode, if it has one.
    pub(super) fn set_saved_status(&mut self, value: u32, mask: u32) {
        let bank = Bank::of(self.cpsr);
        if bank != Bank::User {
            let saved = &mut self.spsr[bank as usize];
            *saved = (*saved & !mask) | (value & mask) | psr::ALWAYS;
        }
    }

    /// Writes the CPSR, changing bank and state as its bits say. The pipeline is not refilled.
    pub(super) fn set_status(&mut self, value: u32) {
        let value = value | psr::ALWAYS;
        let changed = self.cpsr ^ value;
        if changed & psr::MODE == 0 {
            self.cpsr = value;
        } else {
            self.bank_out();
            self.cpsr = value;
            self.bank_in();
        }
        if changed & psr::T != 0 {
            self.length = self.width().bytes();
        }
    }

    /// Selects Thumb state or ARM state. The pipeline is not refilled.
    pub(super) fn set_thumb(&mut self, thumb: bool) {
        self.cpsr = self.cpsr & !psr::T | if thumb { psr::T } else { 0 };
        self.length = self.width().bytes();
    }

    /// Copies the SPSR to the CPSR, as an exception return does.
    pub(super) fn restore_status(&mut self) {
        self.set_status(self.saved_status());
    }

    /// Register of the User bank, for LDM and STM with the S bit.
    pub(super) fn user_register(&mut self, index: usize) -> &mut u32 {
        let bank = Bank::of(self.cpsr);
        let in_context = self.has_context(bank);
        if let Some(contexts) = self.contexts.as_mut().filter(|_| in_context && index < 8) {
            return &mut contexts[0][index];
        }
        let banked = match bank {
            Bank::User => false,
            Bank::Fiq => (8..15).contains(&index),
            _ if in_context => (8..15).contains(&index),
            _ => (13..15).contains(&index),
        };
        if banked {
            &mut self.banks[Bank::User as usize][index - 8]
        } else {
            &mut self.r[index & 15]
        }
    }

    pub(super) fn width(&self) -> Width {
        if self.is_thumb() {
            Width::Half
        } else {
            Width::Word
        }
    }

    /// The bank that has r8 to r12 of a mode.
    fn shared(&self, bank: Bank) -> usize {
        let own = bank == Bank::Fiq || self.has_context(bank);
        (if own { bank } else { Bank::User }) as usize
    }

    fn bank_out(&mut self) {
        let bank = Bank::of(self.cpsr);
        let (shared, context) = (self.shared(bank), usize::from(self.has_context(bank)));
        self.banks[shared][..5].copy_from_slice(&self.r[8..13]);
        self.banks[bank as usize][5..].copy_from_slice(&self.r[13..15]);
        if let Some(contexts) = &mut self.contexts {
            contexts[context].copy_from_slice(&self.r[..8]);
        }
    }

    fn bank_in(&mut self) {
        let bank = Bank::of(self.cpsr);
        let (shared, context) = (self.shared(bank), usize::from(self.has_context(bank)));
        self.r[8..13].copy_from_slice(&self.banks[shared][..5]);
        self.r[13..15].copy_from_slice(&self.banks[bank as usize][5..]);
        if let Some(contexts) = &self.contexts {
            self.r[..8].copy_from_slice(&contexts[context]);
        }
    }
}
