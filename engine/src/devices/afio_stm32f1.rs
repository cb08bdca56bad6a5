//! Alternate function I/O of STM32F1 parts, value line: which port an external interrupt belongs to.
//! Follows ST's RM0041, chapter 7, as recalled.

use super::gate_stm32::Gate;
use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Port};

const PART: &str = "afio_stm32f1";

/// Bits of MAPR that move no pin of a modelled peripheral: the debug port's.
const DEBUG_PORT: u32 = 7 << 24;

/// The device. `select1` to `select4` are EXTICR1 to EXTICR4.
#[derive(Clone, Debug, Default)]
pub struct AlternateFunctions {
    gate: Gate,
    event_output: u32,
    remap: [u32; 2],
    select: [u32; 4],
}

impl AlternateFunctions {
    fn drive(&self, port: &mut Port) {
        (0..4).for_each(|n| port.drive(n, self.select[n]));
    }
}

impl Device for AlternateFunctions {
    fn outputs(&self) -> &'static [&'static str] {
        &["select1", "select2", "select3", "select4"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["halted"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::AFIO, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = AlternateFunctions::default();
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        if !self.gate.opens(PART, port) {
            return 0;
        }
        match offset & !3 {
            0x00 => self.event_output,
            0x04 => self.remap[0],
            at @ 0x08..=0x14 => self.select[(at as usize - 8) / 4],
            0x1C => self.remap[1],
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
                self.event_output = value & 0xFF;
                if value & 0x80 != 0 {
                    port.unmodelled("EVCR: EVENTOUT, its pin stays as it is");
                }
            }
            0x04 => {
                self.remap[0] = value & (DEBUG_PORT | 0x9FFF);
                if value & !DEBUG_PORT != 0 {
                    port.unmodelled("MAPR: a remap, the peripherals keep their pins");
                }
            }
            at @ 0x08..=0x14 => self.select[(at as usize - 8) / 4] = value & 0xFFFF,
            0x1C => {
                self.remap[1] = value & 0x3F1F;
                if value != 0 {
                    port.unmodelled("MAPR2: a remap, the peripherals keep their pins");
                }
            }
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }

    fn changed(&mut self, _input: Input, level: u32, port: &mut Port) {
        if self.gate.change(level) {
            *self = AlternateFunctions { gate: self.gate, ..AlternateFunctions::default() };
            self.drive(port);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::rig::Rig;

    #[test]
    fn ports_of_external_interrupts_are_selected() {
        let mut rig = Rig::new(AlternateFunctions::default());
        rig.write(0x08, 0x3210).write(0x14, 0x1_4444);
        assert_eq!((rig.output("select1"), rig.output("select4")), (0x3210, 0x4444));
        assert_eq!((rig.output("select2"), rig.read(0x14)), (0, 0x4444));
        assert_eq!(rig.input("halted", 3).output("select1"), 0, "a reset");
    }

    #[test]
    fn what_would_move_a_pin_is_reported() {
        let mut rig = Rig::new(AlternateFunctions::default());
        rig.write(0x04, 2 << 24);
        assert_eq!((rig.read(0x04), rig.unmodelled()), (2 << 24, &[][..]));
        rig.write(0x04, 1 << 2).write(0x1C, 1).write(0x00, 0x80);
        assert_eq!(rig.unmodelled().len(), 3);
    }
}
