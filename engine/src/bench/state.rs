//! The state that boards of a bench share: promises, positions and mail, and how far each board may go by
//! them.

use crate::framing::Framing;
use crate::infrared::Frame;
use crate::time::{Attoseconds, NEVER_AS};

/// A value or a level on its way.
#[derive(Clone, Debug)]
pub struct Message {
    /// When it arrives.
    pub at: Attoseconds,
    /// The wire, by its place on the bench.
    pub wire: usize,
    /// Its content.
    pub load: Load,
}

/// The content of a message.
#[derive(Clone, Debug)]
pub enum Load {
    /// A level.
    Level(u32),
    /// A character, how its sender framed it, and attoseconds of a bit.
    Character(u32, Framing, Attoseconds),
    /// A character in the light, which ends when the message arrives.
    Light(Frame),
}

/// A wire as the arithmetic sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    /// Least delay.
    pub delay_as: Attoseconds,
    /// It carries light, of which the beginning counts.
    pub light: bool,
}

/// A board's statement about one of its outgoing wires.
#[derive(Clone, Copy, Debug, Default)]
pub struct Promise {
    /// The wire, by its place on the bench.
    pub wire: usize,
    /// No arrivals counted, nothing that is yet to leave begins before this, …
    pub begins: Attoseconds,
    /// … and nothing that has begun leaves before this.
    pub due: Attoseconds,
    /// Least time from an arrival to what it makes the wire carry.
    pub shortest_as: Attoseconds,
    /// An arrival may leave at once.
    pub passes: bool,
}

/// Where a board stands, and what it promises.
#[derive(Clone, Debug, Default)]
pub struct Post {
    /// All before this has happened.
    pub position: Attoseconds,
    /// Of the messages taken, the first that is not delivered.
    pub pending: Attoseconds,
    /// One for each outgoing wire.
    pub promises: Vec<Promise>,
    /// It sleeps, and nothing on it can wake it.
    pub dormant: bool,
}

/// How far a board may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// No message arrives before this that is not known.
    pub horizon: Attoseconds,
    /// The first boundary from here on is a place to look again.
    pub run_to: Attoseconds,
    /// No light begins to arrive before this that is not known.
    pub dark: Attoseconds,
}

/// The knowledge that a board needs to go on within an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    /// All that arrives by this time.
    pub at: Attoseconds,
    /// All light that begins to arrive before it, too.
    pub light: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Running,
    /// At a boundary, or within an instruction.
    Waiting(Option<Inside>),
    Resting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Go(Grant),
    Rest,
    Wait,
}

#[derive(Debug)]
pub(super) struct Seat {
    pub status: Status,
    pub post: Post,
    pub mail: Vec<Message>,
    /// It ended its run by itself.
    pub stopped: bool,
    pub called: bool,
    /// Its thread is to be woken.
    pub sleeps: bool,
}

#[derive(Debug)]
pub(super) struct State {
    pub edges: Vec<Edge>,
    pub seats: Vec<Seat>,
    pub promises: Vec<Promise>,
    pub limit: Attoseconds,
    pub margin: Attoseconds,
    pub finished: bool,
    /// A board within an instruction that waits for no later time than this goes on to its end, as if
    /// nothing came until then. A message for that time ends the run that brings it.
    pub trusted: Attoseconds,
    /// Of boards that alternate, one runs.
    pub taken: bool,
}

impl State {
    /// The earliest time at which each board may hear of something. Values that have not begun count as
    /// `slack` earlier.
    fn heard(&self, slack: Attoseconds) -> Vec<Attoseconds> {
        let known = |seat: &Seat| seat.earliest_mail().min(seat.post.pending);
        let mut heard: Vec<_> = self.seats.iter().map(known).collect();
        loop {
            let mut settled = true;
            for wire in 0..self.edges.len() {
                let arrives = self.arrives(wire, &heard, slack);
                let to = &mut heard[self.edges[wire].to];
                settled &= *to <= arrives;
                *to = arrives.min(*to);
            }
            if settled {
                return heard;
            }
        }
    }

