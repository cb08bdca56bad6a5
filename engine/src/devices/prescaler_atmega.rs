//! Reset of the timers' prescalers on the ATmega640/1280/2560: GTCCR.
//! Follows the data sheet (Atmel 2549), chapter 18 and section 20.10.
//!
//! The prescalers themselves are in the timers, which count the clock edges since the last reset.

use super::no_register;
use super::registers_atmega as registers;
use crate::bus::Width;
use crate::device::{Device, Port};

const PART: &str = "prescaler_atmega";

const HOLDS: u32 = 1 << 7;
/// The bits of GTCCR behind the outputs: PSRSYNC, PSRASY.
const RESETS: [u32; 2] = [1 << 0, 1 << 1];

/// The device; see the file's head. An output is 1 while it holds its prescaler at 0.
#[derive(Clone, Debug, Default)]
pub struct Prescaler {
    control: u32,
}

impl Device for Prescaler {
    fn outputs(&self) -> &'static [&'static str] {
        &["synchronous", "asynchronous"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::PRESCALER, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        self.control = 0;
        (0..RESETS.len()).for_each(|output| port.drive(output, 0));
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        if offset != 0 {
            no_register(PART, offset, port);
            return 0;
        }
        self.control
    }

    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        if offset != 0 {
            return no_register(PART, offset, port);
        }
        let value = value & (HOLDS | RESETS[0] | RESETS[1]);
        // Without TSM, the part clears the other bits as soon as they are set.
        self.control = if value & HOLDS != 0 { value } else { 0 };
        for (output, bit) in RESETS.into_iter().enumerate() {
            port.drive(output, u32::from(value & bit != 0));
            port.drive(output, u32::from(self.control & bit != 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn a_reset_is_over_at_once_unless_it_is_held() {
        let mut rig = Rig::new(Prescaler::default());
        assert_eq!(rig.at(5).write(0, 0x01).read(0), 0);
        assert_eq!(
            (rig.changes("synchronous"), rig.output("asynchronous")),
            (vec![(0, 0), (5, 1), (5, 0)], 0)
        );
        assert_eq!(rig.at(7).write(0, 0x83).read(0), 0x83);
        assert_eq!((rig.output("synchronous"), rig.output("asynchronous")), (1, 1));
        assert_eq!(rig.at(9).write(0, 0x81).read(0), 0x81);
        assert_eq!((rig.output("synchronous"), rig.output("asynchronous")), (1, 0));
        assert_eq!(rig.at(11).write(0, 0).read(0), 0);
        assert_eq!(rig.output("synchronous"), 0);
    }
}
