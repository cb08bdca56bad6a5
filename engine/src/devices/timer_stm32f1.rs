//! General-purpose timers of STM32F1 parts: TIM2 to TIM4. Follows ST's RM0041, chapter 13, as recalled.
//!
//! The counter counts up or down on the timer's own clock. Counts are computed from the time that passed. An event is
//! asked for only while something of the timer is seen outside.

mod access;
mod channel;
mod counter;
#[cfg(test)]
mod tests;

use super::gate_stm32::Gate;
use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;
use counter::{Counter, Happened};
use serde::Deserialize;

const PART: &str = "timer_stm32f1";

const INTERRUPT: Output = 0;
/// The first of the channels' pins, and of the requests to the DMA: update, then channels.
const PIN1: Output = 1;
const DMA: Output = 5;

const HALTED: Input = 0;
const DIVIDER: Input = 1;
const PINS_LOW: Input = 2;

/// Something is seen outside.
const NEXT: Tag = 0;

// CR1.
const CEN: u32 = 1 << 0;
const UDIS: u32 = 1 << 1;
const URS: u32 = 1 << 2;
const OPM: u32 = 1 << 3;
const DIR: u32 = 1 << 4;
const CMS: u32 = 3 << 5;
const ARPE: u32 = 1 << 7;
// SR: update in bit 0, channels in bits 4:1, their overcaptures in bits 12:9.
const UIF: u32 = 1 << 0;
const SR_BITS: u32 = 0x1E5F;

/// `[device.parameters]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The pin of each channel's input: a bit of `pins_low`, or behind 16 of `pins_high`.
    #[serde(default)]
    pins: [u32; 4],
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct Timer {
    parameters: Parameters,
    gate: Gate,
    /// Core cycles of the timer's clock.
    divider: Cycle,
    /// The state is that after every edge of the timer's clock up to this cycle.
    settled: Cycle,
    counter: Counter,
    control2: u32,
    slave: u32,
    /// DIER, SR and DCR.
    enables: u32,
    flags: u32,
    burst: u32,
    /// Levels of pins, and captures that ICxPSC passed over.
    pins: u32,
    passed: [u32; 4],
}

impl Timer {
    /// A timer whose inputs are these pins.
    pub fn new(parameters: Parameters) -> Result<Self, String> {
        if parameters.pins.iter().any(|pin| *pin > 31) {
            return Err("`pins` must be numbers from 0 to 31".to_owned());
        }
        Ok(Timer {
            parameters,
            gate: Gate::default(),
            divider: 1,
            settled: 0,
            counter: Counter::default(),
            control2: 0,
            slave: 0,
            enables: 0,
            flags: 0,
            burst: 0,
            pins: 0,
            passed: [0; 4],
        })
    }

    /// Returns to the registers after reset; what the wires say stays.
    fn forget(&mut self) {
        let kept = (self.gate, self.divider, self.settled, self.pins);
        if let Ok(fresh) = Timer::new(self.parameters.clone()) {
            *self = fresh;
        }
        (self.gate, self.divider, self.settled, self.pins) = kept;
    }

    /// Counts the edges of the clock up to now.
    fn settle(&mut self, port: &mut Port) {
        let ticks = port.now() / self.divider - self.settled / self.divider;
        self.settled = port.now();
        if !self.gate.is_halted() {
            let happened = self.counter.advance(ticks);
            self.note(happened, port);
        }
    }

    /// Flags, and requests to the DMA.
    fn note(&mut self, happened: Happened, port: &mut Port) {
        self.flags |= happened.flags;
        let asks = happened.requests & self.enables >> 8 & 0x1F;
        for output in (0..5).filter(|bit| asks >> bit & 1 != 0) {
            port.send(DMA + output, 1);
        }
    }

    /// Drives the outputs and asks for the next event.
    fn show(&mut self, port: &mut Port) {
        port.drive(INTERRUPT, u32::from(self.flags & self.enables & 0x5F != 0));
        let levels = self.counter.pins();
        (0..4).for_each(|n| port.drive(PIN1 + n, levels >> n & 1));
        // A flag that is set already is seen no more.
        let seen = self.enables & !self.flags | self.enables >> 8;
        let ticks = if self.gate.is_halted() { None } else { self.counter.quiet(seen & 0x1F) };
        match ticks {
            Some(ticks) => {
                let edge = (self.settled / self.divider).saturating_add(ticks).saturating_add(1);
                port.schedule(NEXT, edge.saturating_mul(self.divider));
            }
            None => port.cancel(NEXT),
        }
    }
}

impl Device for Timer {
    fn outputs(&self) -> &'static [&'static str] {
        &[
            "interrupt",
            "ch1",
            "ch2",
            "ch3",
            "ch4",
            "dma_update",
            "dma_ch1",
            "dma_ch2",
            "dma_ch3",
            "dma_ch4",
        ]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["halted", "divider", "pins_low", "pins_high"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::TIMER, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        (self.gate, self.divider, self.pins) = (Gate::default(), 1, 0);
        self.settled = port.now();
        self.forget();
        self.show(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.settle(port);
        if !self.gate.opens(PART, port) {
            return 0;
        }
        let value = self.read_register(offset & !3, port);
        self.show(port);
        value
    }

    fn steady(&self, offset: u32) -> bool {
        let counts = matches!(offset & !3, 0x10 | 0x24 | 0x34..=0x40);
        !self.gate.is_halted() && !counts
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.settle(port);
        if !self.gate.opens(PART, port) {
            return;
        }
        self.write_register(offset & !3, value, port);
        self.show(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.settle(port);
        self.show(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        self.settle(port);
        match input {
            HALTED => {
                if self.gate.change(level) {
                    self.forget();
                }
            }
            DIVIDER => self.divider = Cycle::from(level.max(1)),
            _ => {
                let half = 16 * (input - PINS_LOW) as u32;
                let pins = self.pins & !(0xFFFF << half) | (level & 0xFFFF) << half;
                self.sample(pins, port);
            }
        }
        self.show(port);
    }
}
