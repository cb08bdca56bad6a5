//! Reset and clock control of STM32F1 parts, value line. Follows ST's RM0041, chapter 6, as recalled.
//!
//! The core's clock is HCLK. Peripherals learn of their clocks by the dividers of their buses and by a `halted` line
//! each (`gate_stm32.rs`).

mod clock;
mod gates;
#[cfg(test)]
mod tests;

use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;
use gates::GATES;
use serde::Deserialize;

const PART: &str = "rcc_stm32f1";

const CORE_HZ: Output = 0;
const PCLK1_DIVIDER: Output = 1;
const PCLK2_DIVIDER: Output = 2;
const TIMER1_DIVIDER: Output = 3;
const INTERRUPT: Output = 4;
const AHB_ENABLED: Output = 5;
const APB1_ENABLED: Output = 6;
const APB2_ENABLED: Output = 7;
/// The first of the `halted` lines, in the order of [`GATES`].
const FIRST_GATE: Output = 8;

/// Wake from the Stop mode: the clock falls back to the HSI.
const STOPPED: Input = 0;

// Events: an oscillator or the PLL is ready.
const HSI: Tag = 0;
const HSE: Tag = 1;
const PLL: Tag = 2;
const LSI: Tag = 3;

// CR: what is on; the bit behind each is its ready flag.
const HSION: u32 = 1 << 0;
const HSEON: u32 = 1 << 16;
const HSEBYP: u32 = 1 << 18;
const CSSON: u32 = 1 << 19;
const PLLON: u32 = 1 << 24;
const CR_RESET: u32 = 0x0000_0083;
// CSR.
const LSION: u32 = 1 << 0;
const RMVF: u32 = 1 << 24;
const POWER_ON: u32 = 0x0C00_0000;

/// `[device.parameters]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The crystal, in Hz.
    oscillator_hz: u32,
    /// The RC oscillator, in Hz.
    #[serde(default = "hsi_hz")]
    hsi_hz: u32,
    /// From HSEON to HSERDY, in µs.
    #[serde(default = "hse_us")]
    hse_us: u32,
    /// From PLLON to PLLRDY, in µs.
    #[serde(default = "pll_us")]
    pll_us: u32,
    /// The fastest core clock that the part allows, in Hz.
    #[serde(default = "max_hz")]
    max_hz: u32,
}

fn hsi_hz() -> u32 {
    8_000_000
}

fn hse_us() -> u32 {
    2000
}

fn pll_us() -> u32 {
    200
}

