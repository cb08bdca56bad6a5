//! Interface of the flash memory of STM32F1 parts. Follows ST's PM0063 (value line) and PM0075, as recalled.
//!
//! The value line reads its flash without wait states. Its sibling parts have LATENCY, of 0 to 2 wait states.

use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Output, Port};
use serde::Deserialize;

const PART: &str = "flash_stm32f1";

const WAIT_STATES: Output = 0;

const LATENCY: u32 = 7;
const HLFCYA: u32 = 1 << 3;
const PRFTBE: u32 = 1 << 4;
/// The prefetch buffer is on: the status behind its enable bit.
const PRFTBS: u32 = 1 << 5;

const KEYS: [u32; 2] = [0x4567_0123, 0xCDEF_89AB];
// CR.
const LOCK: u32 = 1 << 7;
const OPTWRE: u32 = 1 << 9;
const STARTS: u32 = 0x7F;

/// `[device.parameters]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Whether ACR has the field LATENCY, as sibling parts have.
    #[serde(default)]
    latency: bool,
}

/// Where a sequence of two keys is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Keys {
    #[default]
    Locked,
    First,
    Open,
    /// A wrong key came: locked until reset.
    Barred,
}

impl Keys {
    fn write(self, key: u32) -> Self {
        match (self, key) {
            (Keys::Locked, key) if key == KEYS[0] => Keys::First,
            (Keys::First, key) if key == KEYS[1] => Keys::Open,
            (Keys::Open, _) => Keys::Open,
            _ => Keys::Barred,
        }
    }
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct FlashInterface {
    parameters: Parameters,
    access: u32,
    program: Keys,
    options: Keys,
    address: u32,
}

impl FlashInterface {
    /// An interface with or without wait states.
    pub fn new(parameters: Parameters) -> Self {
        FlashInterface {
            parameters,
            access: PRFTBE | PRFTBS,
            program: Keys::default(),
            options: Keys::default(),
            address: 0,
        }
    }

    fn write_access(&mut self, value: u32, port: &mut Port) {
        let latency = if self.parameters.latency { value & LATENCY } else { 0 };
        if value & LATENCY != 0 && !self.parameters.latency {
            port.unmodelled("ACR: LATENCY, which this part has not");
        }
        if latency > 2 {
            port.unmodelled("ACR: a reserved LATENCY, the wait states are as it says");
        }
        if value & HLFCYA != 0 {
            port.unmodelled("ACR: half-cycle access, the flash is read as ever");
        }
        if value & PRFTBE == 0 {
            port.unmodelled("ACR: the prefetch buffer off, the flash is read as with it");
        }
        let status = if value & PRFTBE != 0 { PRFTBS } else { 0 };
        self.access = latency | value & (HLFCYA | PRFTBE) | status;
        port.drive(WAIT_STATES, latency);
    }

    fn write_control(&mut self, value: u32, port: &mut Port) {
        if self.program != Keys::Open {
            return port.unmodelled("CR of flash_stm32f1 written while it is locked: it stays");
        }
        if value & STARTS != 0 {
            port.unmodelled("CR of flash_stm32f1: programming, the memory stays as it is");
        }
        if value & LOCK != 0 {
            self.program = Keys::Locked;
        }
    }
}

impl Device for FlashInterface {
    fn outputs(&self) -> &'static [&'static str] {
        &["wait_states"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::FLASH, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Self::new(self.parameters.clone());
        port.drive(WAIT_STATES, 0);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset & !3 {
            0x00 => self.access,
            0x04 | 0x08 | 0x0C => 0,
            0x10 => {
                let lock = if self.program == Keys::Open { 0 } else { LOCK };
                lock | if self.options == Keys::Open { OPTWRE } else { 0 }
            }
            0x14 => self.address,
            // Not protected; every option bit as erased.
            0x1C => 0x03FF_FFFC,
            0x20 => !0,
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
        match offset & !3 {
            0x00 => self.write_access(value, port),
            0x04 => self.program = self.program.write(value),
            0x08 => self.options = self.options.write(value),
            0x0C | 0x1C | 0x20 => {}
            0x10 => self.write_control(value, port),
            0x14 => self.address = value,
            _ => no_register(PART, offset, port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::rig::Rig;

    fn made(latency: bool) -> Rig {
        Rig::new(FlashInterface::new(Parameters { latency }))
    }

    #[test]
    fn the_value_line_has_no_wait_states() {
        let mut rig = made(false);
        assert_eq!(rig.read(0), 0x30);
        rig.write(0, 0x12);
        assert_eq!((rig.read(0), rig.output("wait_states")), (0x30, 0));
        assert_eq!(rig.unmodelled(), ["ACR: LATENCY, which this part has not"]);
    }

    #[test]
    fn sibling_parts_wait_as_latency_says() {
        let mut rig = made(true);
        rig.at(4).write(0, 0x12).at(8).write(0, 0x10);
        assert_eq!(rig.changes("wait_states"), [(0, 0), (4, 2), (8, 0)]);
    }

    #[test]
    fn keys_open_the_control_register_and_a_wrong_one_bars_it() {
        let mut rig = made(false);
        assert_eq!(rig.read(0x10), LOCK);
        rig.write(0x10, 1);
        assert_eq!(rig.write(4, KEYS[0]).write(4, KEYS[1]).read(0x10), 0);
        rig.write(0x10, 1);
        assert_eq!(rig.unmodelled().len(), 2);
        assert_eq!(rig.write(0x10, LOCK).read(0x10), LOCK);
        rig.write(4, KEYS[1]).write(4, KEYS[0]).write(4, KEYS[1]);
        assert_eq!(rig.read(0x10), LOCK);
        assert_eq!(rig.write(8, KEYS[0]).write(8, KEYS[1]).read(0x10), LOCK | OPTWRE);
    }
}
