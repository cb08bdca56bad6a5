//! Registers by name, and the whole state at once.

use super::Avr;

const NAMES: [&str; 32] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27",
    "r28", "r29", "r30", "r31",
];

/// Everything that the next instruction may depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// r0 to r31.
    pub r: [u8; 32],
    /// SREG: I T H S V N Z C.
    pub sreg: u8,
    /// SPH:SPL.
    pub sp: u16,
    /// The bits of ELPM's address above Z.
    pub rampz: u8,
    /// The bits of EIJMP's and EICALL's target above Z.
    pub eind: u8,
    /// The program counter, which counts words of 16 bits.
    pub pc: u32,
    /// Whether the next instruction executes before any interrupt, as after SEI and RETI.
    pub shadow: bool,
}

impl Avr {
    /// The state.
    pub fn state(&self) -> State {
        let &Avr { r, flags, sp, rampz, eind, pc, shadow, .. } = self;
        State { r: r.bytes(), sreg: flags.byte(), sp, rampz, eind, pc, shadow }
    }

    /// Sets the state.
    pub fn set_state(&mut self, state: &State) {
        let &State { r, sreg, sp, rampz, eind, pc, shadow } = state;
        self.flags.set_byte(sreg);
        *self = Avr { r: r.into(), sp, rampz, eind, pc: pc & self.pc_mask, shadow, ..*self };
    }

    /// Four registers as a number.
    pub(super) fn long(&self, low: usize) -> u32 {
        u32::from(self.r.pair(low)) | u32::from(self.r.pair(low + 2)) << 16
    }

    pub(super) fn set_long(&mut self, low: usize, value: u32) {
        self.r.set_pair(low, value as u16);
        self.r.set_pair(low + 2, (value >> 16) as u16);
    }

    /// r0 to r31, then SREG, SP, RAMPZ, EIND, and the program counter in bytes.
    pub(super) fn named_registers(&self) -> Vec<(&'static str, u32)> {
        let own = [
            ("sreg", self.flags.byte().into()),
            ("sp", self.sp.into()),
            ("rampz", self.rampz.into()),
            ("eind", self.eind.into()),
            ("pc", 2 * self.pc),
        ];
        NAMES.into_iter().zip(self.r.bytes().map(u32::from)).chain(own).collect()
    }

    /// Sets one of the named registers, but not the program counter.
    pub(super) fn set_named_register(&mut self, name: &str, value: u32) -> bool {
        if let Some(index) = NAMES.iter().position(|one| *one == name) {
            self.r[index] = value as u8;
            return true;
        }
        match name {
            "sreg" => self.flags.set_byte(value as u8),
            "sp" => self.sp = value as u16,
            "rampz" => self.rampz = value as u8,
            "eind" => self.eind = value as u8,
            _ => return false,
        }
        true
    }
}
