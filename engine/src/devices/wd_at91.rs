//! Watchdog of the AT91x40 parts.
//! Follows the AT91X40 data sheet (Atmel 1354), WD chapter.

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Output, Port, Tag};
use crate::time::Cycle;

const PART: &str = "wd_at91";

const INTERRUPT: Output = 0;
const OVERFLOW: Output = 1;
const RESET: Output = 2;
const ENDS: Tag = 0;

// Bits of OMR.
const ENABLED: u32 = 1 << 0;
const RESETS: u32 = 1 << 1;
const INTERRUPTS: u32 = 1 << 2;
const SIGNALS: u32 = 1 << 3;
const MODE: u32 = 0xF;
const MODE_KEY: u32 = 0x234 << 4;
const CLOCK: u32 = 0x3F;
const CLOCK_KEY: u32 = 0x6E << 7;
const RESTART_KEY: u32 = 0xC071;

/// MCK cycles of a count, by WDCLKS.
const DIVIDERS: [Cycle; 4] = [8, 32, 128, 1024];

/// The device: a counter of 16 bits that runs down from HPCV, all ones below.
#[derive(Clone, Debug, Default)]
pub struct Watchdog {
    mode: u32,
    clock: u32,
    overflowed: bool,
}

impl Watchdog {
    /// MCK cycles of a count.
    fn divider(&self) -> Cycle {
        DIVIDERS[self.clock as usize & 3]
    }

    /// Cycles from a restart to the overflow.
    fn period(&self) -> Cycle {
        let counts = Cycle::from(self.clock >> 2) << 12 | 0xFFF;
        (counts + 1) * self.divider()
    }

    fn drive(&self, port: &mut Port) {
        let is_set = |bit: u32| u32::from(self.overflowed && self.mode & bit != 0);
        port.drive(INTERRUPT, is_set(INTERRUPTS));
        port.drive(OVERFLOW, is_set(SIGNALS));
        port.drive(RESET, is_set(RESETS));
    }

    fn restart(&mut self, port: &mut Port) {
        self.overflowed = false;
        if self.mode & ENABLED != 0 {
            // Edges of its clock stand at multiples of the divider.
            let restarted = port.now() / self.divider() * self.divider();
            port.schedule(ENDS, restarted + self.period());
        } else {
            port.cancel(ENDS);
        }
    }
}

impl Device for Watchdog {
    fn outputs(&self) -> &'static [&'static str] {
        &["interrupt", "overflow", "reset"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::WD, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Watchdog::default();
        port.cancel(ENDS);
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            0x00 => self.mode,
            0x04 => self.clock,
            0x08 => 0,
            0x0C => self.overflowed.into(),
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
            0x00 if value & 0xFFF0 == MODE_KEY => {
                let enables = !self.mode & value & ENABLED != 0;
                self.mode = value & MODE;
                if enables || value & ENABLED == 0 {
                    self.restart(port);
                }
            }
            0x04 if value & 0xFF80 == CLOCK_KEY => self.clock = value & CLOCK,
            0x08 if value & 0xFFFF == RESTART_KEY => self.restart(port),
            0x00..=0x08 => port.unmodelled(format!("a write to {PART} without its key: ignored")),
            0x0C => {}
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.overflowed = true;
        port.schedule(ENDS, port.now() + self.period());
        self.drive(port);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    const OMR: u32 = 0x00;
    const CMR: u32 = 0x04;
    const CR: u32 = 0x08;
    const SR: u32 = 0x0C;

    #[test]
    fn it_overflows_after_its_counts_unless_restarted() {
        for (clock, cycles) in [(0, 4096 * 8), (1, 4096 * 32), (0xF << 2 | 3, 65_536 * 1024)] {
            let mut rig = Rig::new(Watchdog::default());
            rig.write(CMR, CLOCK_KEY | clock).write(OMR, MODE_KEY | ENABLED | INTERRUPTS | SIGNALS);
            rig.at(cycles - 1).write(CR, RESTART_KEY);
            let divider = DIVIDERS[clock as usize & 3];
            let ends = (cycles - 1) / divider * divider + cycles;
            rig.at(ends);
            assert_eq!(rig.changes("interrupt"), [(0, 0), (ends, 1)]);
            assert_eq!((rig.read(SR), rig.output("overflow")), (1, 1));
            assert_eq!((rig.write(CR, RESTART_KEY).read(SR), rig.output("interrupt")), (0, 0));
        }
    }

    #[test]
    fn a_write_without_its_key_is_ignored() {
        let mut rig = Rig::new(Watchdog::default());
        rig.write(OMR, ENABLED).write(CMR, 0x3F).write(CR, 0xC070);
        assert_eq!((rig.read(OMR), rig.read(CMR), rig.next_event()), (0, 0, crate::time::NEVER));
        assert_eq!(rig.unmodelled(), ["a write to wd_at91 without its key: ignored"]);
    }

    #[test]
    fn it_asks_for_a_reset_where_it_is_to() {
        for (mode, asks) in [(ENABLED, 0), (ENABLED | RESETS, 1)] {
            let mut rig = Rig::new(Watchdog::default());
            rig.write(OMR, MODE_KEY | mode).at(4096 * 8 - 1);
            assert_eq!(rig.output("reset"), 0);
            assert_eq!(rig.at(4096 * 8).output("reset"), asks);
        }
    }

    #[test]
    fn disabled_it_counts_nothing() {
        let mut rig = Rig::new(Watchdog::default());
        rig.write(OMR, MODE_KEY | ENABLED).write(OMR, MODE_KEY).at(1_000_000);
        assert_eq!(rig.read(SR), 0);
    }
}
