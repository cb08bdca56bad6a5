//! Vectored interrupt controller, ARM PrimeCell PL190 as in the LPC2000 parts.
//! Follows the PL190 technical reference manual and the LPC214x user manual (UM10139), VIC chapter.

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Service};

const PART: &str = "vic_pl190";

const IRQ: Output = 0;
const FIQ: Output = 1;
const OPEN: Output = 2;
const REQUESTS: Output = 3;

const SLOTS: usize = 16;
/// Priority of every source without a slot, below slot 15.
const NON_VECTORED: usize = SLOTS;
/// Nothing is in service.
const NO_PRIORITY: usize = SLOTS + 1;
const SLOT_ENABLE: u32 = 1 << 5;

/// The device: 32 sources, 16 of which can have a vector. It has no clock: a request passes through
/// within the cycle.
#[derive(Clone, Debug, Default)]
pub struct Vic {
    lines: u32,
    soft: u32,
    select: u32,
    enable: u32,
    protection: u32,
    default_address: u32,
    addresses: [u32; SLOTS],
    controls: [u32; SLOTS],
    /// Bit p: an interrupt of priority p is in service.
    in_service: u32,
}

impl Vic {
    fn raw(&self) -> u32 {
        self.lines | self.soft
    }

    fn irq_status(&self) -> u32 {
        self.raw() & self.enable & !self.select
    }

    fn fiq_status(&self) -> u32 {
        self.raw() & self.enable & self.select
    }

    /// Priority of the interrupt in service, or [`NO_PRIORITY`].
    fn current(&self) -> usize {
        (self.in_service.trailing_zeros() as usize).min(NO_PRIORITY)
    }

    /// Priority of the first request that the one in service does not mask.
    fn pending(&self) -> Option<usize> {
        let requests = self.irq_status();
        let slot = (0..SLOTS).find(|&slot| {
            let control = self.controls[slot];
            control & SLOT_ENABLE != 0 && requests & 1 << (control & 31) != 0
        });
        let vectored = (0..SLOTS)
            .filter(|&slot| self.controls[slot] & SLOT_ENABLE != 0)
            .fold(0u32, |sources, slot| sources | 1 << (self.controls[slot] & 31));
        let first = slot.or((requests & !vectored != 0).then_some(NON_VECTORED));
        first.filter(|&priority| priority < self.current())
    }

    /// The sources whose request would reach the core as IRQ now: enabled, not selected for FIQ, of a
    /// priority that the one in service does not mask.
    fn open(&self) -> u32 {
        let current = self.current();
        let slots = (0..SLOTS).filter(|&slot| self.controls[slot] & SLOT_ENABLE != 0);
        let (mut vectored, mut passing) = (0u32, 0u32);
        for slot in slots {
            let source = 1 << (self.controls[slot] & 31);
            vectored |= source;
            passing |= if slot < current { source } else { 0 };
        }
        passing |= if NON_VECTORED < current { !vectored } else { 0 };
        passing & self.enable & !self.select
    }

    /// The source that requests with this priority.
    fn source(&self, priority: usize) -> Option<Input> {
        if priority < NON_VECTORED {
            return Some((self.controls[priority] & 31) as Input);
        }
        let slots = self.controls.iter().filter(|control| **control & SLOT_ENABLE != 0);
        let vectored = slots.fold(0u32, |sources, control| sources | 1 << (control & 31));
        first(self.irq_status() & !vectored)
    }

    fn drive(&self, port: &mut Port) {
        port.drive(OPEN, self.open());
        port.drive(REQUESTS, self.raw() & self.enable);
        port.drive(IRQ, self.pending().is_some().into());
        port.drive(FIQ, u32::from(self.fiq_status() != 0));
    }

    /// A read of VectAddr: the interrupt enters service, and masks its own priority and those below.
    fn acknowledge(&mut self, port: &mut Port) -> u32 {
        let Some(priority) = self.pending() else {
            return self.default_address;
        };
        if let Some(source) = self.source(priority) {
            port.serve(source, Service::Begun);
        }
        self.in_service |= 1 << priority;
        if priority == NON_VECTORED {
            self.default_address
        } else {
            self.addresses[priority]
        }
    }

    /// A write of VectAddr, of any value: the interrupt in service is over.
    fn end(&mut self) {
        self.in_service &= self.in_service.wrapping_sub(1);
    }
}

/// The lowest of these sources.
fn first(sources: u32) -> Option<Input> {
    (sources != 0).then(|| sources.trailing_zeros() as Input)
}

fn slot(offset: u32) -> usize {
    (offset as usize & 0xFF) / 4
}

impl Device for Vic {
    fn outputs(&self) -> &'static [&'static str] {
        &["irq", "fiq", "open", "requests"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &[
            "line0", "line1", "line2", "line3", "line4", "line5", "line6", "line7", "line8",
            "line9", "line10", "line11", "line12", "line13", "line14", "line15", "line16",
            "line17", "line18", "line19", "line20", "line21", "line22", "line23", "line24",
            "line25", "line26", "line27", "line28", "line29", "line30", "line31",
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
            IRQ => self.pending().and_then(|priority| self.source(priority)),
            _ => first(self.fiq_status()),
        }
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::VIC, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Vic::default();
        self.drive(port);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        match offset {
            0x000 => self.irq_status(),
            0x004 => self.fiq_status(),
            0x008 => self.raw(),
            0x00C => self.select,
            0x010 => self.enable,
            0x014 | 0x01C => 0,
            0x018 => self.soft,
            0x020 => self.protection,
            0x030 => {
                let address = self.acknowledge(port);
                self.drive(port);
                address
            }
            0x034 => self.default_address,
            0x100..=0x13C if offset % 4 == 0 => self.addresses[slot(offset)],
            0x200..=0x23C if offset % 4 == 0 => self.controls[slot(offset)],
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn steady(&self, offset: u32) -> bool {
        matches!(offset, 0x000..=0x020)
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        match offset {
            0x000 | 0x004 | 0x008 => {}
            0x00C => self.select = value,
            0x010 => self.enable |= value,
            0x014 => self.enable &= !value,
            0x018 => self.soft |= value,
            0x01C => self.soft &= !value,
            0x020 => {
                self.protection = value & 1;
                if value & 1 != 0 {
                    port.unmodelled("protection of vic_pl190: user mode can still reach it");
                }
            }
            0x030 => self.end(),
            0x034 => self.default_address = value,
            0x100..=0x13C if offset % 4 == 0 => self.addresses[slot(offset)] = value,
            0x200..=0x23C if offset % 4 == 0 => self.controls[slot(offset)] = value & 0x3F,
            _ => no_register(PART, offset, port),
        }
        self.drive(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        let bit = 1 << input;
        self.lines = if level != 0 { self.lines | bit } else { self.lines & !bit };
        self.drive(port);
    }
}

#[cfg(test)]
mod tests;
