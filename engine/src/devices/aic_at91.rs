//! Advanced interrupt controller of the AT91x40 parts: 32 sources, 8 priorities, one FIQ.
//! Follows the AT91X40 data sheet (Atmel 1354), AIC chapter.

#[cfg(test)]
mod tests;

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Service};

const PART: &str = "aic_at91";

const IRQ: Output = 0;
const FIQ: Output = 1;
const OPEN: Output = 2;
const REQUESTS: Output = 3;

const SOURCES: usize = 32;
/// The source of FIQ.
const FAST: usize = 0;
const FAST_BIT: u32 = 1 << FAST;
/// Sources with a pin of their own: FIQ, IRQ0, IRQ1, IRQ2. Of the others a level is high, an edge rises.
const EXTERNAL: u32 = FAST_BIT | 7 << 16;
/// Input behind the 32 lines: protect mode.
const PROTECT: Input = SOURCES;

const PRIORITY: u32 = 7;
const EDGE: u32 = 1 << 5;
const POSITIVE: u32 = 1 << 6;

/// An interrupt in service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InService {
    source: usize,
    priority: u32,
}

/// The device. It has no clock: a request passes through within the cycle.
#[derive(Clone, Debug, Default)]
pub struct Aic {
    lines: u32,
    /// Edges that came and were not yet served, by source.
    latched: u32,
    enable: u32,
    modes: [u32; SOURCES],
    vectors: [u32; SOURCES],
    spurious_vector: u32,
    /// The interrupts in service, each above the one before: 8 at most, one of each priority.
    in_service: Vec<InService>,
    /// A vector was read while nothing was pending: no request passes until the end is written.
    spurious: bool,
    protect: bool,
    /// Of protect mode: what the last read of IVR found.
    memorised: Option<Option<InService>>,
}

impl Aic {
    fn is_edge(&self, source: usize) -> bool {
        self.modes[source] & EDGE != 0
    }

    /// Whether a source requests at level 1, or when its line rises.
    fn is_positive(&self, source: usize) -> bool {
        EXTERNAL & 1 << source == 0 || self.modes[source] & POSITIVE != 0
    }

    /// Sources that request, enabled or not.
    fn pending(&self) -> u32 {
        (0..SOURCES).fold(0, |all, source| {
            let level = self.lines & 1 << source != 0;
            let requests = if self.is_edge(source) {
                self.latched & 1 << source != 0
            } else {
                level == self.is_positive(source)
            };
            all | u32::from(requests) << source
        })
    }

    fn priority(&self, source: usize) -> u32 {
        self.modes[source] & PRIORITY
    }

    /// Whether a request of this priority passes by those in service.
    fn passes(&self, priority: u32) -> bool {
        !self.spurious && self.in_service.last().is_none_or(|now| priority > now.priority)
    }

    /// The request that IVR would serve: of the highest priority, and then of the lowest number.
    fn first(&self) -> Option<InService> {
        let requests = self.pending() & self.enable & !FAST_BIT;
        (0..SOURCES)
            .filter(|source| requests & 1 << source != 0)
            .map(|source| InService { source, priority: self.priority(source) })
            .filter(|one| self.passes(one.priority))
            .reduce(|best, one| if one.priority > best.priority { one } else { best })
    }

    fn is_fast_pending(&self) -> bool {
        !self.spurious && self.pending() & self.enable & FAST_BIT != 0
    }

    /// The sources whose request would reach the core as IRQ now.
    fn open(&self) -> u32 {
        let passing = (0..SOURCES).filter(|&source| self.passes(self.priority(source)));
        passing.fold(0, |all, source| all | 1 << source) & self.enable & !FAST_BIT
    }

    fn drive(&self, port: &mut Port) {
        port.drive(OPEN, self.open());
        port.drive(REQUESTS, self.pending() & self.enable);
        port.drive(IRQ, self.first().is_some().into());
        port.drive(FIQ, self.is_fast_pending().into());
    }

    /// Puts a request in service; without one, the interrupt is spurious.
    fn enter(&mut self, found: Option<InService>, port: &mut Port) {
        let Some(found) = found else {
            self.spurious = true;
            return;
        };
        self.latched &= !(1 << found.source);
        self.in_service.push(found);
        port.serve(found.source, Service::Begun);
    }

