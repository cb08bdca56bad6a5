//! A free-running 64-bit counter of core cycles. Synthetic: no part has it; a board that lists it
//! measures with a ruler that the real board lacks.
//!
//! | offset | register |
//! |---|---|
//! | 0 | LOW: the cycle at which this read completes, bits 31:0 |
//! | 4 | HIGH: bits 63:32 of the cycle of the last read of LOW |

use super::no_register;
use crate::bus::Width;
use crate::device::{Device, Port};

const PART: &str = "measurement_timer";

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct MeasurementTimer {
    high: u32,
}

impl Device for MeasurementTimer {
    fn reset(&mut self, _port: &mut Port) {
        self.high = 0;
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        let now = port.now();
        match offset {
            0 => {
                self.high = (now >> 32) as u32;
                now as u32
            }
            4 => self.high,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, _value: u32, port: &mut Port) {
        match offset {
            0 | 4 => port.unmodelled("a write to measurement_timer, which cannot be set"),
            _ => no_register(PART, offset, port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn low_is_the_cycle_at_which_the_access_completes() {
        let mut rig = Rig::new(MeasurementTimer::default());
        assert_eq!(rig.at(1234).read(0), 1234);
        assert_eq!(rig.at(1235).read(0), 1235);
    }

    #[test]
    fn high_belongs_to_the_last_read_of_low() {
        let mut rig = Rig::new(MeasurementTimer::default());
        assert_eq!(rig.at(0x1_FFFF_FFFF).read(0), 0xFFFF_FFFF);
        assert_eq!(rig.at(0x2_0000_0003).read(4), 1);
        assert_eq!(rig.read(0), 3);
        assert_eq!(rig.read(4), 2);
    }

    #[test]
    fn a_narrow_read_gives_the_low_bits_and_latches_high_all_the_same() {
        let mut rig = Rig::new(MeasurementTimer::default());
        assert_eq!(rig.at(0x5_1234_5678).read_as(0, Width::Byte), 0x78);
        assert_eq!(rig.read(4), 5);
    }

    #[test]
    fn writes_and_other_offsets_change_nothing_and_are_reported() {
        let mut rig = Rig::new(MeasurementTimer::default());
        rig.at(10).write(0, 99);
        assert_eq!((rig.read(0), rig.read(8)), (10, 0));
        assert_eq!(
            rig.unmodelled(),
            [
                "a write to measurement_timer, which cannot be set",
                "register at offset 0x08 of measurement_timer",
            ]
        );
    }
}
