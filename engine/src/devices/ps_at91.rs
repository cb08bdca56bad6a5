//! Power saving of the AT91x40 parts: the core's clock until an interrupt, and those of the peripherals.
//! Follows the AT91X40 data sheet (Atmel 1354), PS chapter.

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port};

const PART: &str = "ps_at91";

const SLEEP: Output = 0;
const CPU: u32 = 1 << 0;
/// Sources whose clock can be off, by output: USART0, USART1, TC0, TC1, TC2, PIO.
const SOURCES: [u32; 6] = [2, 3, 4, 5, 6, 8];

fn switchable() -> u32 {
    SOURCES.iter().fold(0, |all, source| all | 1 << source)
}

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct PowerSaving {
    /// PCSR: the peripherals that have a clock.
    clocked: u32,
    asleep: bool,
    /// NIRQ and NFIQ: they wake the core whatever its mask says.
    wake: [bool; 2],
}

impl PowerSaving {
    fn drive(&self, port: &mut Port) {
        port.drive(SLEEP, self.asleep.into());
        for (n, source) in SOURCES.iter().enumerate() {
            port.drive(SLEEP + 1 + n, u32::from(self.clocked & 1 << source == 0));
        }
    }
}

impl Device for PowerSaving {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "sleep",
            "us0_halted",
            "us1_halted",
            "tc0_halted",
            "tc1_halted",
            "tc2_halted",
            "pio_halted",
        ]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["wake", "wake_fiq"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::PS, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = PowerSaving { clocked: switchable(), ..PowerSaving::default() };
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            0x00..=0x08 => 0,
            0x0C => self.clocked,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match offset {
            // A request that is already there ends the sleep before it begins.
            0x00 => self.asleep = value & CPU != 0 && !self.wake.contains(&true),
            0x04 => self.clocked |= value & switchable(),
            0x08 => self.clocked &= !value,
            0x0C => {}
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        self.wake[input] = level != 0;
        if level != 0 {
            self.asleep = false;
        }
        self.drive(port);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn the_core_sleeps_from_the_write_to_the_next_request() {
        for wake in ["wake", "wake_fiq"] {
            let mut rig = Rig::new(PowerSaving::default());
            rig.at(10).write(0x00, CPU).at(99).input(wake, 1);
            assert_eq!(rig.changes("sleep"), [(0, 0), (10, 1), (99, 0)]);
            rig.at(120).write(0x00, CPU);
            assert_eq!(rig.output("sleep"), 0, "the request is still there");
            rig.input(wake, 0).write(0x00, 0).at(130).write(0x00, CPU);
            assert_eq!(rig.output("sleep"), 1);
        }
    }

    #[test]
    fn peripherals_lose_and_get_their_clock() {
        let mut rig = Rig::new(PowerSaving::default());
        assert_eq!(rig.read(0x0C), 0x17C);
        rig.at(7).write(0x08, 1 << 5 | 1 << 31);
        assert_eq!(
            (rig.read(0x0C), rig.output("tc1_halted"), rig.output("tc0_halted")),
            (0x15C, 1, 0)
        );
        rig.at(9).write(0x04, !0);
        assert_eq!(
            (rig.read(0x0C), rig.changes("tc1_halted")),
            (0x17C, vec![(0, 0), (7, 1), (9, 0)])
        );
    }
}
