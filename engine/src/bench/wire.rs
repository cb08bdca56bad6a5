//! Wires: what they connect, checked and resolved.

use std::sync::Arc;

use super::shared::Shared;
use super::state::Edge;
use crate::board::Board;
use crate::error::{listed, Error, Result};
use crate::system::lasts;
use crate::system::link::{Incoming, Outgoing};
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

/// Wires the boards.
pub(super) fn connect(boards: &mut [(&str, &mut Board)], wires: &[Wire]) -> Result<Arc<Shared>> {
    let mut edges = Vec::new();
    let mut outgoing = vec![Vec::new(); boards.len()];
    let mut incoming = vec![Vec::<Incoming>::new(); boards.len()];
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
        if incoming[receiver].iter().any(|one| one.input == input) {
            return Err(Error(format!("Two wires lead to {to}: leave one.")));
        }
        edges.push(Edge { from: sender, to: receiver, delay_as });
        outgoing[sender].push(Outgoing::new(output, wire, stated));
        incoming[receiver].push(Incoming { input, wire, mismatch: None });
    }
    let shared = Arc::new(Shared::new(boards.len(), edges));
    for (i, ((_, board), (outgoing, incoming))) in
        boards.iter_mut().zip(outgoing.into_iter().zip(incoming)).enumerate()
    {
        board.system_mut().link(i, Arc::clone(&shared), outgoing, incoming);
    }
    Ok(shared)
}

/// The board of a signal, and the signal's name on it.
fn find<'a>(boards: &[(&str, &mut Board)], signal: &'a str) -> Result<(usize, &'a str)> {
    let (name, rest) = signal.split_once('.').unwrap_or((signal, ""));
    let found = boards.iter().position(|(board, _)| *board == name);
    found.map(|board| (board, rest)).ok_or_else(|| {
        let names: Vec<_> = boards.iter().map(|(board, _)| *board).collect();
        Error(format!(
            "A wire ends at {signal}, and there is no board {name}: name one of {}, then device and signal.",
            listed(&names)
        ))
    })
}
