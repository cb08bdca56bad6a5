//! The exceptions under way, one within the other.

use super::Interrupt;
use crate::bus::Status;

/// A program that leaves exceptions by other means has ever more; the oldest are forgotten.
const MOST_FRAMES: usize = 64;
/// Threads that never go on leave their places behind; the oldest are forgotten.
const MOST_PARKED: usize = 1024;

/// An exception under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where the program goes on, and with which stack pointer.
    place: (u32, u32),
    masked: u64,
    interrupt: Option<Interrupt>,
}

impl Frame {
    pub fn new(resumes: u32, stack: u32, before: Status, interrupt: Option<Interrupt>) -> Frame {
        Frame { place: (resumes, stack), masked: before.masked, interrupt }
    }
}

#[derive(Debug, Default)]
pub(super) struct Nesting {
    frames: Vec<Frame>,
    /// Where threads go on that a handler left for another one.
    parked: Vec<(u32, u32)>,
}

impl Nesting {
    /// An exception begins.
    pub fn enter(&mut self, frame: Frame) {
        if self.frames.len() == MOST_FRAMES {
            self.frames.remove(0);
        }
        self.frames.push(frame);
    }

    /// The core has left an exception, and goes on here. Returns the interrupt that is over, if one is.
    pub fn leave(&mut self, address: u32, stack: u32, status: Status) -> Option<Interrupt> {
        let place = (address, stack);
        let frame = *self.frames.last()?;
        let parked = self.parked.iter().rposition(|one| *one == place);
        if frame.place != place {
            if parked.is_none() && status.masked & !frame.masked != 0 {
                return None;
            }
            if self.parked.len() == MOST_PARKED {
                self.parked.remove(0);
            }
            self.parked.push(frame.place);
            if let Some(parked) = parked {
                self.parked.remove(parked);
            }
        }
        self.frames.pop()?.interrupt
    }

    /// The interrupt under way that was taken last.
    pub fn innermost(&mut self) -> Option<&mut Interrupt> {
        self.frames.iter_mut().rev().find_map(|frame| frame.interrupt.as_mut())
    }

    /// All interrupts under way, the innermost last.
    pub fn interrupts(&self) -> impl Iterator<Item = &Interrupt> {
        self.frames.iter().filter_map(|frame| frame.interrupt.as_ref())
    }
}
