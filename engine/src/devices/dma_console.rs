//! The four DMA channels of a console. `docs/timing/dma_console.md` marks what confirms each rule.
//!
//! A channel takes the bus from the core, moves its units one after the other, and gives the bus back.

mod channel;
#[cfg(test)]
mod tests;

use super::{halfwords, no_register, registers_console};
use crate::bus::{Abort, Access, Width};
use crate::device::{Device, Hold, Port, Tag, Transfer};
use crate::time::Cycle;
use channel::Channel;

const PART: &str = "dma_console";

const CHANNELS: usize = 4;
const CHANNEL_BYTES: u32 = 12;

/// Cycles from the write that enables a channel until it asks for the bus.
const DELAY_CYCLES: Cycle = 2;
/// Cycles in which the bus goes over to the channels, and back to the core.
const HANDOVER_CYCLES: u32 = 1;

/// Tags of transfers: those of a channel have its number.
const TAKES_OVER: Tag = CHANNELS as Tag;
const GIVES_BACK: Tag = TAKES_OVER + 1;

/// The use of the bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// It is the core's.
    #[default]
    Core,
    /// It goes over, or back.
    Handover,
    /// A channel reads, or writes what it has read.
    Reads,
    Writes,
}

/// The device; see the file's head.
#[derive(Clone, Debug, Default)]
pub struct Dma {
    channels: [Channel; CHANNELS],
    phase: Phase,
    /// The channel that moved last.
    moving: usize,
}

impl Dma {
    fn first_asking(&self) -> Option<usize> {
        self.channels.iter().position(|channel| channel.asks)
    }

    fn hold(&mut self, tag: Tag, burst: bool, port: &mut Port) {
        self.phase = Phase::Handover;
        let address = self.channels[self.moving].source;
        port.hold(Hold { tag, address, cycles: HANDOVER_CYCLES, burst });
    }

    /// The bus is the channels': the first one that asks moves a unit; without one it goes back.
    fn go_on(&mut self, port: &mut Port) {
        let Some(n) = self.first_asking() else {
            self.hold(GIVES_BACK, true, port);
            return;
        };
        if n != self.moving {
            self.channels[n].bursts = false;
            self.moving = n;
        }
        self.phase = Phase::Reads;
        self.ask(n, self.channels[n].source, None, port);
    }

    fn ask(&mut self, n: usize, address: u32, write: Option<u32>, port: &mut Port) {
        let channel = &mut self.channels[n];
        let access = Access::data(channel.width());
        let access = if channel.continues_burst(address) { access.sequential() } else { access };
        port.transfer(Transfer { tag: n as Tag, address, access, write, burst: true });
    }

    /// A unit is moved.
    fn moved(&mut self, n: usize, port: &mut Port) {
        let channel = &mut self.channels[n];
        channel.step();
        if channel.left == 0 {
            port.end_block(n as Tag, channel.end());
            if channel.requests() {
                port.send(n, 1);
            }
        }
        self.go_on(port);
    }

    fn write_half(&mut self, offset: u32, mask: u32, value: u32, port: &mut Port) {
        let n = (offset / CHANNEL_BYTES) as usize;
        let channel = &mut self.channels[n];
        if channel.write(n, offset % CHANNEL_BYTES, mask, value) {
            if channel.starts_at_once() {
                port.schedule(n as Tag, port.now() + DELAY_CYCLES);
            } else {
                port.unmodelled(format!("a start of {PART} by picture or sound"));
            }
        } else if !channel.is_enabled() {
            port.cancel(n as Tag);
        }
    }
}

impl Device for Dma {
    fn outputs(&self) -> &'static [&'static str] {
        &["interrupt0", "interrupt1", "interrupt2", "interrupt3"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers_console::name(&registers_console::DMA, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Dma::default();
        (0..TAKES_OVER).for_each(|tag| port.cancel(tag));
    }

    /// The control registers alone can be read.
    fn read(&mut self, offset: u32, width: Width, port: &mut Port) -> u32 {
        if offset >= CHANNEL_BYTES * CHANNELS as u32 {
            no_register(PART, offset, port);
            return 0;
        }
        let channel = &self.channels[(offset / CHANNEL_BYTES) as usize];
        halfwords::read(offset, width, |halfword| match halfword % CHANNEL_BYTES {
            10 => channel.control,
            _ => 0,
        })
    }

    fn steady(&self, _offset: u32) -> bool {
        self.phase == Phase::Core
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut Port) {
        if offset >= CHANNEL_BYTES * CHANNELS as u32 {
            no_register(PART, offset, port);
            return;
        }
        for (halfword, mask, value) in halfwords::written(offset, width, value) {
            self.write_half(halfword, mask, value, port);
        }
    }

    /// A channel asks for the bus.
    fn event(&mut self, tag: Tag, port: &mut Port) {
        let n = tag as usize;
        self.channels[n].asks = true;
        if self.phase == Phase::Core {
            self.moving = n;
            self.hold(TAKES_OVER, false, port);
        }
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        let n = self.moving;
        match (self.phase, tag) {
            (Phase::Handover, GIVES_BACK) => {
                self.phase = Phase::Core;
                if let Some(n) = self.first_asking() {
                    self.moving = n;
                    self.hold(TAKES_OVER, false, port);
                }
            }
            (Phase::Handover, _) => self.go_on(port),
            (Phase::Reads, _) => {
                if answer.is_err() {
                    port.unmodelled(format!("a transfer of {PART} where nothing answers"));
                }
                self.phase = Phase::Writes;
                let value = answer.unwrap_or(0);
                self.ask(n, self.channels[n].destination, Some(value), port);
            }
            (Phase::Writes, _) => {
                if answer.is_err() {
                    port.unmodelled(format!("a transfer of {PART} where nothing answers"));
                }
                self.moved(n, port);
            }
            (Phase::Core, _) => {}
        }
    }
}
