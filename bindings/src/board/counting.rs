//! The counting instruments: by numbers, from when they are attached until they are detached.

mod shown;

use cyclescope_engine::board::{Attachment, Board};
use cyclescope_engine::error::Error;
use cyclescope_engine::instruments::accesses::Accesses;
use cyclescope_engine::instruments::follow::Follow;
use cyclescope_engine::instruments::histogram::{Code, Function, Histogram};
use cyclescope_engine::instruments::interrupts::Interrupts;
use cyclescope_engine::instruments::stacks::Stacks;
use cyclescope_engine::instruments::transfers::Transfers;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::raise;

/// First address of a function, the first behind it, whether it is charged to its caller.
pub type Range = (u32, u32, bool);

#[derive(Clone, Copy)]
enum Kind {
    Histogram,
    Accesses,
    Transfers,
    Interrupts,
    Follow,
    Stacks,
}

/// The instruments in the order in which they were attached.
#[derive(Default)]
pub struct Counting(Vec<(Kind, Attachment)>);

/// The functions of a program, for an instrument of this board.
pub fn code(board: &Board, functions: &[Range]) -> Code {
    let function = |&(start, end, library): &Range| Function { start, end, library };
    board.code(functions.iter().map(function))
}

impl Counting {
    fn add(&mut self, kind: Kind, attachment: Attachment) -> usize {
        self.0.push((kind, attachment));
        self.0.len() - 1
    }

    pub fn attach_histogram(&mut self, board: &mut Board, functions: &[Range]) -> usize {
        let histogram = board.histogram(code(board, functions));
        self.add(Kind::Histogram, board.attach(Box::new(histogram)))
    }

    pub fn attach_accesses(&mut self, board: &mut Board, functions: &[Range]) -> usize {
        let accesses = board.accesses(code(board, functions));
        self.add(Kind::Accesses, board.attach(Box::new(accesses)))
    }

    pub fn attach_transfers(&mut self, board: &mut Board) -> usize {
        self.add(Kind::Transfers, board.attach(Box::new(Transfers::default())))
    }

    pub fn attach_interrupts(&mut self, board: &mut Board) -> usize {
        let interrupts = board.interrupts();
        self.add(Kind::Interrupts, board.attach(Box::new(interrupts)))
    }

    pub fn attach_follow(&mut self, board: &mut Board, follow: Follow) -> usize {
        self.add(Kind::Follow, board.attach(Box::new(follow)))
    }

    pub fn attach_stacks(&mut self, board: &mut Board, functions: &[Range]) -> usize {
        let stacks = Stacks::new(code(board, functions));
        self.add(Kind::Stacks, board.attach(Box::new(stacks)))
    }

    fn find(&self, py: Python<'_>, number: usize) -> PyResult<(Kind, Attachment)> {
        self.0.get(number).copied().ok_or_else(|| detached(py, number))
    }

    /// The instrument's counts at this boundary.
    pub fn counted<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        number: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (kind, at) = self.find(py, number)?;
        let shown = match kind {
            Kind::Histogram => board.instrument(at).map(|one| shown::histogram(py, one)),
            Kind::Accesses => board.instrument(at).map(|one| shown::accesses(py, board, one)),
            Kind::Transfers => board.instrument(at).map(|one| shown::transfers(py, board, one)),
            Kind::Interrupts => board.instrument(at).map(|one| shown::interrupts(py, board, one)),
            Kind::Follow => board.instrument(at).map(|one| shown::follow(py, board, one)),
            Kind::Stacks => board.instrument(at).map(|one| shown::stacks(py, one)),
        };
        shown.unwrap_or_else(|| Err(detached(py, number)))
    }

    /// Lets it count from 0.
    pub fn clear(&self, py: Python<'_>, board: &mut Board, number: usize) -> PyResult<()> {
        let (kind, at) = self.find(py, number)?;
        let cleared = match kind {
            Kind::Histogram => board.instrument_mut(at).map(Histogram::clear),
            Kind::Accesses => board.instrument_mut(at).map(Accesses::clear),
            Kind::Transfers => board.instrument_mut(at).map(Transfers::clear),
            Kind::Interrupts => board.instrument_mut(at).map(Interrupts::clear),
            Kind::Follow => board.instrument_mut(at).map(Follow::clear),
            Kind::Stacks => board.instrument_mut(at).map(Stacks::clear),
        };
        cleared.ok_or_else(|| detached(py, number))
    }

    pub fn detach(&self, py: Python<'_>, board: &mut Board, number: usize) -> PyResult<()> {
        let (_, at) = self.find(py, number)?;
        board.detach(at).map(drop).ok_or_else(|| detached(py, number))
    }
}

fn detached(py: Python<'_>, number: usize) -> PyErr {
    raise(py, Error::new(format!("No instrument {number} is attached: attach it first.")))
}
