//! A board's inputs and outputs from outside.

use super::Board;
use crate::error::Result;
use crate::time::Cycle;

impl Board {
    /// Queues bytes that a peer sends into an input back to back from now on, at the line's own rate:
    /// one per `frame_cycles` of the device.
    ///
    /// # Errors
    /// A sentence when there is no such input, or its device gives no frame time.
    pub fn send(&mut self, input: &str, bytes: &[u8]) -> Result<()> {
        self.system.send(input, bytes)
    }

    /// Bytes that wait to be sent into an input.
    ///
    /// # Errors
    /// A sentence when there is no such input.
    pub fn waiting(&self, input: &str) -> Result<usize> {
        self.system.waiting(input)
    }

    /// Takes what an output has sent since: (cycle, value).
    ///
    /// # Errors
    /// A sentence when there is no such output.
    pub fn receive(&mut self, output: &str) -> Result<Vec<(Cycle, u32)>> {
        self.system.receive(output)
    }

    /// Sets an input of a device or of the board (`core.<name>`) from outside, now or at a cycle to come.
    ///
    /// # Errors
    /// A sentence when there is no such input, or the cycle is past.
    pub fn drive(&mut self, input: &str, level: u32, at: Option<Cycle>) -> Result<()> {
        self.system.drive(input, level, at)
    }

    /// Names of all outputs of devices, then of all inputs of devices and of the board.
    pub fn signals(&self) -> (Vec<&str>, Vec<&str>) {
        self.system.signals()
    }

    /// Level of an output.
    ///
    /// # Errors
    /// A sentence when there is no such output.
    pub fn level(&self, output: &str) -> Result<u32> {
        self.system.level(output)
    }
}
