//! A board in a run of its bench, and the thread of one that has its own.

use std::sync::{Mutex, PoisonError};

use super::shared::Shared;
use super::state::Post;
use crate::board::{Board, Reason, Request, Stop};
use crate::error::{Error, Result};
use crate::time::Attoseconds;

/// How a board ended a run.
#[derive(Debug, Default)]
pub(super) struct Seat {
    /// It ended the run by itself.
    pub stop: Option<Stop>,
    pub stopped_at: Attoseconds,
}

/// A board in a run.
pub(super) struct Player<'a> {
    board: &'a mut Board,
    request: &'a Request,
    seat: Seat,
    failure: Option<Error>,
}

impl<'a> Player<'a> {
    pub fn new(board: &'a mut Board, request: &'a Request) -> Player<'a> {
        Player { board, request, seat: Seat::default(), failure: None }
    }

    /// Runs the board until it ends its run, or is to rest or to leave its thread: then `true`.
    pub fn play(&mut self) -> bool {
        // A board that has stopped goes on only until an instruction of another one is over.
        let beyond = Request::default();
        let request = if self.seat.stop.is_some() { &beyond } else { self.request };
        let now = self.board.cycle();
        match self.board.run_paced(request, now, &mut |system| system.pace()) {
            Ok(stop) if stop.reason == Reason::Interrupted => return true,
            Ok(stop) if self.seat.stop.is_none() => {
                let stopped_at = self.board.system().position();
                self.seat = Seat { stop: Some(stop), stopped_at };
            }
            Ok(_) => {}
            Err(error) => {
                self.failure.get_or_insert(error);
            }
        }
        false
    }

    /// Posts that the board rests.
    pub fn rest(&mut self) {
        self.board.system_mut().rest(self.seat.stop.is_some() || self.failure.is_some());
    }

    /// How the board ended its run.
    pub fn end(self) -> Result<Seat> {
        self.failure.map_or(Ok(self.seat), Err)
    }
}

/// Runs the board each time it is called, until the bench's run is over.
pub(super) fn work(players: &[Mutex<Player>], index: usize, shared: &Shared) {
    let _leaves = Leaves(shared, index);
    let mut player = players[index].lock().unwrap_or_else(PoisonError::into_inner);
    while shared.await_call(index) {
        player.play();
        player.rest();
    }
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
