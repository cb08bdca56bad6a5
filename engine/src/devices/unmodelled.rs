//! A peripheral that the part has and the board does not model: it answers, and every use is reported.

use crate::bus::Width;
use crate::device::{Device, Port};
use serde::Deserialize;

/// Its keys in the board file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Name of the device that the part has there.
    what: String,
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct Unmodelled {
    parameters: Parameters,
}

impl Unmodelled {
    /// A stand-in for what the parameters name.
    pub fn new(parameters: Parameters) -> Self {
        Unmodelled { parameters }
    }
}

impl Device for Unmodelled {
    fn reset(&mut self, _port: &mut Port) {}

    fn read(&mut self, _offset: u32, _width: Width, port: &mut Port) -> u32 {
        port.unmodelled(format!("{}: it reads as 0", self.parameters.what));
        0
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, _offset: u32, _width: Width, _value: u32, port: &mut Port) {
        port.unmodelled(format!("{}: writes to it are ignored", self.parameters.what));
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn it_reads_as_zero_and_says_what_it_is() {
        let mut rig = Rig::new(Unmodelled::new(Parameters { what: "the PWM".into() }));
        assert_eq!(rig.write(0x14, 7).read(0x14), 0);
        assert_eq!(
            rig.unmodelled(),
            ["the PWM: writes to it are ignored", "the PWM: it reads as 0"]
        );
    }
}