fn max_hz() -> u32 {
    24_000_000
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct ResetAndClock {
    parameters: Parameters,
    control: u32,
    configuration: u32,
    /// CFGR2: PREDIV1.
    predivider: u32,
    /// CIR: flags in bits 4:0, enables in bits 12:8.
    interrupts: u32,
    /// Resets and enables of APB2, APB1 and, of enables, AHB.
    resets: [u32; 2],
    enables: [u32; 3],
    backup: u32,
    status: u32,
    /// The clock that runs now: 0 HSI, 1 HSE, 2 PLL.
    source: u32,
    /// Levels driven last.
    gates: [u32; GATES.len()],
}

impl ResetAndClock {
    /// A reset and clock control with these oscillators.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        if parameters.oscillator_hz == 0 || parameters.hsi_hz == 0 {
            return Err("`oscillator_hz` and `hsi_hz` must be at least 1".to_owned());
        }
        Ok(Self::after_reset(parameters))
    }

    fn after_reset(parameters: Parameters) -> Self {
        ResetAndClock {
            parameters,
            control: CR_RESET,
            configuration: 0,
            predivider: 0,
            interrupts: 0,
            resets: [0; 2],
            enables: [0, 0, 0x14],
            backup: 0,
            status: POWER_ON,
            source: 0,
            gates: [0; GATES.len()],
        }
    }

    fn write_interrupts(&mut self, value: u32, port: &mut Port) {
        let cleared = value >> 16 & 0x1F;
        self.interrupts = self.interrupts & 0x1F & !cleared | value & 0x1F00;
        self.drive_interrupt(port);
    }

    fn drive_interrupt(&self, port: &mut Port) {
        port.drive(INTERRUPT, u32::from(self.interrupts & self.interrupts >> 8 & 0x1F != 0));
    }

    /// An oscillator is ready: its flag, and its request.
    fn ready(&mut self, tag: Tag, port: &mut Port) {
        let (on, flag) = match tag {
            HSI => (HSION, 2),
            HSE => (HSEON, 3),
            PLL => (PLLON, 4),
            _ => {
                if self.status & LSION != 0 {
                    self.status |= LSION << 1;
                    self.interrupts |= 1;
                }
                return self.drive_interrupt(port);
            }
        };
        if self.control & on != 0 {
            self.control |= on << 1;
            self.interrupts |= 1 << flag;
        }
        self.drive_interrupt(port);
        self.settle_clock(port);
    }

    fn write_status(&mut self, value: u32, port: &mut Port) {
        if value & RMVF != 0 {
            self.status &= 0x3;
        }
        let turned_on = value & !self.status & LSION;
        self.status = self.status & !LSION | value & LSION;
        if turned_on != 0 {
            self.expect(LSI, 85, port);
        } else if value & LSION == 0 {
            self.status &= !(LSION << 1);
            port.cancel(LSI);
        }
    }

    /// Asks for the event `tag` so many µs from now.
    fn expect(&self, tag: Tag, us: u32, port: &mut Port) {
        let cycles = (u64::from(us) * u64::from(self.core_hz())).div_ceil(1_000_000);
        port.schedule(tag, port.now().saturating_add(Cycle::max(cycles, 1)));
    }
}

impl Device for ResetAndClock {
    fn outputs(&self) -> &'static [&'static str] {
        gates::OUTPUTS
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["stopped"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::RCC, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Self::after_reset(self.parameters.clone());
        [HSI, HSE, PLL, LSI].into_iter().for_each(|tag| port.cancel(tag));
        self.drive_clocks(port);
        self.drive_interrupt(port);
        (0..GATES.len()).for_each(|gate| self.gates[gate] = !0);
        self.drive_gates(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset & !3 {
            0x00 => self.control,
            0x04 => self.configuration & !(3 << 2) | self.source << 2,
            0x08 => self.interrupts,
            0x0C => self.resets[0],
            0x10 => self.resets[1],
            0x14 => self.enables[2],
            0x18 => self.enables[0],
            0x1C => self.enables[1],
            0x20 => self.backup,
            0x24 => self.status,
            0x2C => self.predivider,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    /// Its registers change by writes and by its events.
    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match offset & !3 {
            0x00 => self.write_control(value, port),
            0x04 => self.write_configuration(value, port),
            0x08 => self.write_interrupts(value, port),
            0x0C => self.write_gates(|this| this.resets[0] = value & gates::APB2, port),
            0x10 => self.write_gates(|this| this.resets[1] = value & gates::APB1, port),
            0x14 => self.write_gates(|this| this.enables[2] = value & gates::AHB, port),
            0x18 => self.write_gates(|this| this.enables[0] = value & gates::APB2, port),
            0x1C => self.write_gates(|this| this.enables[1] = value & gates::APB1, port),
            0x20 => {
                if value != 0 {
                    port.unmodelled("BDCR: the backup domain has no clock, LSERDY stays 0");
                }
                self.backup = value & 0x0001_8305;
            }
            0x24 => self.write_status(value, port),
            0x2C => self.write_predivider(value, port),
            _ => no_register(PART, offset, port),
        }
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        self.ready(tag, port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if input == STOPPED && level != 0 {
            self.fall_back(port);
        }
    }

    fn highest(&self, output: Output) -> u32 {
        if output == CORE_HZ {
            self.fastest_hz()
        } else {
            u32::MAX
        }
    }
}
