//! A board's power meter: what it hooks to, and what can be read from it (docs/explanation/energy.md).

use super::Board;
use crate::bus::Width;
use crate::energy::{Levels, Model};
use crate::error::{Error, Result};
use crate::instruments::power_meter::{Call, Hook, Ledger, Metering, PowerMeter, Reading};

impl Board {
    /// The energy model of the board file.
    ///
    /// # Errors
    /// A sentence when the file has none.
    pub fn energy(&self) -> Result<&Model> {
        self.energy.as_ref().ok_or_else(|| {
            Error(format!(
                "{} has no energy model: give its board file an [energy] table (docs/reference/boards.md).",
                self.name()
            ))
        })
    }

    /// Attaches a power meter beside all other instruments; it counts from now on. Of several meters
    /// only the last one can be read.
    ///
    /// # Errors
    /// A sentence when the board file has no energy model.
    pub fn meter(&mut self, metering: Metering) -> Result<()> {
        let window = metering.window.map(|window| self.of_instructions(window));
        let metering = Metering { window, ..metering };
        let model = self.energy()?.clone();
        let (meter, trigger, reader) = PowerMeter::new(model, self.hooks(), metering);
        self.system.attach(Box::new(meter));
        self.system.attach(Box::new(trigger));
        self.power = Some(reader);
        self.metered = true;
        self.restart_meter();
        Ok(())
    }

    /// The meter begins anew with the levels of now.
    pub(super) fn restart_meter(&mut self) {
        let (Some(reader), Some(model)) = (&self.power, &self.energy) else { return };
        let task = reader.current_task().and_then(|at| self.system.peek(at, Width::Word));
        reader.restart(self.cycle(), self.levels(model), task.unwrap_or(0));
    }

    /// Returns the energy by spender since the meter was attached, or the board was reset.
    ///
    /// # Errors
    /// A sentence when there is no meter.
    pub fn spent(&self) -> Result<Ledger> {
        let none = || Error::new("No power meter is attached: attach one before the run.");
        self.power.as_ref().map(|reader| reader.ledger()).ok_or_else(none)
    }

    /// Takes the readings that were triggered since.
    pub fn take_readings(&mut self) -> Vec<Reading> {
        self.power.as_ref().map(|reader| reader.take_readings()).unwrap_or_default()
    }

    /// Takes what was spent in each call that has returned since.
    pub fn take_metered_calls(&mut self) -> Vec<Call> {
        self.power.as_ref().map(|reader| reader.take_calls()).unwrap_or_default()
    }

    /// The gates and sleeps of the board file name outputs that there are.
    pub(super) fn check_gates(&self) -> Result<()> {
        let Some(energy) = &self.description.energy else { return Ok(()) };
        let gates = energy.clocked.iter().filter_map(|c| c.gate.as_ref()).map(|gate| &gate.signal);
        let mut signals = gates.chain(energy.asleep.iter().map(|asleep| &asleep.signal));
        signals.try_for_each(|signal| self.system.level(signal).map(drop))
    }

    /// Every name under which the meter receives a signal that it needs.
    fn hooks(&self) -> Vec<(String, Hook)> {
        let buses = self.description.bus.iter().enumerate();
        let mut inputs: Vec<_> =
            buses.map(|(i, bus)| (format!("bus.{}.divider", bus.name), Hook::Divider(i))).collect();
        inputs.push(("clock.core_hz".into(), Hook::CoreHz));
        let sources = self.description.connect.iter().filter_map(|connect| {
            let hook = inputs.iter().find(|(input, _)| *input == connect.to)?.1;
            Some((connect.from.clone(), hook))
        });
        let clocked = self.description.energy.iter().flat_map(|energy| energy.clocked.iter());
        let gates = clocked.enumerate().filter_map(|(i, device)| {
            let gate = device.gate.as_ref()?;
            Some((gate.signal.clone(), Hook::Gate(i, gate.bit)))
        });
        let asleep = self.description.energy.iter().flat_map(|energy| energy.asleep.iter());
        let sleeps = (asleep.enumerate())
            .map(|(i, asleep)| (asleep.signal.clone(), Hook::Asleep(i, asleep.level)));
        sources.chain(gates).chain(sleeps).chain(inputs.clone()).collect()
    }

    fn levels(&self, model: &Model) -> Levels {
        let clocked = self.description.energy.iter().flat_map(|energy| energy.clocked.iter());
        let is_clocked = |gate: &super::description::Gate| {
            self.system.level(&gate.signal).unwrap_or(u32::MAX) >> gate.bit & 1 != 0
        };
        let asleep = self.description.energy.iter().flat_map(|energy| energy.asleep.iter());
        let at_level = |signal: &str, level| self.system.level(signal).is_ok_and(|at| at == level);
        Levels {
            core_hz: self.core_hz(),
            dividers: (0..model.buses.len()).map(|bus| self.system.divider(bus)).collect(),
            clocked: clocked.map(|c| c.gate.as_ref().is_none_or(is_clocked)).collect(),
            asleep: asleep.map(|one| at_level(&one.signal, one.level)).collect(),
        }
    }
}
