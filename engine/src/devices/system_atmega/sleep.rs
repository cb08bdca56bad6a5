//! Sleep modes (data sheet, chapter 11).

use super::{SystemControl, ASKED_WITH_INTERRUPTS, SE, WAKE};
use crate::device::Port;
use crate::time::Cycle;

/// The interrupt response is longer by these after a sleep (section 7.8.1).
const RESPONSE_CYCLES: Cycle = 5;
/// A boundary sees a request so many cycles behind it.
const SEEN_CYCLES: Cycle = 1;
/// Start-up from the standby modes (section 11.6).
const STANDBY_CYCLES: Cycle = 6;

/// The bit of the A/D converter in PRR0.
const CONVERTER: u16 = 1 << 0;

/// By SM2:0 of SMCR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Idle = 0,
    NoiseReduction = 1,
    PowerDown = 2,
    PowerSave = 3,
    Standby = 6,
    ExtendedStandby = 7,
}

impl Mode {
    /// The mode that SMCR selects; none: reserved.
    pub fn of(smcr: u8) -> Option<Self> {
        [
            Mode::Idle,
            Mode::NoiseReduction,
            Mode::PowerDown,
            Mode::PowerSave,
            Mode::Standby,
            Mode::ExtendedStandby,
        ]
        .into_iter()
        .find(|mode| *mode as u8 == smcr >> 1 & 7)
    }

    /// Whether the clock of the timers and of the USARTs stops.
    pub fn stops_io(self) -> bool {
        self != Mode::Idle
    }

    /// Modules whose clock runs, by their bits of PRR1:PRR0.
    pub fn clocked(self) -> u16 {
        match self {
            Mode::Idle => !0,
            Mode::NoiseReduction => CONVERTER,
            _ => 0,
        }
    }

    /// Cycles from the request to where the core goes on. `start_up` are those of the oscillator.
    pub fn wake_cycles(self, start_up: Cycle) -> Cycle {
        RESPONSE_CYCLES
            + match self {
                Mode::Idle | Mode::NoiseReduction => 0,
                Mode::PowerDown | Mode::PowerSave => start_up,
                Mode::Standby | Mode::ExtendedStandby => STANDBY_CYCLES,
            }
    }
}

impl SystemControl {
    /// The core has executed SLEEP.
    pub(super) fn ask(&mut self, level: u32, port: &mut Port) {
        if self.smcr & SE == 0 {
            return;
        }
        let Some(mode) = Mode::of(self.smcr) else {
            return port.unmodelled("SMCR: a reserved sleep mode, the core does not sleep");
        };
        self.asleep = Some(mode);
        self.wakes = level == ASKED_WITH_INTERRUPTS;
        self.wake_if_requested(port);
    }

    /// A request ends the sleep, so many cycles after a boundary would have seen it.
    pub(super) fn wake_if_requested(&self, port: &mut Port) {
        if let (Some(mode), true, Some(since)) = (self.asleep, self.wakes, self.requested_since) {
            let seen = port.now().max(since + SEEN_CYCLES);
            port.schedule(WAKE, seen + mode.wake_cycles(self.parameters.start_up_cycles.into()));
        }
    }
}
