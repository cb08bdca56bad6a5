//! Infrared channels: serial lines that hear each other's light, one sender at a time or damaged.

use std::collections::{BTreeMap, HashMap};

use super::state::Edge;
use super::wire::{find, Ends};
use crate::board::Board;
use crate::error::{Error, Result};
use crate::infrared::{Fate, Noise};
use crate::system::lasts;
use crate::system::link::{Light, Outgoing, Sent};
use crate::time::{Attoseconds, Cycle};

/// A half-duplex channel: what one line sends, all others hear.
#[derive(Clone, Debug, PartialEq)]
pub struct Infrared {
    /// The serial lines, each `board.device`, of boards that differ.
    pub lines: Vec<String>,
    /// Cycles of the sender's clock until its light is heard.
    pub delay_cycles: Cycle,
    /// A line hears what it sends itself.
    pub echo: bool,
    /// Errors per bit in each direction, drawn by `seed`. The own echo has none.
    pub bit_error_rate: f64,
    /// See `bit_error_rate`.
    pub seed: u64,
    /// Directions with an error rate of their own: sender, receiver, errors per bit.
    pub directions: Vec<(String, String, f64)>,
    /// No character has more bits a second; one that has ends the run.
    pub fastest_baud: Option<u32>,
}

/// A character that a channel carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The channel, by its place on the bench.
    pub channel: usize,
    /// The line that sent it.
    pub line: String,
    /// Cycle of the sender at which its start bit began.
    pub began: Cycle,
    /// Cycle of the sender at which its stop bits were over.
    pub ended: Cycle,
    /// The value (`framing.rs`).
    pub value: u32,
    /// Another line heard something else, or nothing.
    pub damaged: bool,
}

impl Infrared {
    fn rate(&self, from: &str, to: &str) -> f64 {
        let own = self.directions.iter().find(|one| one.0 == from && one.1 == to);
        own.map_or(self.bit_error_rate, |one| one.2)
    }

    fn check(&self) -> Result<()> {
        if self.lines.len() < 2 {
            return Err(Error::new("An infrared channel joins fewer than two lines: name more."));
        }
        let rates = self.directions.iter().map(|one| one.2).chain([self.bit_error_rate]);
        if let Some(rate) = rates.into_iter().find(|rate| !(0.0..=1.0).contains(rate)) {
            return Err(Error(format!(
                "An infrared channel has a bit error rate of {rate}: give one from 0 to 1."
            )));
        }
        let ends = self.directions.iter().flat_map(|one| [&one.0, &one.1]);
        match ends.into_iter().find(|end| !self.lines.contains(end)) {
            Some(end) => Err(Error(format!(
                "A direction of an infrared channel names {end}, which is no line of it: name two of its \
                 lines."
            ))),
            None => Ok(()),
        }
    }

    /// Joins the lines; appends an edge for each direction.
    pub(super) fn connect(
        &self,
        channel: usize,
        boards: &[(&str, &mut Board)],
        ends: &mut Ends,
    ) -> Result<()> {
        self.check()?;
        let mut lights = Vec::new();
        for (station, line) in self.lines.iter().enumerate() {
            let place = |error: Error| Error(format!("The infrared channel at {line}: {error}"));
            let (board, device) = find(boards, line)?;
            let system = boards[board].1.system();
            let output = system.output(&format!("{device}.txd")).map_err(place)?;
            let input = system.input_index(&format!("{device}.rxd")).map_err(place)?;
            if !system.begins(output) {
                return Err(Error(format!(
                    "{line} cannot send light: its device does not know a character from its beginning, or \
                     the board's clock may change; take a line of a usart_at91."
                )));
            }
            if lights.iter().any(|&(other, _): &(usize, Light)| other == board) {
                return Err(Error(format!(
                    "Two lines of one board are on one infrared channel, {line} is the second: leave one."
                )));
            }
            ends.claim(board, input, line)?;
            let noises = self.lines.iter().map(|from| {
                let rate = if from == line { 0.0 } else { self.rate(from, line) };
                Noise::new(self.seed, from, line, rate)
            });
            lights.push((board, Light::new(channel, station, output, input, self, noises)));
        }
        for from in 0..lights.len() {
            for to in (0..lights.len()).filter(|to| *to != from) {
                let edge = ends.edges.len();
                let (sender, receiver) = (lights[from].0, lights[to].0);
                let delay_as = lasts(self.delay_cycles, boards[sender].1.system().fastest_hz());
                ends.edges.push(Edge { from: sender, to: receiver, delay_as, light: true });
                let output = lights[from].1.output;
                ends.outgoing[sender].push(Outgoing::of_light(output, edge, self));
                lights[from].1.leads_to.push(edge);
                lights[to].1.comes_from.push(edge);
            }
        }
        for (board, light) in lights {
            ends.lights[board].push(light);
        }
        Ok(())
    }
}

/// A character by its beginning, channel, line and number on that.
type Place = (Attoseconds, usize, usize, u64);

/// A character sent of which not all receivers have said what they heard.
#[derive(Debug)]
struct Unheard {
    sent: Sent,
    receivers: usize,
    damaged: bool,
}

/// Characters sent and not taken, in the order of their beginnings.
#[derive(Debug, Default)]
pub(super) struct Open {
    unheard: BTreeMap<Place, Unheard>,
    /// Their beginnings, by channel, line and number.
    begins_as: HashMap<(usize, usize, u64), Attoseconds>,
}

impl Open {
    pub fn clear(&mut self) {
        self.unheard.clear();
        self.begins_as.clear();
    }

    pub fn sent(&mut self, channel: usize, station: usize, receivers: usize, sent: Sent) {
        let place = (sent.begins_as, channel, station, sent.number);
        self.begins_as.insert((channel, station, sent.number), sent.begins_as);
        self.unheard.insert(place, Unheard { sent, receivers, damaged: false });
    }

    pub fn heard(&mut self, channel: usize, fates: &[Fate]) {
        for fate in fates {
            let begins_as = self.begins_as.get(&(channel, fate.from, fate.number));
            let place = begins_as.map(|at| (*at, channel, fate.from, fate.number));
            if let Some(one) = place.and_then(|place| self.unheard.get_mut(&place)) {
                one.receivers = one.receivers.saturating_sub(1);
                one.damaged |= fate.damaged;
            }
        }
    }

    /// Takes the first characters, up to one of which something is not known.
    pub fn take(&mut self, channels: &[Infrared]) -> Vec<Carried> {
        let mut carried = Vec::new();
        while let Some(first) = self.unheard.first_entry().filter(|one| one.get().receivers == 0) {
            let &(_, channel, station, number) = first.key();
            self.begins_as.remove(&(channel, station, number));
            let Unheard { sent: Sent { began, ended, value, .. }, damaged, .. } = first.remove();
            let line = channels[channel].lines[station].clone();
            carried.push(Carried { channel, line, began, ended, value, damaged });
        }
        carried
    }
}
