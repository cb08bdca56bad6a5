//! Clock, sleep, resets and power of the ATmega640/1280/2560: SMCR, MCUSR, MCUCR, CLKPR, PRRn, and registers that
//! hold what is written. Follows the data sheet (Atmel 2549), chapters 8 to 12.

mod sleep;
#[cfg(test)]
mod tests;

use super::no_register;
use super::opened_atmega::{Window, WINDOW_CYCLES};
use super::registers_atmega as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;
use serde::Deserialize;
use sleep::Mode;

const PART: &str = "system_atmega";

/// Its keys in the board file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The frequency before CLKPR divides it.
    oscillator_hz: u32,
    /// Fuse CKDIV8: a reset divides by 8.
    #[serde(default)]
    divided_by_8: bool,
    /// Cycles in which the oscillator starts after power-down and power-save (fuses CKSEL and SUT).
    #[serde(default = "slow_crystal")]
    start_up_cycles: u32,
}

/// A crystal oscillator that starts slowly (Table 10-4).
fn slow_crystal() -> u32 {
    16_384
}

const SLEEP: Output = 0;
const IO_STOPPED: Output = 1;
const CORE_HZ: Output = 2;
const PULL_UPS_OFF: Output = 3;
const WATCHDOG_FORCED: Output = 4;
const CLOCKED: Output = 5;
const SLEEP_MODE: Output = 6;
const HALTED: Output = 7;

const ASKED: Input = 0;
const REQUESTED: Input = 1;
const WATCHDOG: Input = 2;

const WAKE: Tag = 0;
const CLOSES: Tag = 1;

// Registers.
const SMCR: u32 = 0x00;
const MCUSR: u32 = 0x01;
const MCUCR: u32 = 0x02;
const SPMCSR: u32 = 0x04;
const CLKPR: u32 = 0x11;
const PRR0: u32 = 0x14;
const PRR1: u32 = 0x15;
const OSCCAL: u32 = 0x16;
const GPIOR0: u32 = 0x20;
const GPIOR2: u32 = 0x22;
const XMCRA: u32 = 0x24;
const XMCRB: u32 = 0x25;

const SE: u8 = 1 << 0;
const PORF: u8 = 1 << 0;
const EXTRF: u8 = 1 << 1;
const WDRF: u8 = 1 << 3;
const JTD: u8 = 1 << 7;
const PUD: u8 = 1 << 4;
const IVSEL: u8 = 1 << 1;
const IVCE: u8 = 1 << 0;
const CLKPCE: u8 = 1 << 7;
const SRE: u8 = 1 << 7;

/// Bits of PRR1:PRR0 behind the outputs from `HALTED` on: timers 0 to 5, USARTs 0 to 3.
const HALTS: [u16; 10] = [5, 3, 6, 11, 12, 13, 1, 8, 9, 10];
/// The bits of PRR1:PRR0 that there are.
const REDUCIBLE: u16 = 0x3FEF;

/// How the core asked for its sleep.
const ASKED_WITH_INTERRUPTS: u32 = 1;

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct SystemControl {
    parameters: Parameters,
    smcr: u8,
    resets: u8,
    mcucr: u8,
    vectors: Window,
    spmcsr: u8,
    prescale: u8,
    clock: Window,
    reduced: u16,
    stored: [u8; 6],
    asleep: Option<Mode>,
    /// The sleep ends with a request.
    wakes: bool,
    requested_since: Option<Cycle>,
    /// The watchdog asks for a reset.
    watchdog: bool,
}

/// Place in `stored` of what only holds a value.
fn place(offset: u32) -> Option<usize> {
    Some(match offset {
        OSCCAL => 0,
        GPIOR0..=GPIOR2 => 1 + (offset - GPIOR0) as usize,
        XMCRA => 4,
        XMCRB => 5,
        _ => return None,
    })
}

impl SystemControl {
    /// One with these fuses.
    pub fn new(parameters: Parameters) -> Self {
        SystemControl {
            parameters,
            smcr: 0,
            resets: PORF,
            mcucr: 0,
            vectors: Window::default(),
            spmcsr: 0,
            prescale: if parameters.divided_by_8 { 3 } else { 0 },
            clock: Window::default(),
            reduced: 0,
            stored: [0; 6],
            asleep: None,
            wakes: false,
            requested_since: None,
            watchdog: false,
        }
    }

