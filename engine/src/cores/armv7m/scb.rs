//! The system control block: what the program sets about exceptions, faults and sleep (ARM DDI 0403, B3.2).

use super::exceptions::number;

/// Bits of HFSR.
pub(super) mod hfsr {
    /// A vector could not be read.
    pub const VECTOR: u32 = 1 << 1;
    /// Another fault could not be taken.
    pub const FORCED: u32 = 1 << 30;
    /// A breakpoint without a debugger.
    pub const DEBUG: u32 = 1 << 31;
}

/// Bits of CCR.
mod ccr {
    pub const NONBASETHRDENA: u32 = 1;
    pub const UNALIGN_TRP: u32 = 1 << 3;
    pub const DIV_0_TRP: u32 = 1 << 4;
    pub const STKALIGN: u32 = 1 << 9;
    pub const ALL: u32 = 0x31B;
}

/// Bits of SCR.
mod scr {
    pub const SLEEPONEXIT: u32 = 1 << 1;
    pub const SLEEPDEEP: u32 = 1 << 2;
    pub const SEVONPEND: u32 = 1 << 4;
    pub const ALL: u32 = SLEEPONEXIT | SLEEPDEEP | SEVONPEND;
}

/// Bits of SHCSR that enable faults.
const FAULTS_ENABLED: u32 = 7 << 16;
/// Bits of VTOR that there are.
const TABLE: u32 = 0x3FFF_FF80;
/// Bit of DEMCR: BKPT is for the program's own monitor.
const MON_EN: u32 = 1 << 16;
/// Bits of ACTLR that there are.
const ACTLR: u32 = 7;

/// A revision of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Revision {
    /// Its name.
    pub name: &'static str,
    /// The value of CPUID.
    pub cpuid: u32,
    /// CCR after a reset: STKALIGN differs.
    pub ccr: u32,
}

/// The revisions that parts have.
pub(super) const REVISIONS: [Revision; 3] = [
    Revision { name: "r1p1", cpuid: 0x411F_C231, ccr: 0 },
    Revision { name: "r2p0", cpuid: 0x412F_C230, ccr: ccr::STKALIGN },
    Revision { name: "r2p1", cpuid: 0x412F_C231, ccr: ccr::STKALIGN },
];

/// Its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SystemControl {
    pub revision: Revision,
    vtor: u32,
    scr: u32,
    ccr: u32,
    shcsr: u32,
    pub cfsr: u32,
    pub hfsr: u32,
    pub dfsr: u32,
    pub mmfar: u32,
    pub bfar: u32,
    pub actlr: u32,
    demcr: u32,
}

impl SystemControl {
    pub fn new(revision: Revision) -> Self {
        SystemControl {
            revision,
            vtor: 0,
            scr: 0,
            ccr: revision.ccr,
            shcsr: 0,
            cfsr: 0,
            hfsr: 0,
            dfsr: 0,
            mmfar: 0,
            bfar: 0,
            actlr: 0,
            demcr: 0,
        }
    }

    #[inline(always)]
    pub fn vector_table(&self) -> u32 {
        self.vtor
    }

    pub fn set_vector_table(&mut self, value: u32) {
        self.vtor = value & TABLE;
    }

    pub fn scr(&self) -> u32 {
        self.scr
    }

    pub fn set_scr(&mut self, value: u32) {
        self.scr = value & scr::ALL;
    }

    pub fn ccr(&self) -> u32 {
        self.ccr
    }

    pub fn set_ccr(&mut self, value: u32) {
        self.ccr = value & ccr::ALL;
    }

    pub fn faults_enabled(&self) -> u32 {
        self.shcsr
    }

    pub fn enable_faults(&mut self, shcsr: u32) {
        self.shcsr = shcsr & FAULTS_ENABLED;
    }

    pub fn set_actlr(&mut self, value: u32) {
        self.actlr = value & ACTLR;
    }

    pub fn demcr(&self) -> u32 {
        self.demcr
    }

    pub fn set_demcr(&mut self, value: u32) {
        self.demcr = value & 0x010F_07F1;
    }

    #[inline(always)]
    pub fn traps_unaligned(&self) -> bool {
        self.ccr & ccr::UNALIGN_TRP != 0
    }

    /// Whether long instructions are interrupted (ACTLR.DISMCYCINT).
    pub fn interrupts_instructions(&self) -> bool {
        self.actlr & 1 == 0
    }

    pub fn traps_division(&self) -> bool {
        self.ccr & ccr::DIV_0_TRP != 0
    }

    pub fn aligns_stack(&self) -> bool {
        self.ccr & ccr::STKALIGN != 0
    }

    /// Whether a handler may return to thread mode while others are active.
    pub fn leaves_any_time(&self) -> bool {
        self.ccr & ccr::NONBASETHRDENA != 0
    }

    pub fn sleeps_deeply(&self) -> bool {
        self.scr & scr::SLEEPDEEP != 0
    }

    pub fn sleeps_on_exit(&self) -> bool {
        self.scr & scr::SLEEPONEXIT != 0
    }

    pub fn sends_event_on_pending(&self) -> bool {
        self.scr & scr::SEVONPEND != 0
    }

    /// Whether BKPT is for the program's own monitor.
    pub fn monitors(&self) -> bool {
        self.demcr & MON_EN != 0
    }

    /// Whether the trace units, which count cycles, are on.
    pub fn traces(&self) -> bool {
        self.demcr >> 24 & 1 != 0
    }

    /// Whether a fault of this number, or a call, is on.
    pub fn enables(&self, fault: usize) -> bool {
        match fault {
            number::MEMORY | number::BUS | number::USAGE => {
                self.shcsr >> (16 + fault - number::MEMORY) & 1 != 0
            }
            number::DEBUG => self.monitors(),
            _ => true,
        }
    }
}
