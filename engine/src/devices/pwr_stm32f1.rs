//! Power control of STM32F1 parts: what a deep sleep is. Follows ST's RM0041, chapter 4, as recalled.
//!
//! The core says how it sleeps. Sleep is the core's own matter. In Stop mode the clocks of the part stand; the board's
//! clock goes on as a measure of time, and behind it the RCC falls back to the HSI.

use super::gate_stm32::Gate;
use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port};

const PART: &str = "pwr_stm32f1";

const STOPPED: Output = 0;
const MODE: Output = 1;

const ASLEEP: Input = 0;
const HALTED: Input = 1;

/// The level of `asleep` in a deep sleep.
const DEEP: u32 = 3;

// CR.
const LPDS: u32 = 1 << 0;
const PDDS: u32 = 1 << 1;
const CWUF: u32 = 1 << 2;
const CSBF: u32 = 1 << 3;
const PVDE: u32 = 1 << 4;
// CSR.
const EWUP: u32 = 1 << 8;

/// The device. `stopped` is 1 where a Stop mode ends; `mode` is 0 awake, 1 Sleep, 2 Stop, 3 Stop with the regulator low.
#[derive(Clone, Debug, Default)]
pub struct Power {
    gate: Gate,
    control: u32,
    status: u32,
    asleep: u32,
}

impl Power {
    fn mode(&self) -> u32 {
        match self.asleep {
            0 => 0,
            DEEP => 2 + (self.control & LPDS),
            _ => 1,
        }
    }

    fn sleep(&mut self, level: u32, port: &mut Port) {
        let was_stopped = self.mode() >= 2;
        self.asleep = level;
        port.drive(MODE, self.mode());
        if self.mode() >= 2 && !was_stopped {
            if self.control & PDDS != 0 {
                port.unmodelled("Standby mode: the part stops instead, and goes on behind it");
            }
            port.unmodelled("Stop mode: clocks of peripherals go on, and any request wakes");
        }
        if was_stopped && self.mode() < 2 {
            port.drive(STOPPED, 1);
            port.drive(STOPPED, 0);
        }
    }
}

impl Device for Power {
    fn outputs(&self) -> &'static [&'static str] {
        &["stopped", "mode"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["asleep", "halted"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::PWR, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Power::default();
        port.drive(STOPPED, 0);
        port.drive(MODE, 0);
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
            ASLEEP => self.sleep(level, port),
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
    fn sleep_is_not_stop() {
        let mut rig = Rig::new(Power::default());
        rig.at(5).input("asleep", 1).at(9).input("asleep", 0);
        assert_eq!(rig.changes("mode"), [(0, 0), (5, 1), (9, 0)]);
        assert_eq!((rig.changes("stopped"), rig.unmodelled()), (vec![(0, 0)], &[][..]));
    }

    #[test]
    fn behind_stop_the_clock_falls_back() {
        let mut rig = Rig::new(Power::default());
        rig.write(0, LPDS).at(5).input("asleep", DEEP).at(9).input("asleep", 0);
        assert_eq!(rig.changes("mode"), [(0, 0), (5, 3), (9, 0)]);
        assert_eq!(rig.changes("stopped"), [(0, 0), (9, 1), (9, 0)]);
        assert_eq!(rig.unmodelled().len(), 1);
    }

    #[test]
    fn what_is_not_there_is_reported() {
        let mut rig = Rig::new(Power::default());
        rig.write(0, PDDS | PVDE | CWUF).write(4, EWUP).input("asleep", DEEP);
        assert_eq!((rig.read(0), rig.read(4)), (PDDS | PVDE, EWUP));
        assert_eq!(rig.unmodelled().len(), 4);
    }
}
