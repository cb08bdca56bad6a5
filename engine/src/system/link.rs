//! The board's ends of wires that lead to other boards.
//!
//! Its event stands at the first cycle at which a message is due, or could be. There the board delivers,
//! or waits until the others' promises lie later. It is the last event of its cycle, so what the board
//! does does not depend on when it heard of a message.

mod arriving;
mod light;
mod outgoing;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use light::{Light, Sent};

use super::System;
use crate::bench::infrared::Infrared;
use crate::bench::shared::Shared;
use crate::bench::state::{Message, Post};
use crate::bench::Wire;
use crate::error::Result;
use crate::time::{Attoseconds, Cycle, NEVER, NEVER_AS};

/// An output whose values leave the board.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Index of the device and of its output.
    pub output: (usize, usize),
    /// The wire, by its place on the bench.
    pub wire: usize,
    /// Cycles of this board's clock, as it is when a value leaves.
    pub delay_cycles: Cycle,
    /// No character is sent with more bits a second than this.
    pub fastest_baud: Option<u32>,
    /// The value that was sent before its time: it leaves whatever happens.
    announced: Option<(Cycle, u32)>,
    /// Nothing else leaves before this cycle, by what the device gave notice of.
    earliest: Cycle,
    /// It carries light: characters leave when they begin (`light`).
    light: bool,
}

impl Outgoing {
    /// An output on which nothing was sent yet.
    pub(crate) fn new(output: (usize, usize), index: usize, wire: &Wire) -> Self {
        Self::silent(output, index, wire.delay_cycles, wire.fastest_baud)
    }

    /// An output that sends light.
    pub(crate) fn of_light(output: (usize, usize), index: usize, channel: &Infrared) -> Self {
        let light = Self::silent(output, index, channel.delay_cycles, channel.fastest_baud);
        Outgoing { light: true, ..light }
    }

    fn silent(
        output: (usize, usize),
        wire: usize,
        delay_cycles: Cycle,
        fastest_baud: Option<u32>,
    ) -> Self {
        Outgoing {
            output,
            wire,
            delay_cycles,
            fastest_baud,
            announced: None,
            earliest: 0,
            light: false,
        }
    }
}

/// An input to which values come.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// Index of the input.
    pub input: usize,
    /// The wire, by its place on the bench.
    pub wire: usize,
    /// A character on it was framed otherwise than its receiver expects.
    pub mismatch: Option<Mismatch>,
}

/// The first character that a receiver saw otherwise than it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Attoseconds of a bit at the sender and at the receiver.
    pub bits_as: (Attoseconds, Attoseconds),
    /// The receiver's cycle.
    pub cycle: Cycle,
}

/// All of them, and what is known of the other boards.
#[derive(Debug)]
pub(crate) struct Link {
    board: usize,
    shared: Arc<Shared>,
    outgoing: Vec<Outgoing>,
    incoming: Vec<Incoming>,
    lights: Vec<Light>,
    /// Not yet delivered, by time and by input.
    arrivals: BTreeMap<(Attoseconds, usize, u64), Message>,
    arrived: u64,
    horizon: Attoseconds,
    /// No light begins to arrive before this that is not known.
    dark: Attoseconds,
    post: Post,
    mail: Vec<Message>,
    /// The core's clock is stopped, and nothing executes.
    pub sleeping: bool,
    /// The clock has changed: the board is to ask again how far it may go.
    pub looks_again: bool,
}

impl Link {
    /// The end of a board at which nothing is on its way.
    pub fn new(
        board: usize,
        shared: Arc<Shared>,
        outgoing: Vec<Outgoing>,
        incoming: Vec<Incoming>,
        lights: Vec<Light>,
    ) -> Link {
        Link {
            board,
            shared,
            outgoing,
            incoming,
            lights,
            arrivals: BTreeMap::new(),
            arrived: 0,
            horizon: 0,
            dark: 0,
            post: Post::default(),
            mail: Vec::new(),
            sleeping: false,
            looks_again: false,
        }
    }

    /// When the first that is known arrives, or a receiver of light looks again.
    fn first_arrival(&self) -> Attoseconds {
        let wired = self.arrivals.first_key_value().map_or(NEVER_AS, |(&(at, ..), _)| at);
        wired.min(self.first_look())
    }

    /// When the first receiver of light looks again.
    fn first_look(&self) -> Attoseconds {
        self.lights.iter().filter_map(|light| light.receiver.next()).min().unwrap_or(NEVER_AS)
    }
}

