//! General purpose pins of the LPC2148: the legacy registers on the VPB and the fast ones on the local
//! bus, two windows on the same pins. Follows the LPC214x user manual (UM10139), GPIO chapter.
//!
//! | offset | window |
//! |---|---|
//! | 0x000 | legacy: IO0PIN, IO0SET, IO0DIR, IO0CLR; port 1 at 0x010 |
//! | 0x100 | fast: FIO0DIR 0x100, FIO0MASK 0x110, FIO0PIN 0x114, FIO0SET 0x118, FIO0CLR 0x11C; port 1 at 0x120 |

use super::no_register;
use super::registers;
use crate::bus::Width;
use crate::device::{Device, Input, Port};

const PART: &str = "gpio_lpc2000";

/// The pins that exist: 29 of port 0, 16 of port 1.
const PINS: [u32; 2] = [0xF2FF_FFFF, 0xFFFF_0000];
const FAST: u32 = 0x100;

const OUTPUTS: &[&str] = &[
    "p0.0", "p0.1", "p0.2", "p0.3", "p0.4", "p0.5", "p0.6", "p0.7", "p0.8", "p0.9", "p0.10",
    "p0.11", "p0.12", "p0.13", "p0.14", "p0.15", "p0.16", "p0.17", "p0.18", "p0.19", "p0.20",
    "p0.21", "p0.22", "p0.23", "p0.25", "p0.28", "p0.29", "p0.30", "p0.31", "p1.16", "p1.17",
    "p1.18", "p1.19", "p1.20", "p1.21", "p1.22", "p1.23", "p1.24", "p1.25", "p1.26", "p1.27",
    "p1.28", "p1.29", "p1.30", "p1.31",
];

const INPUTS: &[&str] = &[
    "scs", "in0.0", "in0.1", "in0.2", "in0.3", "in0.4", "in0.5", "in0.6", "in0.7", "in0.8",
    "in0.9", "in0.10", "in0.11", "in0.12", "in0.13", "in0.14", "in0.15", "in0.16", "in0.17",
    "in0.18", "in0.19", "in0.20", "in0.21", "in0.22", "in0.23", "in0.25", "in0.28", "in0.29",
    "in0.30", "in0.31", "in1.16", "in1.17", "in1.18", "in1.19", "in1.20", "in1.21", "in1.22",
    "in1.23", "in1.24", "in1.25", "in1.26", "in1.27", "in1.28", "in1.29", "in1.30", "in1.31",
];
const SCS: Input = 0;
const FIRST_PIN: Input = 1;

/// One port of 32 pins.
#[derive(Clone, Copy, Debug, Default)]
struct Pins {
    direction: u32,
    latch: u32,
    mask: u32,
    outside: u32,
}

impl Pins {
    /// The levels on the pins: driven from inside where they are outputs, from outside elsewhere.
    fn levels(&self) -> u32 {
        self.latch & self.direction | self.outside & !self.direction
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    Pin,
    Set,
    Direction,
    Clear,
    Mask,
}

/// The device; see the file's head. Each pin that exists is an output `p0.0` .. `p1.31`, the level on
/// the pin, and an input `in0.0` .. `in1.31`, what the world drives it with (low when nothing does).
#[derive(Clone, Debug, Default)]
pub struct Gpio {
    ports: [Pins; 2],
    scs: u32,
}

/// The port and bit of every pin, in the order of the outputs.
fn pins() -> impl Iterator<Item = (usize, u32)> {
    (0..2).flat_map(|port| {
        (0..32).filter(move |bit| PINS[port] >> bit & 1 != 0).map(move |bit| (port, bit))
    })
}

/// Port and register at `offset`, a multiple of four.
fn decode(offset: u32) -> Option<(usize, Register)> {
    Some(match offset {
        0x000..=0x01C => {
            let register = [Register::Pin, Register::Set, Register::Direction, Register::Clear];
            ((offset >> 4) as usize, register[(offset >> 2 & 3) as usize])
        }
        0x100..=0x13C => {
            let register = match offset & 0x1C {
                0x00 => Register::Direction,
                0x10 => Register::Mask,
                0x14 => Register::Pin,
                0x18 => Register::Set,
                0x1C => Register::Clear,
                _ => return None,
            };
            ((offset >> 5 & 1) as usize, register)
        }
        _ => return None,
    })
}

impl Gpio {
    /// Port and register at `offset`, unless there is none or SCS has given the port to the other window.
    fn register(&self, offset: u32, port: &mut Port) -> Option<(usize, Register)> {
        let decoded = decode(offset & !3);
        match decoded {
            None => no_register(PART, offset, port),
            Some((n, _)) if (self.scs >> n & 1 != 0) != (offset >= FAST) => {
                let window = if offset >= FAST { "fast" } else { "legacy" };
                port.unmodelled(format!(
                    "{window} GPIO registers of port {n} while SCS selects the others: no effect"
                ));
                return None;
            }
            Some(_) => {}
        }
        decoded
    }

