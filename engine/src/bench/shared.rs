//! How boards of a bench wait for each other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::state::{Answer, Edge, Grant, Inside, Message, Post, Promise, Seat, State, Status};
use crate::time::{Attoseconds, NEVER_AS};

/// Looks at the others before a board that waits gives its processor away: about what that takes.
const SPINS: u32 = 200;
/// So often boards at rest go on until instructions of others are over, before these are trusted to end.
const ROUNDS: u32 = 64;

/// All boards at rest, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quiet {
    /// At the limit.
    Limit,
    /// At the limit, and nothing will ever happen.
    Dormant,
    /// One ended its run, and the others wait for it.
    Stopped,
    /// No board can go on.
    Deadlock,
}

/// The state, and how boards wait for its changes.
#[derive(Debug)]
pub struct Shared {
    state: Mutex<State>,
    version: AtomicU64,
    /// One for each board.
    pub(super) wakes: Vec<Condvar>,
    pub(super) quiet: Condvar,
    /// No board of those that alternate runs.
    pub(super) free: Condvar,
    /// Boards run one at a time (`alternating`): on an infrared channel they wait at each character.
    pub(super) alternate: bool,
    spins: u32,
}

impl Shared {
    pub(super) fn new(boards: usize, edges: Vec<Edge>) -> Shared {
        let seat = || Seat {
            status: Status::Resting,
            post: Post::default(),
            mail: Vec::new(),
            stopped: false,
            called: false,
            sleeps: false,
        };
        let alternate = edges.iter().any(|edge| edge.light);
        let promises = (0..edges.len()).map(|wire| Promise { wire, ..Promise::default() });
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Shared {
            state: Mutex::new(State {
                promises: promises.collect(),
                edges,
                seats: (0..boards).map(|_| seat()).collect(),
                limit: 0,
                margin: NEVER_AS,
                finished: true,
                trusted: 0,
                taken: false,
            }),
            version: AtomicU64::new(0),
            wakes: (0..boards).map(|_| Condvar::new()).collect(),
            quiet: Condvar::new(),
            free: Condvar::new(),
            alternate,
            spins: if boards <= processors { SPINS } else { 0 },
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets those who are awake look again, and wakes those who may go on.
    fn announce(&self, state: &mut State) {
        if self.alternate {
            return self.pass_on(state);
        }
        self.version.fetch_add(1, Ordering::Release);
        for board in 0..self.wakes.len() {
            if state.seats[board].sleeps && state.may_move(board) {
                state.seats[board].sleeps = false;
                self.wakes[board].notify_one();
            }
        }
    }

    /// A board waits for a change: for a moment awake, then asleep.
    fn wait<'a>(&'a self, board: usize, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let seen = self.version.load(Ordering::Acquire);
        drop(state);
        for _ in 0..self.spins {
            if self.version.load(Ordering::Acquire) != seen {
                return self.lock();
            }
            std::hint::spin_loop();
        }
        let mut state = self.lock();
        if self.version.load(Ordering::Acquire) != seen {
            return state;
        }
        if state.is_quiet() {
            self.quiet.notify_all();
        }
        state.seats[board].sleeps = true;
        while state.seats[board].sleeps {
            state = self.wakes[board].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// A message leaves.
    pub fn send(&self, message: Message) {
        let mut state = self.lock();
        let to = state.edges[message.wire].to;
        state.seats[to].mail.push(message);
    }

    /// Posts where a board stands, takes its mail, and waits until it may go on. It waits at a boundary, or
    /// within an instruction until it knows what it needs `inside`. `None`: it is to rest at this boundary.
    pub fn sync(
        &self,
        board: usize,
        post: &Post,
        inside: Option<Inside>,
        mail: &mut Vec<Message>,
    ) -> Option<Grant> {
        let mut state = self.lock();
        state.post(board, post);
        state.seats[board].status = Status::Waiting(inside);
        self.announce(&mut state);
        loop {
            match state.answer(board) {
                Answer::Go(grant) => {
                    let seat = &mut state.seats[board];
                    seat.status = Status::Running;
                    seat.post.pending = seat.post.pending.min(seat.earliest_mail());
                    mail.append(&mut seat.mail);
                    return Some(grant);
                }
                Answer::Rest => return None,
                Answer::Wait if self.alternate && inside.is_none() => return None,
                Answer::Wait if self.alternate => {
                    state.taken = false;
                    while state.taken || state.answer(board) == Answer::Wait {
                        self.pass_on(&state);
                        let wake = &self.wakes[board];
                        state = wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                    }
                    state.taken = true;
                }
                Answer::Wait => state = self.wait(board, state),
            }
        }
    }

    /// Whether boards may move: a run of the bench is under way.
    pub fn is_running(&self) -> bool {
        !self.lock().finished
    }

    /// A board's thread waits to be called. `false`: the run is over.
    pub(super) fn await_call(&self, board: usize) -> bool {
        let mut state = self.lock();
        loop {
            if std::mem::take(&mut state.seats[board].called) {
                state.seats[board].status = Status::Running;
                return true;
            }
            if state.finished {
                return false;
            }
            state = self.wait(board, state);
        }
    }

    /// A board rests at a boundary.
    pub(crate) fn rest(&self, board: usize, post: &Post, stopped: bool) {
        let mut state = self.lock();
        state.post(board, post);
        state.seats[board].stopped |= stopped;
        state.seats[board].status = Status::Resting;
        self.announce(&mut state);
        if state.is_quiet() {
            self.quiet.notify_all();
        }
    }

    /// A run of the bench begins.
    pub(super) fn begin(&self) {
        let mut state = self.lock();
        state.finished = false;
        state.seats.iter_mut().for_each(|seat| seat.stopped = false);
    }

    /// Calls every board at rest that has not ended its run, lets them go up to `limit`, and waits until all
    /// rest. If the run `continues` behind that, a board may stay within an instruction.
    pub(super) fn advance(&self, limit: Attoseconds, continues: bool) -> Quiet {
        let mut state = self.lock();
        (state.limit, state.trusted) = (limit, 0);
        let mut rounds = 0;
        for seat in &mut state.seats {
            seat.called = seat.status == Status::Resting && !seat.stopped;
        }
        self.announce(&mut state);
        loop {
            while !state.is_quiet() {
                state = self.quiet.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let held = state.seats.iter().any(|seat| seat.stopped);
            let inside = |seat: &Seat| matches!(seat.status, Status::Waiting(Some(_)));
            let resting = |seat: &Seat| seat.status == Status::Resting;
            let within = state.seats.iter().any(inside);
            let held_up = within && state.seats.iter().any(resting);
            if held_up && continues && !held {
                return Quiet::Limit;
            } else if within && rounds == ROUNDS {
                // New instructions begin before others are over, perhaps for ever.
                state.trust_earliest();
            } else if held_up {
                // An instruction lasts past the horizon: those at rest go on until it is over.
                rounds += 1;
                let furthest = state.seats.iter().map(|seat| seat.post.position).max();
                let from = furthest.map_or(0, |at| if held { at } else { at.max(state.limit) });
                state.limit = from.saturating_add(state.margin.max(1));
                for seat in &mut state.seats {
                    seat.called = resting(seat);
                }
            } else if held && !within {
                return Quiet::Stopped;
            } else if !state.seats.iter().all(resting) {
                if state.margin == 0 {
                    return Quiet::Deadlock;
                }
                state.margin = 0;
            } else if state.seats.iter().all(|seat| seat.post.dormant && seat.mail.is_empty()) {
                return Quiet::Dormant;
            } else {
                return Quiet::Limit;
            }
            self.announce(&mut state);
        }
    }

    /// The run is over: boards that wait at boundaries rest.
    pub(super) fn finish(&self) {
        let mut state = self.lock();
        state.finished = true;
        self.announce(&mut state);
    }

    /// Power-on: nothing is on its way.
    pub(super) fn reset(&self) {
        let mut state = self.lock();
        state.margin = NEVER_AS;
        for seat in &mut state.seats {
            (seat.post, seat.stopped) = (Post::default(), false);
            seat.mail.clear();
        }
    }
}
