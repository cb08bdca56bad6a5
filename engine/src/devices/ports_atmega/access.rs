//! Registers of the interrupts of pins, as the CPU accesses them.

use super::super::no_register;
use super::{Ports, EICRA, EICRB, EIFR, EIMSK, PART, PCICR, PCIFR, PCMSK0, PCMSK2};
use crate::device::Port;

impl Ports {
    /// The CPU writes a register of the interrupts.
    pub(super) fn write_interrupts(&mut self, offset: u32, value: u8, port: &mut Port) {
        // Levels that were seen before a mask lets them through set no flag.
        self.show(port.now());
        let it = &mut self.interrupts;
        match offset {
            PCIFR => it.change_flags &= !value,
            EIFR => it.flags &= !value,
            EIMSK => it.mask = value,
            PCICR => it.change_enable = value & 7,
            EICRA => it.sense = it.sense & 0xFF00 | u16::from(value),
            EICRB => it.sense = it.sense & 0x00FF | u16::from(value) << 8,
            PCMSK0..=PCMSK2 => it.change_masks[(offset - PCMSK0) as usize] = value,
            _ => no_register(PART, offset, port),
        }
        self.interrupts.clear_levels();
        self.look_later(port);
        self.drive_interrupts(port);
    }

    /// It reads one.
    pub(super) fn read_interrupts(&self, offset: u32, port: &mut Port) -> u8 {
        let it = &self.interrupts;
        match offset {
            PCIFR => it.change_flags,
            EIFR => it.flags,
            EIMSK => it.mask,
            PCICR => it.change_enable,
            EICRA => it.sense as u8,
            EICRB => (it.sense >> 8) as u8,
            PCMSK0..=PCMSK2 => it.change_masks[(offset - PCMSK0) as usize],
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }
}