    fn drive(&self, before: [u32; 2], port: &mut Port) {
        for (output, (n, bit)) in pins().enumerate() {
            let levels = self.ports[n].levels();
            if (levels ^ before[n]) >> bit & 1 != 0 {
                port.drive(output, levels >> bit & 1);
            }
        }
    }

    fn levels(&self) -> [u32; 2] {
        self.ports.map(|pins| pins.levels())
    }
}

/// The bits that an access of `width` at `offset` reaches, and how far up they stand.
fn window(offset: u32, width: Width) -> (u32, u32) {
    let shift = 8 * (offset & 3);
    let bits = match width {
        Width::Byte => 0xFF,
        Width::Half => 0xFFFF,
        Width::Word => u32::MAX,
    };
    (bits << shift, shift)
}

impl Device for Gpio {
    fn outputs(&self) -> &'static [&'static str] {
        OUTPUTS
    }

    fn inputs(&self) -> &'static [&'static str] {
        INPUTS
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::GPIO, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Gpio::default();
        self.drive(self.levels().map(|levels| !levels), port);
    }

    fn read(&mut self, offset: u32, width: Width, port: &mut Port) -> u32 {
        let Some((n, register)) = self.register(offset, port) else { return 0 };
        let pins = &self.ports[n];
        let value = match register {
            Register::Pin if offset >= FAST => pins.levels() & !pins.mask,
            Register::Pin => pins.levels(),
            Register::Set => pins.latch,
            Register::Direction => pins.direction,
            Register::Mask => pins.mask,
            Register::Clear => 0,
        };
        let (bits, shift) = window(offset, width);
        (value & PINS[n] & bits) >> shift
    }

    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut Port) {
        let Some((n, register)) = self.register(offset, port) else { return };
        let before = self.levels();
        let pins = &mut self.ports[n];
        let (bits, shift) = window(offset, width);
        let value = value << shift & bits;
        let bits = bits & PINS[n];
        let open = if offset >= FAST { bits & !pins.mask } else { bits };
        match register {
            Register::Pin => pins.latch = pins.latch & !open | value & open,
            Register::Set => pins.latch |= value & open,
            Register::Clear => pins.latch &= !(value & open),
            Register::Direction => pins.direction = pins.direction & !bits | value & bits,
            Register::Mask => pins.mask = pins.mask & !bits | value & bits,
        }
        self.drive(before, port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if input == SCS {
            self.scs = level;
            return;
        }
        let before = self.levels();
        if let Some((n, bit)) = pins().nth(input - FIRST_PIN) {
            let pins = &mut self.ports[n];
            pins.outside = pins.outside & !(1 << bit) | u32::from(level != 0) << bit;
        }
        self.drive(before, port);
    }
}

#[cfg(test)]
mod tests;
