//! Pin connect block of the LPC2148: which function has each pin.
//! Follows the LPC214x user manual (UM10139), pin connect block chapter.
//!
//! The registers are storage. The device reports the functions of UART0's and UART1's pins alone.
//! The GPIO drives its pins whatever the registers say.

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Port};

const PART: &str = "pinsel_lpc2000";

/// Bit position in PINSEL0 of the pins P0.0, P0.1, P0.8 and P0.9, in the order of the outputs; the
/// function UART is 1 for all of them.
const UART_PINS: [u32; 4] = [0, 2, 16, 18];
const UART: u32 = 1;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct PinSelect {
    select: [u32; 3],
}

impl PinSelect {
    fn drive(&self, port: &mut Port) {
        for (output, position) in UART_PINS.into_iter().enumerate() {
            port.drive(output, u32::from(self.select[0] >> position & 3 == UART));
        }
    }
}

fn index(offset: u32) -> Option<usize> {
    match offset {
        0x00 => Some(0),
        0x04 => Some(1),
        0x14 => Some(2),
        _ => None,
    }
}

impl Device for PinSelect {
    fn outputs(&self) -> &'static [&'static str] {
        &["uart0_txd_selected", "uart0_rxd_selected", "uart1_txd_selected", "uart1_rxd_selected"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::PINSEL, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        self.select = [0; 3];
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match index(offset) {
            Some(n) => self.select[n],
            None => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match index(offset) {
            Some(n) => {
                self.select[n] = value;
                self.drive(port);
            }
            None => no_register(PART, offset, port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn after_reset_all_pins_are_gpio() {
        let mut rig = Rig::new(PinSelect::default());
        assert_eq!([0x00, 0x04, 0x14].map(|offset| rig.read(offset)), [0; 3]);
        assert_eq!((rig.output("uart0_txd_selected"), rig.output("uart0_rxd_selected")), (0, 0));
    }

    #[test]
    fn function_one_gives_the_pins_to_the_uarts() {
        let mut rig = Rig::new(PinSelect::default());
        rig.write(0, 0x1);
        assert_eq!((rig.output("uart0_txd_selected"), rig.output("uart0_rxd_selected")), (1, 0));
        rig.write(0, 0x5_0005);
        for output in rig.outputs() {
            assert_eq!(rig.output(output), 1, "{output}");
        }
        rig.write(0, 0x2);
        assert_eq!(rig.output("uart0_txd_selected"), 0, "PWM1 has the pin");
    }

    #[test]
    fn registers_keep_what_is_written() {
        let mut rig = Rig::new(PinSelect::default());
        rig.write(0x00, 0x1234_5678).write(0x04, 0x9ABC_DEF0).write(0x14, 0xC);
        assert_eq!(
            [0x00, 0x04, 0x14].map(|offset| rig.read(offset)),
            [0x1234_5678, 0x9ABC_DEF0, 0xC]
        );
        rig.read(0x08);
        assert_eq!(rig.unmodelled(), ["register at offset 0x08 of pinsel_lpc2000"]);
    }
}
