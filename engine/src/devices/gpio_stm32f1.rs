//! General-purpose I/O port of STM32F1 parts: 16 pins. Follows ST's RM0041, chapter 7, as recalled.

#[cfg(test)]
mod tests;

use super::gate_stm32::Gate;
use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port};

const PART: &str = "gpio_stm32f1";

const PINS: usize = 16;
/// Levels of all pins, and the pins that a peripheral may drive.
const LEVELS: Output = PINS;
const ALTERNATE: Output = PINS + 1;
/// The first input of a pin from outside; before them the pins' peripherals, `af0` to `af15`.
const HALTED: Input = 2 * PINS;

const OUTPUTS: [&str; PINS + 2] = [
    "p0",
    "p1",
    "p2",
    "p3",
    "p4",
    "p5",
    "p6",
    "p7",
    "p8",
    "p9",
    "p10",
    "p11",
    "p12",
    "p13",
    "p14",
    "p15",
    "levels",
    "alternate",
];
const INPUTS: [&str; 2 * PINS + 1] = [
    "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14",
    "p15", "af0", "af1", "af2", "af3", "af4", "af5", "af6", "af7", "af8", "af9", "af10", "af11",
    "af12", "af13", "af14", "af15", "halted",
];
/// All pins are floating inputs.
const CONFIGURATION_AT_RESET: u32 = 0x4444_4444;
const LCKK: u32 = 1 << 16;

/// The device. Its outputs `p0` to `p15` are the pins as the part drives them; a pin that it does not drive is 0.
#[derive(Clone, Debug)]
pub struct Gpio {
    gate: Gate,
    /// CRL and CRH: four bits of each pin.
    configuration: [u32; 2],
    data: u32,
    /// Locked pins, and how far the sequence that locks is.
    lock: u32,
    locked: bool,
    lock_step: u32,
    /// Levels from outside, and which of them were ever driven; levels from peripherals.
    outside: u32,
    wired: u32,
    peripherals: u32,
}

impl Default for Gpio {
    fn default() -> Self {
        Gpio {
            gate: Gate::default(),
            configuration: [CONFIGURATION_AT_RESET; 2],
            data: 0,
            lock: 0,
            locked: false,
            lock_step: 0,
            outside: 0,
            wired: 0,
            peripherals: 0,
        }
    }
}

/// The pins by their four bits.
#[derive(Clone, Copy, Debug, Default)]
struct Pins {
    /// Driven by the port, and by a peripheral; of these: only down.
    outputs: u32,
    alternate: u32,
    open_drain: u32,
    /// Inputs with a pull-up or pull-down.
    pulled: u32,
    analog: u32,
}

impl Gpio {
    fn pins(&self) -> Pins {
        let mut pins = Pins::default();
        for pin in 0..PINS {
            let bits = self.configuration[pin / 8] >> (4 * (pin % 8)) & 15;
            let (mode, kind, bit) = (bits & 3, bits >> 2, 1 << pin);
            match (mode, kind) {
                (0, 0) => pins.analog |= bit,
                (0, 2) => pins.pulled |= bit,
                (0, _) => {}
                (_, kind) => {
                    let which = if kind >= 2 { &mut pins.alternate } else { &mut pins.outputs };
                    *which |= bit;
                    pins.open_drain |= if kind & 1 != 0 { bit } else { 0 };
                }
            }
        }
        pins
    }

    /// Pins that the part drives, and their levels.
    fn driven(&self, pins: &Pins) -> (u32, u32) {
        let levels = self.data & pins.outputs | self.peripherals & pins.alternate;
        let driven = (pins.outputs | pins.alternate) & !(pins.open_drain & levels);
        (driven, levels & driven)
    }

    /// IDR. An open pin keeps its pull's level; without one it is 0.
    fn levels(&self) -> u32 {
        let pins = self.pins();
        let (driven, levels) = self.driven(&pins);
        let outside = self.outside & self.wired | self.data & pins.pulled & !self.wired;
        (levels | outside & !driven) & !pins.analog
    }

    fn drive(&self, port: &mut Port) {
        let pins = self.pins();
        let (_, levels) = self.driven(&pins);
        for pin in 0..PINS {
            port.drive(pin, levels >> pin & 1);
        }
        port.drive(LEVELS, self.levels());
        port.drive(ALTERNATE, pins.alternate);
    }

    /// CRL or CRH: pins that are locked keep their bits.
    fn configure(&mut self, half: usize, value: u32) {
        let locked = if self.locked { self.lock >> (8 * half) & 0xFF } else { 0 };
        for pin in (0..8).filter(|pin| locked >> pin & 1 == 0) {
            let bits = 15 << (4 * pin);
            self.configuration[half] = self.configuration[half] & !bits | value & bits;
        }
    }

    /// LCKR: 1, 0, 1 at bit 16 with the same pins, then a read, lock until reset.
    fn write_lock(&mut self, value: u32) {
        if self.locked {
            return;
        }
        let same = value & 0xFFFF == self.lock;
        self.lock_step = match (self.lock_step, value & LCKK != 0, same) {
            (1, false, true) => 2,
            (2, true, true) => 3,
            (_, true, _) => 1,
            _ => 0,
        };
        self.lock = value & 0xFFFF;
    }

    fn read_lock(&mut self) -> u32 {
        if self.lock_step == 3 {
            self.locked = true;
        }
        self.lock | if self.locked { LCKK } else { 0 }
    }
}

impl Device for Gpio {
    fn outputs(&self) -> &'static [&'static str] {
        &OUTPUTS
    }

    fn inputs(&self) -> &'static [&'static str] {
        &INPUTS
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::GPIO, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Gpio::default();
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        if !self.gate.opens(PART, port) {
            return 0;
        }
        match offset & !3 {
            0x00 => self.configuration[0],
            0x04 => self.configuration[1],
            0x08 => self.levels(),
            0x0C => self.data,
            0x10 | 0x14 => 0,
            0x18 => self.read_lock(),
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    /// A read of LCKR may lock.
    fn steady(&self, offset: u32) -> bool {
        offset & !3 != 0x18 && !self.gate.is_halted()
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        if !self.gate.opens(PART, port) {
            return;
        }
        match offset & !3 {
            0x00 => self.configure(0, value),
            0x04 => self.configure(1, value),
            0x08 => {}
            0x0C => self.data = value & 0xFFFF,
            // A set goes before a clear.
            0x10 => self.data = self.data & !(value >> 16) | value & 0xFFFF,
            0x14 => self.data &= !(value & 0xFFFF),
            0x18 => self.write_lock(value),
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if input == HALTED {
            if self.gate.change(level) {
                let kept = (self.gate, self.outside, self.wired, self.peripherals);
                *self = Gpio::default();
                (self.gate, self.outside, self.wired, self.peripherals) = kept;
            }
        } else {
            let bit = 1 << (input % PINS);
            let levels = if input < PINS {
                self.wired |= bit;
                &mut self.outside
            } else {
                &mut self.peripherals
            };
            *levels = if level != 0 { *levels | bit } else { *levels & !bit };
        }
        self.drive(port);
    }
}
