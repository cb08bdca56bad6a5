//! Special functions of the AT91x40 parts: identity, cause of the reset, protect mode.
//! Follows the AT91X40 data sheet (Atmel 1354), SF chapter.

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port};
use serde::Deserialize;

const PART: &str = "sf_at91";

const PROTECT: Output = 0;
// SF_RSR: where the reset came from, the pin or the watchdog.
const EXTERNAL_RESET: u32 = 0x6C;
const WATCHDOG_RESET: u32 = 0x53;
const PROTECT_KEY: u32 = 0x27A8;
const PROTECT_AIC: u32 = 1 << 5;

/// Keys of the block in the board file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// SF_CIDR.
    #[serde(default)]
    chip_id: u32,
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct SpecialFunction {
    parameters: Parameters,
    /// SF_RSR.
    cause: u32,
    memory_mode: u32,
    protect: u32,
}

impl SpecialFunction {
    /// A block in reset.
    pub fn new(parameters: Parameters) -> Self {
        SpecialFunction { parameters, cause: EXTERNAL_RESET, memory_mode: 0, protect: 0 }
    }

    fn drive(&self, port: &mut Port) {
        port.drive(PROTECT, u32::from(self.protect != 0));
    }
}

impl Device for SpecialFunction {
    fn outputs(&self) -> &'static [&'static str] {
        &["protect"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["watchdog"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::SF, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = SpecialFunction::new(self.parameters.clone());
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            0x00 => self.parameters.chip_id,
            0x04 => 0,
            0x08 => self.cause,
            0x0C => self.memory_mode,
            0x18 => self.protect,
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

    /// The board passes on what asked for a reset once more after it.
    fn changed(&mut self, _input: Input, level: u32, _port: &mut Port) {
        if level != 0 {
            self.cause = WATCHDOG_RESET;
        }
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match offset {
            0x00..=0x08 => {}
            0x0C => self.memory_mode = value & 1,
            0x18 if value >> 16 == PROTECT_KEY => self.protect = value & PROTECT_AIC,
            0x18 => {
                port.unmodelled(format!("a write to SF_PMR of {PART} without its key: ignored"))
            }
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn it_tells_the_part_and_the_reset() {
        let mut rig = Rig::new(SpecialFunction::new(Parameters { chip_id: 0x1234 }));
        assert_eq!((rig.read(0x00), rig.read(0x04), rig.read(0x08)), (0x1234, 0, 0x6C));
        rig.write(0x00, 0);
        assert_eq!(rig.read(0x00), 0x1234);
        assert_eq!(rig.input("watchdog", 1).input("watchdog", 0).read(0x08), 0x53);
    }

    #[test]
    fn protect_mode_wants_its_key() {
        let mut rig = Rig::new(SpecialFunction::new(Parameters { chip_id: 0 }));
        rig.at(3).write(0x18, 1 << 5).at(4).write(0x18, 0x27A8_0020).at(5).write(0x18, 0x27A8_0000);
        assert_eq!(rig.changes("protect"), [(0, 0), (4, 1), (5, 0)]);
        assert_eq!(rig.unmodelled().len(), 1);
    }
}
