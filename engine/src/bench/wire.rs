//! Wires: what they connect, checked and resolved.

use std::sync::Arc;

use super::infrared::Infrared;
use super::shared::Shared;
use super::state::Edge;
use crate::board::Board;
use crate::error::{listed, Error, Result};
use crate::system::lasts;
use crate::system::link::{Incoming, Light, Link, Outgoing};
use crate::time::Cycle;

/// One wire, from an output to an input. Both are named `board.device.signal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The output.
    pub from: String,
    /// The input.
    pub to: String,
    /// Cycles of the sender's clock, as it is when a value leaves.
    pub delay_cycles: Cycle,
    /// No character on it has more bits a second; one that has ends the run. Levels have none. Boards need to ask each other
    /// the less often the slower their wires are.
    pub fastest_baud: Option<u32>,
}

/// Ends of wires and channels at each board, while they are gathered.
pub(super) struct Ends {
    pub edges: Vec<Edge>,
    pub outgoing: Vec<Vec<Outgoing>>,
    pub incoming: Vec<Vec<Incoming>>,
    pub lights: Vec<Vec<Light>>,
    claimed: Vec<(usize, usize)>,
}

impl Ends {
    fn new(boards: usize) -> Ends {
        Ends {
            edges: Vec::new(),
            outgoing: vec![Vec::new(); boards],
            incoming: vec![Vec::new(); boards],
            lights: (0..boards).map(|_| Vec::new()).collect(),
            claimed: Vec::new(),
        }
    }

    /// Takes an input of a board; refuses one that is taken.
    pub fn claim(&mut self, board: usize, input: usize, name: &str) -> Result<()> {
        if self.claimed.contains(&(board, input)) {
            return Err(Error(format!("Two wires lead to {name}: leave one.")));
        }
        self.claimed.push((board, input));
        Ok(())
    }
}

/// Wires the boards, and joins them by light.
pub(super) fn connect(
    boards: &mut [(&str, &mut Board)],
    wires: &[Wire],
    channels: &[Infrared],
) -> Result<Arc<Shared>> {
    let mut ends = Ends::new(boards.len());
    for (wire, stated) in wires.iter().enumerate() {
        let Wire { from, to, delay_cycles, .. } = stated;
        let delay_cycles = *delay_cycles;
        let (sender, output) = find(boards, from)?;
        let (receiver, input) = find(boards, to)?;
        let place = |error: Error| Error(format!("The wire from {from} to {to}: {error}"));
        let system = boards[sender].1.system();
        let output = system.output(output).map_err(place)?;
        if system.shortest_cycles(output) == 0 && delay_cycles == 0 {
            return Err(Error(format!(
                "The wire from {from} to {to} carries levels that change at once: give it a delay of a \
                 cycle or more."
            )));
        }
        let delay_as = lasts(delay_cycles, system.fastest_hz());
        let input = boards[receiver].1.system().input_index(input).map_err(place)?;
        if from.ends_with(".txd") != to.ends_with(".rxd") {
            return Err(Error(format!(
                "The wire from {from} to {to} joins a serial line and a level: join a txd to an rxd, or \
                 a level to a level."
            )));
        }
        ends.claim(receiver, input, to)?;
        ends.edges.push(Edge { from: sender, to: receiver, delay_as, light: false });
        ends.outgoing[sender].push(Outgoing::new(output, wire, stated));
        ends.incoming[receiver].push(Incoming { input, wire, mismatch: None });
    }
    for (n, channel) in channels.iter().enumerate() {
        channel.connect(n, boards, &mut ends)?;
    }
    let Ends { edges, outgoing, incoming, lights, .. } = ends;
    let shared = Arc::new(Shared::new(boards.len(), edges));
    let ends = outgoing.into_iter().zip(incoming).zip(lights);
    for (i, ((_, board), ((outgoing, incoming), lights))) in boards.iter_mut().zip(ends).enumerate()
    {
        board.system_mut().link(Link::new(i, Arc::clone(&shared), outgoing, incoming, lights));
    }
    Ok(shared)
}

/// The board of a signal, and the signal's name on it.
pub(super) fn find<'a>(boards: &[(&str, &mut Board)], signal: &'a str) -> Result<(usize, &'a str)> {
    let (name, rest) = signal.split_once('.').unwrap_or((signal, ""));
    let found = boards.iter().position(|(board, _)| *board == name);
    found.map(|board| (board, rest)).ok_or_else(|| {
        let names: Vec<_> = boards.iter().map(|(board, _)| *board).collect();
        Error(format!(
            "For {signal} there is no board {name}: name one of {}, then device and signal.",
            listed(&names)
        ))
    })
}
