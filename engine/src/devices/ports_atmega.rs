//! Ports A to L of the ATmega640/1280/2560 with their pins, and the interrupts of pins.
//! Follows the data sheet (Atmel 2549), chapters 13 and 15.
//!
//! A level that the CPU writes is on the pin at the edge that ends the cycle. PINx takes it over at the next edge, so `OUT`, `NOP`,
//! `IN` reads what it wrote. Edges on pins are sensed one edge later (PCINTn: two).

mod access;
mod interrupts;
mod names;
mod pins;
#[cfg(test)]
mod tests;

use super::registers_atmega as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;
use interrupts::Interrupts;
use names::{COMPARE_PINS, INPUTS, OUTPUTS, PORTS};
use pins::Pins;

const PART: &str = "ports_atmega";

/// Pins, and so outputs and inputs before the others.
const PINS: usize = 86;
const EXTERNAL: Output = PINS;
const CHANGES: Output = EXTERNAL + 8;
const COMPARE: Input = PINS;
const PULL_UPS_OFF: Input = COMPARE + COMPARE_PINS.len();
const STOPPED: Input = PULL_UPS_OFF + 1;

// Registers: PINx, DDRx, PORTx of ports A to G, those of the interrupts, ports H to L.
const PCIFR: u32 = 0x15;
const EIFR: u32 = 0x16;
const EIMSK: u32 = 0x17;
const PCICR: u32 = 0x18;
const EICRA: u32 = 0x19;
const EICRB: u32 = 0x1A;
const PCMSK0: u32 = 0x1B;
const PCMSK2: u32 = 0x1D;
const FIRST_LATER: u32 = 0x20;
const LAST: u32 = 0x2B;
/// Ports whose registers lie before those of the interrupts.
const EARLIER: usize = 7;

/// Cycles from a change of a pin until PINx has it, and until it sets flags of INTn and PCINTn.
const SYNCHRONISER_CYCLES: Cycle = 1;
const EXTERNAL_CYCLES: Cycle = 2;
const CHANGE_CYCLES: Cycle = 3;

// Events: PINx has changed, INTn see a change, PCINTn do.
const SEEN: Tag = 0;
const SENSED: Tag = 1;
const CHANGED: Tag = 2;

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    ports: [Pins; PORTS.len()],
    compare: [u32; COMPARE_PINS.len()],
    interrupts: Interrupts,
    /// The program reads PINx, so it waits for changes perhaps.
    polled: [bool; PORTS.len()],
    pull_ups_off: bool,
    stopped: bool,
}

/// Pins of a port, and the output of its first.
fn pins_of(port: usize) -> (usize, usize) {
    let count = if PORTS[port] == 'G' { 6 } else { 8 };
    let missing = if port > 6 { 2 } else { 0 };
    (count, 8 * port - missing)
}

/// Port and bit of a pin, by its output.
fn place(pin: usize) -> (usize, usize) {
    let holds = |port: &usize| {
        let (count, first) = pins_of(*port);
        (first..first + count).contains(&pin)
    };
    let port = (0..PORTS.len()).find(holds).unwrap_or(0);
    (port, pin - pins_of(port).1)
}

/// Port and register (PINx, DDRx, PORTx) at an offset.
fn decode(offset: u32) -> Option<(usize, u32)> {
    match offset {
        0..PCIFR => Some(((offset / 3) as usize, offset % 3)),
        FIRST_LATER..=LAST => {
            let inside = offset - FIRST_LATER;
            Some((EARLIER + (inside / 3) as usize, inside % 3))
        }
        _ => None,
    }
}

impl Ports {
    /// A port's pins may have changed.
    fn follow(&mut self, n: usize, port: &mut Port) {
        let (count, first) = pins_of(n);
        let mask = (0xFF_u16 >> (8 - count)) as u8;
        let levels = self.ports[n].levels(!self.pull_ups_off) & mask;
        if levels == self.ports[n].at(Cycle::MAX) {
            return;
        }
        let changed = self.ports[n].keep(port.now(), levels) ^ levels;
        for bit in (0..count).filter(|bit| changed >> bit & 1 != 0) {
            port.drive(first + bit, u32::from(levels >> bit & 1));
        }
        self.look_later(port);
    }

    /// Schedules when somebody sees a change that is on its way.
    fn look_later(&self, port: &mut Port) {
        let it = &self.interrupts;
        self.look(SEEN, SYNCHRONISER_CYCLES, |n| self.polled[n], port);
        self.look(SENSED, EXTERNAL_CYCLES, |n| it.hears_external(n), port);
        self.look(CHANGED, CHANGE_CYCLES, |n| it.hears_changes(n), port);
    }

    /// The same for those who see a change so many cycles behind it, of ports that they hear.
    fn look(&self, tag: Tag, delay: Cycle, hears: impl Fn(usize) -> bool, port: &mut Port) {
        let seen = port.now().saturating_sub(delay);
        let heard = self.ports.iter().enumerate().filter(|(n, _)| hears(*n));
        if let Some(at) = heard.filter_map(|(_, pins)| pins.changed_behind(seen)).min() {
            port.schedule(tag, at + delay);
        }
    }

