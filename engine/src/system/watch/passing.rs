//! Passes what happens on a board to the observers that want to know.

use super::Watch;
use crate::bus::{Access, Exception};
use crate::device::{Input, Service, Tag};
use crate::instrument::{Answered, Instrument, Mover, Pause, Requester};
use crate::moves::Move;
use crate::time::Cycle;

impl Watch {
    pub fn accessed(
        &mut self,
        at: Cycle,
        address: u32,
        access: Access,
        write: bool,
        value: u32,
        by: Answered,
    ) {
        for observer in &mut self.attached {
            let wanted = !access.is_code() && observer.accessed.contains(address);
            let everything = observer.hears_everything();
            if everything {
                observer.instrument.answered(by);
            }
            if wanted || everything {
                self.noticed |= !observer.iterations;
                observer.instrument.accessed(at, address, access, write, value);
            }
        }
    }

    /// The core has accessed a register of its own: observers of that address hear of it.
    pub fn own_accessed(
        &mut self,
        at: Cycle,
        address: u32,
        access: Access,
        write: bool,
        value: u32,
    ) {
        for observer in self.attached.iter_mut().filter(|one| one.accessed.contains(address)) {
            self.noticed |= !observer.iterations;
            observer.instrument.accessed(at, address, access, write, value);
        }
    }

    /// A device's transfer is complete.
    pub fn transferred(
        &mut self,
        at: Cycle,
        address: u32,
        access: Access,
        by: Mover,
        value: u32,
        answered: Answered,
    ) {
        for observer in &mut self.attached {
            let hears = observer.hears_transfers();
            if hears {
                observer.instrument.answered(answered);
            }
            if hears || observer.accessed.contains(address) {
                self.noticed |= !observer.iterations;
                observer.instrument.transferred(at, address, access, by, value);
            }
        }
    }

    fn on_transfers(&mut self, mut call: impl FnMut(&mut dyn Instrument)) {
        for observer in self.attached.iter_mut().filter(|observer| observer.hears_transfers()) {
            call(&mut *observer.instrument);
        }
    }

    /// The core waits for a transfer.
    pub fn kept(&mut self, by: Mover, cycles: Cycle) {
        self.on_transfers(|instrument| instrument.kept(by, cycles));
    }

    /// A device says that a block of transfers is over.
    pub fn block_ended(&mut self, at: Cycle, device: usize, tag: Tag, transfers: u32) {
        self.on_transfers(|instrument| instrument.block_ended(at, device, tag, transfers));
    }

    /// A controller says what it does with a source.
    pub fn served(&mut self, at: Cycle, device: usize, source: Input, service: Service) {
        for observer in &mut self.attached {
            observer.instrument.served(at, device, source, service);
        }
        self.listen();
    }

    /// Notifies the observers of instructions.
    fn on_instructions(&mut self, mut call: impl FnMut(&mut dyn Instrument)) {
        for observer in self.attached.iter_mut().filter(|observer| observer.instructions) {
            call(&mut *observer.instrument);
        }
        self.listen();
    }

    pub fn moving(&mut self, moves: &[Move]) {
        for observer in self.attached.iter_mut().filter(|observer| observer.moves) {
            observer.instrument.moving(moves);
        }
    }

    pub fn requested(&mut self, by: Requester) {
        self.on_instructions(|instrument| instrument.requested(by));
    }

    pub fn entering(&mut self, at: Cycle, exception: &Exception, mode: u8) {
        self.on_instructions(|instrument| instrument.entering(at, exception, mode));
    }

    pub fn excepted(&mut self, at: Cycle, exception: &Exception) {
        self.on_instructions(|instrument| instrument.excepted(at, exception));
    }

    pub fn left_exception(&mut self, at: Cycle) {
        self.on_instructions(|instrument| instrument.left_exception(at));
    }

    pub fn paused(&mut self, at: Cycle, cycles: Cycle, why: Pause) {
        for observer in self.attached.iter_mut().filter(|observer| observer.hears_everything()) {
            observer.instrument.paused(at, cycles, why);
        }
    }

    fn following_iterations(&mut self) -> impl Iterator<Item = &mut dyn Instrument> {
        self.attached
            .iter_mut()
            .filter(|observer| observer.iterations)
            .map(|one| &mut *one.instrument as _)
    }

    pub fn begin_iteration(&mut self) {
        self.noticed = false;
        self.following_iterations().for_each(|instrument| instrument.iteration_began());
    }

    pub fn iterations_skipped(&mut self, count: u64, cycles: Cycle) {
        self.following_iterations()
            .for_each(|instrument| instrument.iterations_skipped(count, cycles));
    }

    pub fn end_iteration(&mut self) {
        self.following_iterations().for_each(|instrument| instrument.iteration_ended());
    }

    pub fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        for observer in &mut self.attached {
            observer.instrument.changed(at, signal, level);
        }
        self.listen();
    }
}
