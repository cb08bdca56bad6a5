//! The core's outputs, as the board sees them: those of a device called `core`.

use crate::bus::Width;
use crate::device::{Device, Port};

/// Stands for the core among the devices; see the file's head. No register leads to it.
#[derive(Clone, Debug)]
pub struct CoreOutputs(pub &'static [&'static str]);

impl Device for CoreOutputs {
    fn outputs(&self) -> &'static [&'static str] {
        self.0
    }

    fn reset(&mut self, _port: &mut Port) {}

    fn read(&mut self, _offset: u32, _width: Width, _port: &mut Port) -> u32 {
        0
    }

    fn write(&mut self, _offset: u32, _width: Width, _value: u32, _port: &mut Port) {}
}
