//! Power control of STM32F1 parts: how the core sleeps, and until when. Follows ST's RM0041, chapter 4, as recalled.
//!
//! The core asks to sleep, and any request that it lets through wakes it. In Stop mode the clocks of the part
//! stand, and the board's clock goes on as a measure of time. Behind it the RCC falls back to the HSI.

use super::gate_stm32::Gate;
use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port};

const PART: &str = "pwr_stm32f1";

const SLEEP: Output = 0;
const MODE: Output = 1;
const STOPPED: Output = 2;

const ASKED: Input = 0;
const REQUESTED: Input = 1;
const HALTED: Input = 2;

/// The level of `asked` for a deep sleep.
const DEEP: u32 = 2;

/// Standby loses the RAM and ends by a reset: no program here goes on behind it.
const NO_STANDBY: &str =
    "Standby mode is not modelled: clear PDDS for Stop, or SLEEPDEEP for Sleep";

// CR.
const LPDS: u32 = 1 << 0;
const PDDS: u32 = 1 << 1;
const CWUF: u32 = 1 << 2;
const CSBF: u32 = 1 << 3;
const PVDE: u32 = 1 << 4;
// CSR.
const EWUP: u32 = 1 << 8;

/// The device. `sleep` stops the core's clock. `mode` is 0 awake, 1 Sleep, 2 Stop, 3 Stop with the regulator low.
/// `stopped` is 1 where a Stop mode ends.
#[derive(Clone, Debug, Default)]
pub struct Power {
    gate: Gate,
    control: u32,
    status: u32,
    mode: u32,
    requested: bool,
}

impl Power {
    fn set_mode(&mut self, mode: u32, port: &mut Port) {
        let was_stopped = self.mode >= 2;
        self.mode = mode;
        port.drive(MODE, mode);
        port.drive(SLEEP, u32::from(mode > 0));
        if was_stopped && mode < 2 {
            port.drive(STOPPED, 1);
            port.drive(STOPPED, 0);
        }
    }

    /// The core asks to sleep.
    fn ask(&mut self, level: u32, port: &mut Port) {
        if self.requested || level == 0 {
            return;
        }
        if level < DEEP {
            return self.set_mode(1, port);
        }
        if self.control & PDDS != 0 {
            return port.fail(NO_STANDBY);
        }
        port.unmodelled("Stop mode: clocks of peripherals go on, and any request wakes");
        self.set_mode(2 + (self.control & LPDS), port);
    }
}

impl Device for Power {
    fn outputs(&self) -> &'static [&'static str] {
        &["sleep", "mode", "stopped"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["asked", "requested", "halted"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::PWR, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Power::default();
        [SLEEP, MODE, STOPPED].into_iter().for_each(|output| port.drive(output, 0));
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        if !self.gate.opens(PART, port) {
            return 0;
        }
        match offset & !3 {
            0x00 => self.control,
            0x04 => self.status,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn steady(&self, _offset: u32) -> bool {
        !self.gate.is_halted()
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        if !self.gate.opens(PART, port) {
            return;
        }
        match offset & !3 {
            0x00 => {
                self.control = value & 0x1FF & !(CWUF | CSBF);
                if value & PVDE != 0 {
                    port.unmodelled(
                        "CR of pwr_stm32f1: the voltage detector, no supply ever falls",
                    );
                }
            }
            0x04 => {
                self.status = value & EWUP;
                if value & EWUP != 0 {
                    port.unmodelled("CSR of pwr_stm32f1: the pin that leaves Standby");
                }
            }
            _ => no_register(PART, offset, port),
        }
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        match input {
            ASKED => self.ask(level, port),
            REQUESTED => {
                self.requested = level != 0;
                if self.requested && self.mode > 0 {
                    self.set_mode(0, port);
                }
            }
            HALTED if self.gate.change(level) => (self.control, self.status) = (0, 0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::rig::Rig;

    #[test]
    fn a_sleep_lasts_until_a_request() {
        let mut rig = Rig::new(Power::default());
        rig.at(5).input("asked", 1).input("asked", 0).at(9).input("requested", 1);
        assert_eq!(rig.changes("mode"), [(0, 0), (5, 1), (9, 0)]);
        assert_eq!(rig.changes("sleep"), [(0, 0), (5, 1), (9, 0)]);
        assert_eq!((rig.changes("stopped"), rig.unmodelled()), (vec![(0, 0)], &[][..]));
        rig.at(20).input("asked", 1);
        assert_eq!(rig.output("sleep"), 0, "a request is there");
        rig.input("requested", 0).input("asked", 0).at(30).input("asked", 1);
        assert_eq!(rig.output("sleep"), 1);
    }

    #[test]
    fn behind_stop_the_clock_falls_back() {
        let mut rig = Rig::new(Power::default());
        rig.write(0, LPDS).at(5).input("asked", DEEP).at(9).input("requested", 1);
        assert_eq!(rig.changes("mode"), [(0, 0), (5, 3), (9, 0)]);
        assert_eq!(rig.changes("stopped"), [(0, 0), (9, 1), (9, 0)]);
        assert_eq!(rig.unmodelled().len(), 1);
    }

    #[test]
    fn what_is_not_there_is_reported() {
        let mut rig = Rig::new(Power::default());
        rig.write(0, PDDS | PVDE | CWUF).write(4, EWUP).input("asked", 1);
        assert_eq!((rig.read(0), rig.read(4)), (PDDS | PVDE, EWUP));
        assert_eq!((rig.unmodelled().len(), rig.output("mode")), (2, 1), "PDDS is of deep sleep");
    }

    #[test]
    #[should_panic(expected = "Standby mode is not modelled: clear PDDS for Stop")]
    fn standby_is_refused() {
        Rig::new(Power::default()).write(0, PDDS).input("asked", DEEP);
    }
}
