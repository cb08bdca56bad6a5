//! Timer/counter of the LPC2000 parts: TIMER0 and TIMER1 of the LPC2148.
//! Follows the LPC214x user manual (UM10139), TIMER0/TIMER1 chapter.
//!
//! A match interrupts, stops and moves its output at the PCLK after TC came to the match value. It
//! resets TC at the end of that count. So a timer that resets on match has a period of (MR+1)(PR+1)
//! PCLK.

mod counter;
#[cfg(test)]
mod tests;

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;
use counter::Counter;

const PART: &str = "timer_lpc2000";

const INTERRUPT: Output = 0;
const MATCH0: Output = 1;
const OUTPUTS: Output = 5;

const PCLK_DIVIDER: Input = 0;
const CAPTURE0: Input = 1;

/// A match does something.
const MATCH: Tag = 0;
/// The PCLK edge after a capture input changed.
const SAMPLE: Tag = 1;

const ENABLE: u32 = 1 << 0;
const RESET: u32 = 1 << 1;

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct Timer {
    /// The state is that after every PCLK edge up to this cycle.
    settled: Cycle,
    pclk_divider: Cycle,
    counter: Counter,
    interrupts: u32,
    tcr: u32,
    ccr: u32,
    ctcr: u32,
    captured: [u32; 4],
    /// Levels of the capture inputs, now and as the last PCLK edge saw them.
    captures: u32,
    sampled: u32,
    sample_due: Option<Cycle>,
    match_due: Option<Cycle>,
    /// Levels of the outputs, bit by bit.
    driven: u32,
}

impl Default for Timer {
    fn default() -> Self {
        let mut counter = Counter::default();
        counter.clear();
        Timer {
            settled: 0,
            pclk_divider: 1,
            counter,
            interrupts: 0,
            tcr: 0,
            ccr: 0,
            ctcr: 0,
            captured: [0; 4],
            captures: 0,
            sampled: 0,
            sample_due: None,
            match_due: None,
            driven: 0,
        }
    }
}

impl Timer {
    fn runs(&self) -> bool {
        self.tcr & (ENABLE | RESET) == ENABLE
    }

    /// Counts the PCLK edges up to now.
    fn settle(&mut self, port: &mut Port) {
        let now = port.now();
        let ticks = now / self.pclk_divider - self.settled / self.pclk_divider;
        self.settled = now;
        if self.runs() {
            let outcome = self.counter.advance(ticks);
            self.interrupts |= outcome.interrupts;
            if outcome.stopped {
                self.tcr &= !ENABLE;
            }
        }
        if self.sample_due.is_some_and(|at| at <= now) {
            self.sample_due = None;
            self.sample();
        }
    }

    /// A PCLK edge samples the capture inputs.
    fn sample(&mut self) {
        let rose = self.captures & !self.sampled;
        let fell = self.sampled & !self.captures;
        self.sampled = self.captures;
        if self.counter.counts_edges && self.runs() {
            let edges = match self.ctcr & 3 {
                1 => rose,
                2 => fell,
                _ => rose | fell,
            };
            if edges >> (self.ctcr >> 2 & 3) & 1 != 0 {
                self.counter.count();
            }
        }
        for n in 0..4 {
            let control = self.ccr >> (3 * n);
            let edge = control & 1 & rose >> n | control >> 1 & 1 & fell >> n;
            if edge != 0 {
                self.captured[n] = self.counter.count;
                self.interrupts |= (control >> 2 & 1) << (4 + n);
            }
        }
    }

    /// Drives the outputs and asks for the next event.
    fn show(&mut self, port: &mut Port) {
        let levels =
            u32::from(self.interrupts != 0) << INTERRUPT | (self.counter.external & 15) << MATCH0;
        for output in
            (INTERRUPT..OUTPUTS).filter(|output| (levels ^ self.driven) >> output & 1 != 0)
        {
            port.drive(output, levels >> output & 1);
        }
        self.driven = levels;
        let quiet = if self.runs() { self.counter.quiet() } else { None };
        let due = quiet.map(|ticks| {
            let tick = (self.settled / self.pclk_divider).saturating_add(ticks).saturating_add(1);
            tick.saturating_mul(self.pclk_divider)
        });
        if due != self.match_due {
            self.match_due = due;
            match due {
                Some(at) => port.schedule(MATCH, at),
                None => port.cancel(MATCH),
            }
        }
    }

    fn write_tcr(&mut self, value: u32) {
        self.tcr = value & (ENABLE | RESET);
        if value & RESET != 0 {
            self.counter.clear();
        }
    }

    fn write_ctcr(&mut self, value: u32) {
        self.ctcr = value & 15;
        self.counter.counts_edges = value & 3 != 0;
    }
}

impl Device for Timer {
    fn outputs(&self) -> &'static [&'static str] {
        &["interrupt", "match0", "match1", "match2", "match3"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["pclk_divider", "capture0", "capture1", "capture2", "capture3"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::TIMER, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        // As if all were high before: so each is driven.
        *self = Timer { settled: port.now(), driven: (1 << OUTPUTS) - 1, ..Timer::default() };
        port.cancel(MATCH);
        port.cancel(SAMPLE);
        self.show(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.settle(port);
        let counter = &self.counter;
        let value = match offset {
            0x00 => self.interrupts,
            0x04 => self.tcr,
            0x08 => counter.count,
            0x0C => counter.prescale_limit,
            0x10 => counter.prescale,
            0x14 => counter.control,
            0x18 | 0x1C | 0x20 | 0x24 => counter.matches[(offset as usize - 0x18) / 4],
            0x28 => self.ccr,
            0x2C | 0x30 | 0x34 | 0x38 => self.captured[(offset as usize - 0x2C) / 4],
            0x3C => counter.external,
            0x70 => self.ctcr,
            _ => {
                no_register(PART, offset, port);
                0
            }
        };
        self.show(port);
        value
    }

    /// IR changes at events only: each match that interrupts is one.
    fn steady(&self, offset: u32) -> bool {
        matches!(offset, 0x00 | 0x04)
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.settle(port);
        let counter = &mut self.counter;
        match offset {
            0x00 => self.interrupts &= !value,
            0x04 => self.write_tcr(value),
            0x08 => (counter.count, counter.fresh) = (value, true),
            0x0C => counter.prescale_limit = value,
            0x10 => counter.prescale = value,
            0x14 => counter.control = value & 0xFFF,
            0x18 | 0x1C | 0x20 | 0x24 => counter.matches[(offset as usize - 0x18) / 4] = value,
            0x28 => self.ccr = value & 0xFFF,
            0x2C | 0x30 | 0x34 | 0x38 => {}
            0x3C => counter.external = value & 0xFFF,
            0x70 => self.write_ctcr(value),
            _ => no_register(PART, offset, port),
        }
        self.show(port);
    }

    fn event(&mut self, tag: Tag, port: &mut Port) {
        if tag == MATCH {
            self.match_due = None;
        }
        self.settle(port);
        self.show(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        self.settle(port);
        if input == PCLK_DIVIDER {
            self.pclk_divider = Cycle::from(level.max(1));
        } else {
            let bit = 1 << (input - CAPTURE0);
            self.captures = if level != 0 { self.captures | bit } else { self.captures & !bit };
        }
        if self.captures != self.sampled || self.sample_due.is_some() {
            let at = (port.now() / self.pclk_divider + 1) * self.pclk_divider;
            self.sample_due = Some(at);
            port.schedule(SAMPLE, at);
        }
        self.show(port);
    }
}
