//! Boards that alternate: one runs at a time, and the thread that runs it goes on with another at once.
//!
//! A board that waits at a boundary leaves its thread. One that waits within an instruction keeps it, so
//! there are as many threads as boards. Results are those of boards that each have a thread.

use std::sync::{Mutex, PoisonError};

use super::shared::Shared;
use super::state::{Answer, Post, State, Status};
use super::worker::Player;

impl State {
    /// The board at a boundary that is behind all others that may move.
    fn next_at_boundary(&self) -> Option<usize> {
        let at_boundary = |board: &usize| match self.seats[*board].status {
            Status::Resting => self.seats[*board].called,
            Status::Waiting(None) => self.may_move(*board),
            Status::Waiting(Some(_)) | Status::Running => false,
        };
        let boards = (0..self.seats.len()).filter(at_boundary);
        boards.min_by_key(|&board| self.seats[board].post.position)
    }

    /// A board within an instruction that may go on.
    fn next_inside(&self) -> Option<usize> {
        let inside = |board: &usize| {
            matches!(self.seats[*board].status, Status::Waiting(Some(_))) && self.may_move(*board)
        };
        (0..self.seats.len()).find(inside)
    }
}

impl Shared {
    /// Waits for a board that may run, and takes it. `None`: the run is over.
    fn take_board(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if !state.taken {
                if let Some(board) = state.next_at_boundary() {
                    let seat = &mut state.seats[board];
                    (seat.called, seat.status) = (false, Status::Running);
                    state.taken = true;
                    return Some(board);
                }
                if state.finished {
                    self.pass_on(&state);
                    return None;
                }
            }
            self.pass_on(&state);
            state = self.free.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets another board run.
    fn let_go(&self) {
        self.lock().taken = false;
    }

    /// If no board runs, wakes whoever may run one, or says that nobody may.
    pub(super) fn pass_on(&self, state: &State) {
        if state.taken {
            return;
        }
        if let Some(board) = state.next_inside() {
            self.wakes[board].notify_one();
        } else if state.finished {
            self.free.notify_all();
        } else if state.next_at_boundary().is_some() {
            self.free.notify_one();
        } else {
            self.quiet.notify_all();
        }
    }

    /// Whether a board that left its thread goes on in this run.
    fn goes_on(&self, board: usize) -> bool {
        let state = self.lock();
        matches!(state.seats[board].status, Status::Waiting(None))
            && state.answer(board) != Answer::Rest
    }
}

/// Runs boards, one after the other, until the bench's run is over.
pub(super) fn work(players: &[Mutex<Player>], shared: &Shared) {
    let mut leaves = Leaves(shared, None);
    while let Some(index) = shared.take_board() {
        leaves.1 = Some(index);
        let mut player = players[index].lock().unwrap_or_else(PoisonError::into_inner);
        let interrupted = player.play();
        if !(interrupted && shared.goes_on(index)) {
            player.rest();
        }
        drop(player);
        shared.let_go();
        leaves.1 = None;
    }
}

/// A thread that panics leaves the others no board to wait for.
struct Leaves<'a>(&'a Shared, Option<usize>);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        if let Some(index) = self.1 {
            self.0.rest(index, &Post::default(), true);
            self.0.let_go();
            self.0.finish();
        }
    }
}
