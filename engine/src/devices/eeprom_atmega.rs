//! EEPROM controller of the ATmega640/1280/2560. Follows the data sheet (Atmel 2549), section 8.3.
//!
//! The bytes are a memory of the board, where images load them and debuggers see them. The controller reads and writes
//! it by itself, on a bus of its own.

#[cfg(test)]
mod tests;

use super::no_register;
use super::opened_atmega::{Window, WINDOW_CYCLES};
use super::registers_atmega as registers;
use crate::bus::{Abort, Access, Width};
use crate::device::{Device, Input, Output, Port, Tag, Transfer};
use crate::time::Cycle;
use serde::Deserialize;

const PART: &str = "eeprom_atmega";

/// Its keys in the board file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// First address of the memory.
    base: u32,
    /// Its bytes, a power of two.
    size: u32,
}

const READY: Output = 0;
/// EEPE goes back to 0.
const PROGRAMMED: Tag = 0;
/// EEMPE does.
const CLOSED: Tag = 1;
// Transfers.
const READ: Tag = 0;
const OLD: Tag = 1;
const WRITE: Tag = 2;

// Registers.
const EECR: u32 = 0;
const EEDR: u32 = 1;
const EEARL: u32 = 2;
const EEARH: u32 = 3;

// EECR.
const MODE: u8 = 3 << 4;
const EERIE: u8 = 1 << 3;
const EEMPE: u8 = 1 << 2;
const EEPE: u8 = 1 << 1;
const EERE: u8 = 1 << 0;

/// Cycles that the CPU is halted by a read, and by the start of programming.
const READ_STALL_CYCLES: u32 = 4;
const WRITE_STALL_CYCLES: u32 = 2;
/// Programming times by EEPM (Table 8-2), in units of 0.1 ms: erase and write, erase, write.
const PROGRAMMING_TENTHS_MS: [u64; 3] = [34, 18, 18];
const TENTHS_MS_PER_S: u64 = 10_000;

/// A byte that is programmed.
#[derive(Clone, Copy, Debug)]
struct Programming {
    mode: u8,
    address: u32,
    data: u8,
    old: u8,
    ends: Cycle,
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct Eeprom {
    parameters: Parameters,
    hz: u32,
    /// EEPM and EERIE.
    control: u8,
    address: u32,
    data: u8,
    /// EEMPE is set, and EEPE starts to program.
    opened: Window,
    programming: Option<Programming>,
}

impl Eeprom {
    /// A controller of this memory.
    ///
    /// # Errors
    /// A clause, if the memory cannot be one.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        if !parameters.size.is_power_of_two() || parameters.size > 1 << 12 {
            let size = parameters.size;
            return Err(format!("`size` is {size}: it must be a power of two, 4096 at most"));
        }
        Ok(Eeprom {
            parameters,
            hz: 0,
            control: 0,
            address: 0,
            data: 0,
            opened: Window::default(),
            programming: None,
        })
    }

    fn transfer(&self, tag: Tag, address: u32, write: Option<u32>, port: &mut Port) {
        let address = self.parameters.base + address % self.parameters.size;
        let access = Access::data(Width::Byte);
        port.transfer(Transfer { tag, address, access, write, burst: false });
    }

    fn settle(&self, port: &mut Port) {
        let ready = self.programming.is_none() && self.control & EERIE != 0;
        port.drive(READY, ready.into());
    }

    fn write_control(&mut self, value: u8, port: &mut Port) {
        let now = port.now();
        let starts = value & EEPE != 0 && self.opened.is_open(now) && self.programming.is_none();
        if self.programming.is_none() {
            self.control = value & MODE;
        }
        self.control = self.control & MODE | value & EERIE;
        if value & EEMPE != 0 && !starts {
            self.opened.open(now);
            port.schedule(CLOSED, now + WINDOW_CYCLES);
        }
        if starts {
            self.program(port);
        } else if value & EERE != 0 {
            self.read_byte(port);
        }
    }

    fn read_byte(&self, port: &mut Port) {
        if self.programming.is_some() {
            return port.unmodelled("EERE while EEPE is set: nothing is read");
        }
        self.transfer(READ, self.address, None, port);
        port.stall(READ_STALL_CYCLES);
    }

    fn program(&mut self, port: &mut Port) {
        let mode = self.control >> 4;
        let Some(tenths_ms) = PROGRAMMING_TENTHS_MS.get(usize::from(mode)) else {
            return port.unmodelled("EECR: EEPM is 3, which is reserved: nothing is programmed");
        };
        let cycles = (tenths_ms * u64::from(self.hz)).div_ceil(TENTHS_MS_PER_S).max(1);
        let (address, data, ends) = (self.address, self.data, port.now() + cycles);
        self.programming = Some(Programming { mode, address, data, old: 0xFF, ends });
        self.transfer(OLD, address, None, port);
        port.schedule(PROGRAMMED, ends);
        port.stall(WRITE_STALL_CYCLES);
    }
}

impl Device for Eeprom {
    fn outputs(&self) -> &'static [&'static str] {
        &["ready"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["core_hz"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::EEPROM, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        // A byte that is being programmed is finished, but for a loss of power.
        let programming = self.programming.filter(|_| port.now() > 0);
        let made = Eeprom::new(self.parameters);
        *self = Eeprom { hz: self.hz, programming, ..made.unwrap_or_else(|_| self.clone()) };
        port.cancel(CLOSED);
        match self.programming {
            Some(programming) => port.schedule(PROGRAMMED, programming.ends.max(port.now())),
            None => port.cancel(PROGRAMMED),
        }
        self.settle(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            EECR => {
                let open = if self.opened.shows(port.now()) { EEMPE } else { 0 };
                let busy = if self.programming.is_some() { EEPE } else { 0 };
                (self.control | open | busy).into()
            }
            EEDR => self.data.into(),
            EEARL => self.address & 0xFF,
            EEARH => self.address >> 8,
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
        let value = value & 0xFF;
        match offset {
            EECR => self.write_control(value as u8, port),
            EEDR | EEARL | EEARH if self.programming.is_some() => {
                port.unmodelled("EEDR or EEAR written while EEPE is set: it stays as it was");
            }
            EEDR => self.data = value as u8,
            EEARL => self.address = self.address & 0xF00 | value,
            EEARH => self.address = self.address & 0xFF | value << 8 & 0xF00,
            _ => no_register(PART, offset, port),
        }
        self.settle(port);
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        if tag == CLOSED {
            return;
        }
        if let Some(Programming { mode, address, data, old, .. }) = self.programming.take() {
            let value = match mode {
                0 => data,
                1 => 0xFF,
                _ => data & old,
            };
            self.transfer(WRITE, address, Some(value.into()), port);
        }
        self.settle(port);
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        let Ok(value) = answer else {
            return port.fail("the board has no memory where its EEPROM should be");
        };
        match (tag, &mut self.programming) {
            (READ, _) => self.data = value as u8,
            (OLD, Some(programming)) => programming.old = value as u8,
            _ => {}
        }
    }

    fn changed(&mut self, _input: Input, level: u32, _port: &mut Port) {
        self.hz = level;
    }
}