    /// The earliest time at which a wire may bring something that its sender has not sent.
    fn arrives(&self, wire: usize, heard: &[Attoseconds], slack: Attoseconds) -> Attoseconds {
        let (edge, promise) = (&self.edges[wire], &self.promises[wire]);
        let answer = if promise.passes { 0 } else { promise.shortest_as.saturating_sub(slack) };
        let until = promise.begins.saturating_add(promise.shortest_as);
        let begins = until.saturating_sub(if until == NEVER_AS { 0 } else { slack });
        let leaves = begins.min(promise.due).min(heard[edge.from].saturating_add(answer));
        leaves.saturating_add(edge.delay_as)
    }

    /// The earliest time at which something may come to a board that it does not know of.
    fn horizon(&self, board: usize, slack: Attoseconds) -> Attoseconds {
        let heard = self.heard(slack);
        let wires = (0..self.edges.len()).filter(|&wire| self.edges[wire].to == board);
        wires.map(|wire| self.arrives(wire, &heard, slack)).min().unwrap_or(NEVER_AS)
    }

    /// The earliest time at which light may begin to come to a board that it does not know of.
    fn dark(&self, board: usize) -> Attoseconds {
        let lights = |wire: &usize| self.edges[*wire].light && self.edges[*wire].to == board;
        let mut wires = (0..self.edges.len()).filter(lights).peekable();
        if wires.peek().is_none() {
            return NEVER_AS;
        }
        let heard = self.heard(0);
        let comes = |wire: usize| {
            let Edge { from, delay_as, .. } = self.edges[wire];
            self.promises[wire].begins.min(heard[from]).saturating_add(delay_as)
        };
        wires.map(comes).min().unwrap_or(NEVER_AS)
    }

    pub fn answer(&self, board: usize) -> Answer {
        let Seat { status, post, .. } = &self.seats[board];
        let Status::Waiting(inside) = *status else { return Answer::Wait };
        if self.finished || inside.is_none() && post.position >= self.limit {
            return Answer::Rest;
        }
        if inside.is_some_and(|inside| inside.at <= self.trusted) {
            return Answer::Go(Grant { horizon: NEVER_AS, run_to: 0, dark: NEVER_AS });
        }
        let horizon = self.horizon(board, 0);
        let run_to = self.limit.min(self.horizon(board, self.margin));
        let dark = self.dark(board);
        let free = inside.map_or(post.position < run_to, |Inside { at, light }| {
            horizon > at && (!light || dark >= at)
        });
        if free {
            Answer::Go(Grant { horizon, run_to, dark })
        } else {
            Answer::Wait
        }
    }

    /// Whether a board that waits has something to do.
    pub fn may_move(&self, board: usize) -> bool {
        match self.seats[board].status {
            Status::Waiting(_) => self.answer(board) != Answer::Wait,
            _ => self.finished || self.seats[board].called,
        }
    }

    pub fn is_quiet(&self) -> bool {
        !self.taken
            && (0..self.seats.len()).all(|board| match self.seats[board].status {
                Status::Running => false,
                Status::Resting => !self.seats[board].called,
                Status::Waiting(_) => self.answer(board) == Answer::Wait,
            })
    }

    /// Lets those within instructions that wait for the earliest time go on to the end of them.
    pub fn trust_earliest(&mut self) {
        let waits = |seat: &Seat| match seat.status {
            Status::Waiting(inside) => inside.map(|inside| inside.at),
            Status::Running | Status::Resting => None,
        };
        self.trusted = self.seats.iter().filter_map(waits).min().unwrap_or(0);
    }

    pub fn post(&mut self, board: usize, post: &Post) {
        for promise in &post.promises {
            self.promises[promise.wire] = *promise;
            let ahead = promise.shortest_as.saturating_add(self.edges[promise.wire].delay_as);
            self.margin = self.margin.min(ahead / 4);
        }
        self.seats[board].post.clone_from(post);
    }
}

impl Seat {
    pub fn earliest_mail(&self) -> Attoseconds {
        self.mail.iter().map(|message| message.at).min().unwrap_or(NEVER_AS)
    }
}