    fn vector_of(&self, found: Option<InService>) -> u32 {
        found.map_or(self.spurious_vector, |one| self.vectors[one.source])
    }

    fn read_vector(&mut self, port: &mut Port) -> u32 {
        let found = self.first();
        if self.protect {
            self.memorised = Some(found);
        } else {
            self.enter(found, port);
        }
        self.vector_of(found)
    }

    /// A write of IVR: in protect mode what the last read found enters service.
    fn write_vector(&mut self, port: &mut Port) {
        if let Some(found) = self.memorised.take().filter(|_| self.protect) {
            self.enter(found, port);
        }
    }

    fn read_fast_vector(&mut self, port: &mut Port) -> u32 {
        if !self.is_fast_pending() {
            self.spurious = true;
            return self.spurious_vector;
        }
        self.latched &= !FAST_BIT;
        port.serve(FAST, Service::Begun);
        self.vectors[FAST]
    }

    fn end(&mut self) {
        if !std::mem::take(&mut self.spurious) {
            self.in_service.pop();
        }
    }

    /// Sources of these that remember an edge: the others cannot be set or cleared by software.
    fn edges(&self, sources: u32) -> u32 {
        (0..SOURCES).filter(|&source| self.is_edge(source)).fold(0, |all, one| all | 1 << one)
            & sources
    }
}

fn source_of(offset: u32) -> usize {
    (offset as usize & 0x7F) / 4
}

impl Device for Aic {
    fn outputs(&self) -> &'static [&'static str] {
        &["irq", "fiq", "open", "requests"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &[
            "line0", "line1", "line2", "line3", "line4", "line5", "line6", "line7", "line8",
            "line9", "line10", "line11", "line12", "line13", "line14", "line15", "line16",
            "line17", "line18", "line19", "line20", "line21", "line22", "line23", "line24",
            "line25", "line26", "line27", "line28", "line29", "line30", "line31", "protect",
        ]
    }

    fn passing(&self) -> Option<Output> {
        Some(OPEN)
    }

    fn requesting(&self) -> Option<Output> {
        Some(REQUESTS)
    }

    fn requester(&self, output: Output) -> Option<Input> {
        match output {
            IRQ => self.first().map(|one| one.source),
            _ => self.is_fast_pending().then_some(FAST),
        }
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::AIC, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Aic::default();
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            at @ 0x000..=0x07C => self.modes[source_of(at)],
            at @ 0x080..=0x0FC => self.vectors[source_of(at)],
            0x100 => {
                let vector = self.read_vector(port);
                self.drive(port);
                vector
            }
            0x104 => {
                let vector = self.read_fast_vector(port);
                self.drive(port);
                vector
            }
            0x108 => self.in_service.last().map_or(0, |now| now.source as u32),
            0x10C => self.pending(),
            0x110 => self.enable,
            0x114 => u32::from(self.is_fast_pending()) | u32::from(self.first().is_some()) << 1,
            0x134 => self.spurious_vector,
            0x120..=0x130 => 0,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn steady(&self, offset: u32) -> bool {
        !matches!(offset, 0x100 | 0x104)
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match offset {
            at @ 0x000..=0x07C => self.modes[source_of(at)] = value & (PRIORITY | EDGE | POSITIVE),
            at @ 0x080..=0x0FC => self.vectors[source_of(at)] = value,
            0x100 => self.write_vector(port),
            0x104..=0x114 => {}
            0x120 => self.enable |= value,
            0x124 => self.enable &= !value,
            0x128 => self.latched &= !self.edges(value),
            0x12C => self.latched |= self.edges(value),
            0x130 => self.end(),
            0x134 => self.spurious_vector = value,
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if input == PROTECT {
            (self.protect, self.memorised) = (level != 0, None);
            return;
        }
        let (bit, high) = (1 << input, level != 0);
        let changes = (self.lines & bit != 0) != high;
        self.lines = if high { self.lines | bit } else { self.lines & !bit };
        if changes && self.is_edge(input) && high == self.is_positive(input) {
            if self.latched & bit != 0 {
                port.serve(input, Service::Merged);
            }
            self.latched |= bit;
        }
        self.drive(port);
    }
}
