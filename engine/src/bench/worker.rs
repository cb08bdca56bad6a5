//! The thread of one board.

use super::shared::Shared;
use super::state::Post;
use crate::board::{Board, Reason, Request, Stop};
use crate::error::Result;
use crate::time::Attoseconds;

/// How a board ended a run.
#[derive(Debug, Default)]
pub(super) struct Seat {
    /// It ended the run by itself.
    pub stop: Option<Stop>,
    pub stopped_at: Attoseconds,
}

/// Runs the board each time it is called, until the bench's run is over.
pub(super) fn work(
    board: &mut Board,
    index: usize,
    shared: &Shared,
    request: &Request,
) -> Result<Seat> {
    let _leaves = Leaves(shared, index);
    let mut seat = Seat::default();
    let mut failure = None;
    while shared.await_call(index) {
        // A board that has stopped goes on only until an instruction of another one is over.
        let beyond = Request::default();
        let request = if seat.stop.is_some() { &beyond } else { request };
        let now = board.cycle();
        let stop = board.run_paced(request, now, &mut |system| system.pace());
        match stop {
            Ok(stop) if stop.reason == Reason::Interrupted => {}
            Ok(stop) if seat.stop.is_none() => {
                seat = Seat { stop: Some(stop), stopped_at: board.system().position() };
            }
            Ok(_) => {}
            Err(error) => failure = failure.or(Some(error)),
        }
        board.system_mut().rest(seat.stop.is_some() || failure.is_some());
    }
    failure.map_or(Ok(seat), Err)
}

/// A thread that panics leaves the others no board to wait for.
struct Leaves<'a>(&'a Shared, usize);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.rest(self.1, &Post::default(), true);
            self.0.finish();
        }
    }
}
