//! Several boards over wires with delay, exact to the cycle at every delay.
//!
//! Each board runs on a thread of its own, or alternates with the others (`alternating`). It may go as far as
//! the others promise that nothing reaches it (`shared`), and asks again there. That is at an instruction boundary, or within an instruction that lasts
//! longer (`system::link`). A promise follows from what devices know of their outputs
//! ([`Device::notice`](crate::device::Device::notice)). DESIGN.md says why, and where runs end.

mod alternating;
pub(crate) mod infrared;
pub(crate) mod shared;
pub(crate) mod state;
mod wire;
mod worker;

use std::sync::{Arc, Mutex, PoisonError};

pub use infrared::{Carried, Infrared};
pub use wire::Wire;

use crate::board::{Board, Reason, Request, Stop};
use crate::error::{Error, Result};
use crate::time::{Attoseconds, NEVER_AS, SECOND_AS};
use infrared::Open;
use shared::{Quiet, Shared};
use worker::{Player, Seat};

/// Between two looks at whether the caller wants to go on. Boards without wires between them are never
/// further from each other. Its multiples are the same moments in every run.
const SLICE_AS: Attoseconds = SECOND_AS / 16;

/// Boards and the wires between them. The boards stay the caller's, who passes them in the same order each
/// time.
#[derive(Debug)]
pub struct Bench {
    shared: Arc<Shared>,
    names: Vec<String>,
    wires: Vec<Wire>,
    channels: Vec<Infrared>,
    open: Open,
    /// Where each board stood after the last run.
    positions: Vec<Attoseconds>,
}

/// How a run of a bench ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// One for each board; [`Reason::Held`] where it waits for one that ended the run.
    pub stops: Vec<Stop>,
    /// The board that ended the run: the first in time, then by name.
    pub by: Option<usize>,
}

impl Bench {
    /// Puts boards, by name, on a bench of wires alone.
    ///
    /// # Errors
    /// As [`Bench::with_infrared`].
    pub fn new(boards: &mut [(&str, &mut Board)], wires: &[Wire]) -> Result<Bench> {
        Bench::with_infrared(boards, wires, &[])
    }

    /// Puts boards, by name, on a bench. They share time from their reset on.
    ///
    /// # Errors
    /// A sentence when two boards have one name. The same when a wire leads from or to nothing, or to an
    /// input that has a wire. The same when levels would travel without delay, or when a line cannot send
    /// light.
    pub fn with_infrared(
        boards: &mut [(&str, &mut Board)],
        wires: &[Wire],
        channels: &[Infrared],
    ) -> Result<Bench> {
        let names: Vec<String> = boards.iter().map(|(name, _)| (*name).to_owned()).collect();
        if let Some((i, name)) =
            names.iter().enumerate().find(|(i, name)| names[..*i].contains(name))
        {
            return Err(Error(format!(
                "Boards {} and {} are both called {name}.",
                names.iter().position(|n| n == name).unwrap_or(0) + 1,
                i + 1
            )));
        }
        let shared = wire::connect(boards, wires, channels)?;
        let positions = vec![0; names.len()];
        Ok(Bench {
            shared,
            names,
            wires: wires.to_vec(),
            channels: channels.to_vec(),
            open: Open::default(),
            positions,
        })
    }

    /// Names of the boards.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Where each board stood when the last run ended.
    pub fn positions(&self) -> &[Attoseconds] {
        &self.positions
    }

    /// Power-on of all boards; nothing is on its way.
    pub fn reset(&mut self, boards: &mut [&mut Board]) {
        self.shared.reset();
        self.open.clear();
        self.positions.fill(0);
        boards.iter_mut().for_each(|board| board.reset(None));
    }