    fn drive(&self, port: &mut Port) {
        port.drive(SLEEP, self.asleep.is_some().into());
        port.drive(IO_STOPPED, self.asleep.is_some_and(Mode::stops_io).into());
        port.drive(CORE_HZ, self.parameters.oscillator_hz >> self.prescale);
        port.drive(PULL_UPS_OFF, u32::from(self.mcucr & PUD != 0));
        port.drive(WATCHDOG_FORCED, u32::from(self.resets & WDRF != 0));
        port.drive(CLOCKED, u32::from(!self.reduced & self.asleep.map_or(!0, Mode::clocked)));
        port.drive(SLEEP_MODE, self.asleep.map_or(0, |mode| 1 + mode as u32));
        for (n, bit) in HALTS.into_iter().enumerate() {
            port.drive(HALTED + n, u32::from(self.reduced >> bit & 1));
        }
    }

    fn write_clock(&mut self, value: u8, port: &mut Port) {
        let now = port.now();
        if value == CLKPCE {
            self.clock.open(now);
            port.schedule(CLOSES, now + WINDOW_CYCLES);
        } else if self.clock.close(now) && value & CLKPCE == 0 {
            if value & 0xF > 8 {
                port.unmodelled("CLKPR: a reserved division, the clock stays as it was");
            } else {
                self.prescale = value & 0xF;
            }
        }
    }

    fn write_control(&mut self, value: u8, port: &mut Port) {
        let now = port.now();
        if value & IVCE != 0 {
            self.vectors.open(now);
        } else if self.vectors.close(now) && value & IVSEL != 0 {
            port.unmodelled("MCUCR: IVSEL, the vectors stay where they are");
        }
        self.mcucr = value & (JTD | PUD);
    }

    fn store(&mut self, offset: u32, value: u8, port: &mut Port) {
        match place(offset) {
            Some(at) => self.stored[at] = value,
            None => no_register(PART, offset, port),
        }
        if offset == XMCRA && value & SRE != 0 {
            port.unmodelled("XMCRA: SRE, there is no memory outside");
        }
    }
}

impl Device for SystemControl {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "sleep",
            "io_stopped",
            "core_hz",
            "pull_ups_off",
            "watchdog_forced",
            "clocked",
            "sleep_mode",
            "timer0_halted",
            "timer1_halted",
            "timer2_halted",
            "timer3_halted",
            "timer4_halted",
            "timer5_halted",
            "usart0_halted",
            "usart1_halted",
            "usart2_halted",
            "usart3_halted",
        ]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["asked", "requested", "watchdog"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::SYSTEM, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        // Cycle 0 is power-on. Later it is the pin, unless the watchdog asks.
        let cause = if self.watchdog { WDRF } else { EXTRF };
        let resets = if port.now() == 0 { PORF } else { self.resets | cause };
        *self = SystemControl { resets, ..Self::new(self.parameters) };
        [WAKE, CLOSES].into_iter().for_each(|tag| port.cancel(tag));
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        let open = |window: &Window, bit: u8| if window.shows(port.now()) { bit } else { 0 };
        let value = match offset {
            SMCR => self.smcr,
            MCUSR => self.resets,
            MCUCR => self.mcucr | open(&self.vectors, IVCE),
            SPMCSR => self.spmcsr,
            CLKPR => self.prescale | open(&self.clock, CLKPCE),
            PRR0 => self.reduced as u8,
            PRR1 => (self.reduced >> 8) as u8,
            _ => match place(offset) {
                Some(at) => self.stored[at],
                None => {
                    no_register(PART, offset, port);
                    0
                }
            },
        };
        value.into()
    }

    fn steady(&self, offset: u32) -> bool {
        // Windows close without an event.
        match offset {
            MCUCR => !self.vectors.may_close(),
            CLKPR => !self.clock.may_close(),
            _ => true,
        }
    }

    fn highest(&self, _output: Output) -> u32 {
        self.parameters.oscillator_hz
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        let value = value as u8;
        match offset {
            SMCR => self.smcr = value & 0x0F,
            MCUSR => self.resets &= value,
            MCUCR => self.write_control(value, port),
            SPMCSR => self.spmcsr = value,
            CLKPR => self.write_clock(value, port),
            PRR0 => self.reduced = (self.reduced & 0xFF00 | u16::from(value)) & REDUCIBLE,
            PRR1 => self.reduced = (self.reduced & 0xFF | u16::from(value) << 8) & REDUCIBLE,
            _ => self.store(offset, value, port),
        }
        self.drive(port);
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        if tag == WAKE {
            self.asleep = None;
        }
        self.drive(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        match input {
            ASKED if level != 0 => self.ask(level, port),
            REQUESTED => {
                self.requested_since = (level != 0).then(|| port.now());
                self.wake_if_requested(port);
            }
            WATCHDOG => self.watchdog = level != 0,
            _ => {}
        }
        self.drive(port);
    }
}