impl System {
    /// Wires this board to others.
    pub(crate) fn link(&mut self, link: Link) {
        self.link = Some(Box::new(link));
        self.send_levels();
    }

    /// Takes the board off its bench.
    pub(crate) fn unlink(&mut self) {
        self.link = None;
        self.schedule_link(None);
    }

    /// Whether the board is on a bench.
    pub fn is_linked(&self) -> bool {
        self.link.is_some()
    }

    /// The inputs that wires lead to, with what was noted of each.
    pub(crate) fn incoming(&self) -> &[Incoming] {
        self.link.as_ref().map_or(&[], |link| &link.incoming)
    }

    /// Power-on: nothing is on its way.
    pub(super) fn reset_link(&mut self) {
        if let Some(link) = &mut self.link {
            link.arrivals.clear();
            link.mail.clear();
            (link.horizon, link.dark) = (0, 0);
            link.lights.iter_mut().for_each(Light::reset);
            link.incoming.iter_mut().for_each(|incoming| incoming.mismatch = None);
            link.outgoing.iter_mut().for_each(|one| (one.announced, one.earliest) = (None, 0));
        }
    }

    /// Levels that outputs have from the beginning on leave at once.
    pub(crate) fn send_levels(&mut self) {
        let outgoing = self.link.as_ref().map_or(Vec::new(), |link| link.outgoing.clone());
        for Outgoing { output: (device, output), .. } in outgoing {
            let level = self.wiring.devices[device].outputs[output].level;
            if level != 0 {
                self.leave(device, output, level, false);
            }
        }
    }

    /// Whether the board is to ask again how far it may go.
    pub(crate) fn looks_again(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.looks_again)
    }

    /// The core's clock has changed: cycles of what is to come move.
    pub(super) fn relink(&mut self) {
        if let Some(link) = &mut self.link {
            link.looks_again = true;
            self.refresh_link();
        }
    }

    /// At a boundary: posts where the board stands and waits until it may go on. Returns the cycle up to
    /// which it may; `None`: it is to rest.
    pub(crate) fn pace(&mut self) -> Option<Cycle> {
        let asleep = self.asleep;
        let at = self.hot.now;
        self.write_post(at, asleep);
        let link = self.link.as_mut()?;
        link.looks_again = false;
        let grant = link.shared.sync(link.board, &link.post, None, &mut link.mail)?;
        self.take_grant(grant, at + 1);
        self.refresh_link();
        Some(self.clock.cycle_at(grant.run_to).max(at + 1))
    }

    /// Posts that the board rests at this boundary.
    pub(crate) fn rest(&mut self, stopped: bool) {
        self.write_post(self.hot.now, self.asleep);
        if let Some(link) = &self.link {
            link.shared.rest(link.board, &link.post, stopped);
        }
    }

    /// The time of the board.
    pub(crate) fn position(&self) -> Attoseconds {
        self.clock.attoseconds(self.hot.now)
    }

    fn link_owner(&self) -> usize {
        self.wiring.devices.len() + 2
    }

    fn schedule_link(&mut self, at: Option<Cycle>) {
        let owner = self.link_owner();
        self.wiring.queue.schedule(owner, 0, at);
        self.refresh_alarm();
    }

    /// The link's event follows from what is due and from what is not known.
    fn refresh_link(&mut self) {
        let Some(link) = &self.link else { return };
        let due = link.first_arrival().min(link.horizon);
        let at = Some(self.clock.cycle_at(due)).filter(|at| *at < NEVER);
        self.schedule_link(at);
    }

    /// The least time that a wire takes from whatever makes it carry something, without its delay.
    pub(crate) fn shortest_cycles(&self, (device, output): (usize, usize)) -> Cycle {
        self.wiring.devices[device].device.notice(output).shortest_cycles
    }

    /// Whether an output's characters are known, with their ends, from their beginnings on.
    pub(crate) fn begins(&self, (device, output): (usize, usize)) -> bool {
        self.clock_driver.is_none() && self.wiring.devices[device].device.notice(output).begins
    }

    /// No clock of this board is faster.
    pub(crate) fn fastest_hz(&self) -> u32 {
        self.clock_driver.map_or(self.clock.hz(), |_| u32::MAX)
    }

    /// Index of the input of this name.
    ///
    /// # Errors
    /// A sentence that lists the inputs there are.
    pub(crate) fn input_index(&self, name: &str) -> Result<usize> {
        self.input(name)
    }
}