    /// Runs until one board's request is met, or all boards have come to the time `until`. `go_on` is asked
    /// now and then; how often changes nothing else.
    ///
    /// # Errors
    /// A sentence when a board was reset alone, or a request names no output of its board. The same when a
    /// board itself cannot go on, or wires form a loop without delay.
    pub fn run(
        &mut self,
        boards: &mut [&mut Board],
        requests: &[Request],
        until: Option<Attoseconds>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome> {
        self.check(boards, requests)?;
        let until = until.unwrap_or(NEVER_AS);
        self.shared.begin();
        let shared = &*self.shared;
        let pairs = boards.iter_mut().zip(requests);
        let players: Vec<_> =
            pairs.map(|(board, request)| Mutex::new(Player::new(board, request))).collect();
        let first = self.positions.iter().copied().min().unwrap_or(0);
        let quiet = std::thread::scope(|scope| {
            let players = &players;
            let work = move |i| match shared.alternate {
                true => alternating::work(players, shared),
                false => worker::work(players, i, shared),
            };
            let threads: Vec<_> =
                (0..players.len()).map(|i| scope.spawn(move || work(i))).collect();
            let mut slice = first;
            let quiet = loop {
                slice = until.min((slice / SLICE_AS + 1) * SLICE_AS);
                match shared.advance(slice, slice < until) {
                    Quiet::Limit if slice < until => {
                        if !go_on() {
                            break shared.advance(slice, false);
                        }
                    }
                    quiet => break quiet,
                }
            };
            shared.finish();
            for thread in threads {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            quiet
        });
        let players = players.into_iter();
        let seats =
            players.map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner).end());
        let seats = seats.collect::<Result<Vec<Seat>>>();
        self.positions = boards.iter().map(|board| board.system().position()).collect();
        let seats = seats?;
        if quiet == Quiet::Deadlock {
            return Err(Error::new(
                "The wires form a loop in which values are passed on without delay: give one of them a \
                 delay.",
            ));
        }
        let stops = boards.iter().zip(&seats).map(|(board, seat)| {
            seat.stop.clone().unwrap_or_else(|| self.at_rest(board, quiet, until))
        });
        let stopped = (0..seats.len()).filter(|&i| seats[i].stop.is_some());
        let by = stopped.min_by_key(|&i| (seats[i].stopped_at, &self.names[i]));
        Ok(Outcome { stops: stops.collect(), by })
    }

    fn check(&self, boards: &[&mut Board], requests: &[Request]) -> Result<()> {
        if [boards.len(), requests.len()] != [self.names.len(); 2] {
            return Err(Error::new(
                "A run of a bench needs all its boards, and a request for each.",
            ));
        }
        for ((board, before), name) in boards.iter().zip(&self.positions).zip(&self.names) {
            if board.system().position() < *before {
                return Err(Error(format!("The board {name} was reset alone: reset the bench.")));
            }
        }
        Ok(())
    }

    fn at_rest(&self, board: &Board, quiet: Quiet, until: Attoseconds) -> Stop {
        let reached = board.system().position() >= until;
        let (reason, sentence) = match quiet {
            Quiet::Stopped | Quiet::Deadlock => (Reason::Held, "Another board ended the run."),
            Quiet::Dormant => {
                (Reason::Asleep, "All boards sleep, and nothing pending can wake one.")
            }
            Quiet::Limit if reached => (Reason::Cycles, "Reached the bound in time."),
            Quiet::Limit => (Reason::Interrupted, "The run was interrupted."),
        };
        board.stopped(reason, sentence.into())
    }

    /// A sentence for each wire whose receiver is set otherwise than its sender.
    pub fn remarks(&self, boards: &[&Board]) -> Vec<String> {
        let mut remarks = Vec::new();
        for (board, name) in boards.iter().zip(&self.names) {
            for incoming in board.system().incoming() {
                let Some(mismatch) = incoming.mismatch else { continue };
                let Wire { from, to, .. } = &self.wires[incoming.wire];
                let rate = |bit_as: Attoseconds| SECOND_AS / bit_as.max(1);
                let (sent, heard) = (rate(mismatch.bits_as.0), rate(mismatch.bits_as.1));
                remarks.push(format!(
                    "{to} hears {from} wrongly from cycle {} of {name} on: one sends {sent} bit/s and the \
                     other expects {heard}, or their characters differ in data bits or parity.",
                    mismatch.cycle
                ));
            }
        }
        remarks
    }

    /// Takes the characters that infrared channels carried and all their lines have heard, in the order of
    /// their beginnings, from the last call on.
    pub fn take_carried(&mut self, boards: &mut [&mut Board]) -> Vec<Carried> {
        let mut fates = Vec::new();
        for light in boards.iter_mut().flat_map(|board| board.system_mut().lights()) {
            let receivers = self.channels[light.channel].lines.len() - 1;
            for sent in light.take_sent() {
                self.open.sent(light.channel, light.station, receivers, sent);
            }
            fates.push((light.channel, light.take_fates()));
        }
        for (channel, fates) in fates {
            self.open.heard(channel, &fates);
        }
        self.open.take(&self.channels)
    }

    /// Takes the boards off the bench.
    pub fn dissolve(self, boards: &mut [&mut Board]) {
        boards.iter_mut().for_each(|board| board.system_mut().unlink());
    }
}
