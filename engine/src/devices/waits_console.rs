//! WAITCNT of a console: wait states of the cartridge, and whether a unit reads ahead of the core.
//! `docs/timing/waits_console.md` has its bits.
//!
//! The register leaves as a level for the cartridge's timing (`timing/cartridge_console.rs`).

use super::{halfwords, no_register, registers_console};
use crate::bus::Width;
use crate::device::{Device, Output, Port};

const PART: &str = "waits_console";

const WAITCNT: Output = 0;

/// Bit 13 is not there, bit 15 says which cartridge is plugged in: 0.
const WRITABLE: u32 = 0x5FFF;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    register: u32,
}

impl Device for Waits {
    fn outputs(&self) -> &'static [&'static str] {
        &["waitcnt"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers_console::name(&registers_console::WAITS, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        self.register = 0;
        port.drive(WAITCNT, 0);
    }

    fn read(&mut self, offset: u32, width: Width, port: &mut Port) -> u32 {
        if offset >= 4 {
            no_register(PART, offset, port);
        }
        halfwords::read(offset, width, |halfword| if halfword == 0 { self.register } else { 0 })
    }

    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut Port) {
        if offset >= 4 {
            no_register(PART, offset, port);
            return;
        }
        // The halfword behind the register holds nothing.
        for (halfword, mask, value) in halfwords::written(offset, width, value) {
            if halfword == 0 {
                self.register = halfwords::merged(self.register, mask, value) & WRITABLE;
                port.drive(WAITCNT, self.register);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn what_is_written_leaves_at_once_in_any_width() {
        let mut rig = Rig::new(Waits::default());
        rig.at(3).write_as(0, Width::Half, 0x4317);
        rig.at(5).write_as(1, Width::Byte, 0x01);
        rig.at(7).write(0, 0xFFFF_FFFF);
        let changes = [(0, 0), (3, 0x4317), (5, 0x0117), (7, 0x5FFF)];
        assert_eq!(rig.changes("waitcnt"), changes);
        assert_eq!((rig.read(0), rig.read_as(1, Width::Byte)), (0x5FFF, 0x5F));
        assert_eq!(rig.unmodelled(), Vec::<String>::new());
    }

    #[test]
    fn the_halfword_behind_it_holds_nothing() {
        let mut rig = Rig::new(Waits::default());
        rig.write_as(2, Width::Half, 0xFFFF);
        assert_eq!((rig.read(0), rig.output("waitcnt")), (0, 0));
    }
}
