//! The devices of these tests.

use cyclescope_engine::bus::{Abort, Access, Width};
use cyclescope_engine::device::{Device, Input, Output, Port, Tag, Transfer};
use serde::Deserialize;

/// Requests an interrupt every `period` cycles, register 0, until the core acknowledges it. Register 1 counts.
#[derive(Default)]
pub struct Ticker {
    period: u32,
    count: u32,
}

impl Device for Ticker {
    fn outputs(&self) -> &'static [&'static str] {
        &["tick"]
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Ticker::default();
        port.drive(0, 0);
    }

    fn read(&mut self, offset: u32, _width: Width, _port: &mut Port) -> u32 {
        [self.period, self.count][offset as usize & 1]
    }

    fn steady(&self, _offset: u32) -> bool {
        true
    }

    fn write(&mut self, _offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.period = value & 0xFF;
        port.cancel(0);
        if self.period > 0 {
            port.schedule(0, port.now() + u64::from(self.period));
        }
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.count += 1;
        port.drive(0, self.count);
        port.schedule(0, port.now() + u64::from(self.period));
    }

    fn acknowledged(&mut self, _output: Output, port: &mut Port) {
        port.drive(0, 0);
    }
}

/// Stops the core's clock from the signal that it waits until an interrupt is requested. A read of its register
/// takes so many cycles more as was written to it.
#[derive(Default)]
pub struct Waiter {
    stall: u32,
}

impl Device for Waiter {
    fn outputs(&self) -> &'static [&'static str] {
        &["asleep"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["waits", "requested"]
    }

    fn reset(&mut self, port: &mut Port) {
        port.drive(0, 0);
    }

    fn read(&mut self, _offset: u32, _width: Width, port: &mut Port) -> u32 {
        port.stall(self.stall);
        self.stall
    }

    fn write(&mut self, _offset: u32, _width: Width, value: u32, _port: &mut Port) {
        self.stall = value;
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        if level == 1 {
            port.drive(0, u32::from(input == 0));
        }
    }
}

/// Fails when its register is read.
pub struct Failing;

impl Device for Failing {
    fn reset(&mut self, _port: &mut Port) {}

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        port.fail(format!("register {offset} is broken"));
        port.fail("this is not the first reason");
        7
    }

    fn write(&mut self, _offset: u32, _width: Width, _value: u32, _port: &mut Port) {}
}

/// Copies bytes by itself (DMA) from `source` to `target`, addresses of the bus, once the count is written to
/// register 0; with its bit 7 in a burst. Then it requests an interrupt, by the level 7.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copier {
    source: u32,
    target: u32,
    #[serde(skip)]
    left: u32,
    #[serde(skip)]
    burst: bool,
}

impl Copier {
    fn transfer(&self, tag: Tag, address: u32, write: Option<u32>, port: &mut Port) {
        let access = Access::data(Width::Byte);
        port.transfer(Transfer { tag, address, access, write, burst: self.burst });
    }
}

const READ: Tag = 0;
const WRITE: Tag = 1;

impl Device for Copier {
    fn outputs(&self) -> &'static [&'static str] {
        &["done"]
    }

    fn reset(&mut self, port: &mut Port) {
        self.left = 0;
        port.drive(0, 0);
    }

    fn read(&mut self, _offset: u32, _width: Width, _port: &mut Port) -> u32 {
        self.left
    }

    fn write(&mut self, _offset: u32, _width: Width, value: u32, port: &mut Port) {
        (self.left, self.burst) = (value & 0x7F, value & 0x80 != 0);
        self.transfer(READ, self.source + self.left - 1, None, port);
    }

    fn transferred(&mut self, tag: Tag, answer: Result<u32, Abort>, port: &mut Port) {
        if tag == READ {
            let value = answer.unwrap_or(0);
            return self.transfer(WRITE, self.target + self.left - 1, Some(value), port);
        }
        self.left -= 1;
        if self.left > 0 {
            self.transfer(READ, self.source + self.left - 1, None, port);
        } else {
            port.drive(0, 7);
        }
    }

    fn acknowledged(&mut self, _output: Output, port: &mut Port) {
        port.drive(0, 0);
    }
}