    /// Shows INTn and PCINTn the levels of now, so that what they see next is a change.
    fn show(&mut self, now: Cycle) {
        let Ports { ports, interrupts, stopped, .. } = self;
        let at = |delay: Cycle| {
            move |n: usize, ports: &[Pins; PORTS.len()]| ports[n].at(now.saturating_sub(delay))
        };
        interrupts.see_external(|n| at(EXTERNAL_CYCLES)(n, ports), !*stopped);
        interrupts.see_changes(|n| at(CHANGE_CYCLES)(n, ports));
    }

    fn drive_interrupts(&self, port: &mut Port) {
        for n in 0..8 {
            port.drive(EXTERNAL + n, self.interrupts.requests(n).into());
        }
        for n in 0..3 {
            port.drive(CHANGES + n, self.interrupts.change_requests(n).into());
        }
    }
}

impl Device for Ports {
    fn outputs(&self) -> &'static [&'static str] {
        OUTPUTS
    }

    fn inputs(&self) -> &'static [&'static str] {
        INPUTS
    }

    fn register(&self, offset: u32) -> Option<String> {
        match decode(offset) {
            Some((n, register)) => {
                Some(format!("{}{}", ["PIN", "DDR", "PORT"][register as usize], PORTS[n]))
            }
            None => registers::name(&registers::PIN_INTERRUPTS, offset),
        }
    }

    fn reset(&mut self, port: &mut Port) {
        if port.now() == 0 {
            *self = Ports::default();
        }
        self.ports.iter_mut().for_each(Pins::reset);
        (self.compare, self.polled) =
            (<[u32; COMPARE_PINS.len()]>::default(), [false; PORTS.len()]);
        (self.interrupts, self.pull_ups_off, self.stopped) = (Interrupts::default(), false, false);
        for n in 0..PORTS.len() {
            let (count, first) = pins_of(n);
            let levels = self.ports[n].levels(true);
            self.ports[n].keep(port.now(), levels);
            (0..count).for_each(|bit| port.drive(first + bit, u32::from(levels >> bit & 1)));
        }
        self.show(port.now() + CHANGE_CYCLES);
        (self.interrupts.flags, self.interrupts.change_flags) = (0, 0);
        [SEEN, SENSED, CHANGED].into_iter().for_each(|tag| port.cancel(tag));
        self.drive_interrupts(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        let value = match decode(offset) {
            Some((n, 0)) => {
                self.polled[n] = true;
                self.look_later(port);
                self.ports[n].at(port.now().saturating_sub(SYNCHRONISER_CYCLES))
            }
            Some((n, 1)) => self.ports[n].direction,
            Some((n, _)) => self.ports[n].latch,
            None => self.read_interrupts(offset, port),
        };
        value.into()
    }

    fn steady(&self, _offset: u32) -> bool {
        // A change on a pin that the program reads is an event once the CPU sees it.
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        let value = value as u8;
        let Some((n, register)) = decode(offset) else {
            return self.write_interrupts(offset, value, port);
        };
        let mask = (0xFF_u16 >> (8 - pins_of(n).0)) as u8;
        match register {
            0 => self.ports[n].latch ^= value & mask,
            1 => self.ports[n].direction = value & mask,
            _ => self.ports[n].latch = value & mask,
        }
        self.follow(n, port);
    }

    fn write_bits(&mut self, offset: u32, width: Width, mask: u32, value: u32, port: &mut Port) {
        let acts_by_ones =
            matches!(decode(offset), Some((_, 0))) || [PCIFR, EIFR].contains(&offset);
        let old = if acts_by_ones { 0 } else { self.read(offset, width, port) };
        self.write(offset, width, old & !mask | value, port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.show(port.now());
        self.look_later(port);
        self.drive_interrupts(port);
    }

    fn acknowledged(&mut self, output: Output, port: &mut Port) {
        match output {
            EXTERNAL..CHANGES => self.interrupts.flags &= !(1 << (output - EXTERNAL)),
            _ => self.interrupts.change_flags &= !(1 << (output - CHANGES)),
        }
        self.drive_interrupts(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        match input {
            0..COMPARE => {
                let (n, bit) = place(input);
                self.ports[n].drive(bit, level != 0);
                self.follow(n, port);
            }
            COMPARE..PULL_UPS_OFF => {
                self.compare[input - COMPARE] = level;
                let (n, bit) = COMPARE_PINS[input - COMPARE];
                // Two timers may have the same pin: either raises it.
                let both = COMPARE_PINS.iter().zip(&self.compare).filter(|one| *one.0 == (n, bit));
                let both = both.fold(0, |both, one| both | one.1);
                self.ports[n].compare(bit, (both & 2 != 0).then_some(both & 1 != 0));
                self.follow(n, port);
            }
            PULL_UPS_OFF => {
                self.pull_ups_off = level != 0;
                (0..PORTS.len()).for_each(|n| self.follow(n, port));
            }
            STOPPED => self.stopped = level != 0,
            _ => {}
        }
    }
}
