//! Fetch: the queue of three words, and the requests that fill it.

use super::{Path, Pipeline, Place};

/// A request for a word of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Request {
    pub system: bool,
    /// Half-words of it that are wanted.
    pub halves: u8,
    /// It is still wanted.
    pub live: bool,
    /// It is that of a guessed target.
    pub guess: bool,
    /// It stood behind another on the System bus.
    pub queued: bool,
    /// Cycles that its answer waits.
    pub waits: u8,
}

/// Requests of the other stages to fetch in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wishes {
    /// Fetch from here.
    pub target: Option<Place>,
    /// Fetch from here, until the condition is known.
    pub guess: Option<Place>,
    /// Fetch nothing, and then from here.
    pub stops: bool,
    pub later: Option<Place>,
    /// The instruction in decode never executes.
    pub discards: bool,
}

impl Wishes {
    /// Nothing is fetched in this cycle; in the next from the place, if it is known.
    pub fn stop(&mut self, later: Option<Place>) {
        (self.stops, self.discards, self.later) = (true, true, later);
    }

    /// Execute has found where a branch leads. A sum with the program counter is there a cycle later.
    pub fn lead(&mut self, target: Option<Place>, is_sum: bool) {
        if is_sum {
            self.stop(target);
        } else {
            self.target = target;
        }
    }
}

/// The queue and its requests. Lengths in half-words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Fetching {
    /// Where fetching goes on.
    pub place: Place,
    /// The half-words that decode sees, two at most.
    pub head: u8,
    /// The queue behind it.
    tail: u8,
    /// Half-words of the cycle before.
    pub arriving: u8,
    /// Requests on their way that are wanted.
    pub underway: u8,
    /// In its address phase; registered for the System bus; in its data phase.
    pub request: Option<Request>,
    pub registered: Option<Request>,
    pub data: Option<Request>,
    /// The head belongs to a branch that was taken, the queue behind it to the target.
    head_is_branch: bool,
    /// A guess was made: where fetching goes on without it, and whether its target was requested.
    guess: Option<(Place, bool)>,
    /// Whether the guess was right.
    pub answer: Option<bool>,
    stopped: bool,
    /// The next word was wanted while another was registered.
    waits: bool,
    later: Option<Place>,
    /// Execute does not know whether decode moves on: no request beyond the space.
    pub careful: bool,
}

impl Request {
    /// Its bus.
    pub fn path(&self) -> Path {
        if self.system {
            Path::System
        } else {
            Path::Code
        }
    }
}

impl Fetching {
    /// Whether decode sees an instruction of so many half-words.
    pub fn offers(&self, halves: u8) -> bool {
        self.head >= halves && !self.head_is_branch
    }

    fn fill(&mut self) {
        let moved = self.tail.min(2 - self.head);
        self.head += moved;
        self.tail -= moved;
    }

    /// Half-words that are taken or promised.
    fn places_taken(&self) -> u8 {
        2 * u8::from(self.head > 0) + self.tail + 2 * self.underway
    }

    fn forget(&mut self) {
        for request in
            [&mut self.request, &mut self.registered, &mut self.data].into_iter().flatten()
        {
            request.live = false;
        }
        (self.arriving, self.underway) = (0, 0);
    }

    fn branch(&mut self, place: Place) {
        self.forget();
        (self.tail, self.guess, self.stopped) = (0, None, false);
        (self.head_is_branch, self.place) = (true, place);
    }

    /// Requests the next word, if the address phase is free. Returns whether it did.
    fn ask(&mut self, guess: bool) -> bool {
        let queued = std::mem::replace(&mut self.waits, self.registered.is_some());
        if self.request.is_some() || self.registered.is_some() {
            return false;
        }
        let halves = 2 - u8::from(self.place.upper);
        let system = self.place.system;
        self.request = Some(Request { system, halves, live: true, guess, queued, waits: 0 });
        self.underway += 1;
        self.place.upper = false;
        true
    }

    /// The requests for a guessed target are not wanted, or wanted like any other.
    fn settle(&mut self, live: bool) {
        for request in
            [&mut self.request, &mut self.registered, &mut self.data].into_iter().flatten()
        {
            request.live &= request.guess == live;
            request.guess = false;
        }
    }

    /// A guess follows; a request that the bus has not taken gives way to it.
    fn guess(&mut self, target: Place) {
        let mut back = self.place;
        if let Some(request) = self.request.filter(|request| request.live && !request.guess) {
            self.request = None;
            self.underway -= 1;
            back.upper = request.halves == 1;
        }
        if let Some((place, asked)) = self.guess.take() {
            self.drop_guess(asked);
            back = place;
        }
        self.place = target;
        let asked = self.ask(true);
        self.guess = Some((back, asked));
    }

    fn drop_guess(&mut self, asked: bool) {
        if asked {
            self.settle(false);
            self.underway -= 1;
        }
    }
}

impl Pipeline {
    /// Decoded half-words leave the queue, and new ones join it.
    #[inline(always)]
    pub(super) fn shift(&mut self, was_free: bool) {
        let step = self.step.take();
        let queue = &mut self.fetching;
        queue.careful = self.main.as_ref().is_some_and(|m| m.holds_queue())
            || step.is_some_and(|step| step.along)
            || (step.is_none() && was_free && self.decoding.is_stalled());
        let mut keeps = false;
        if let Some(step) = step {
            if step.held && step.branch {
                keeps = true;
            } else if queue.head_is_branch {
                queue.head = 0;
            } else {
                queue.head = queue.head.saturating_sub(step.halves);
            }
            queue.head_is_branch = step.branch;
        } else if was_free {
            if queue.head_is_branch {
                queue.head = 0;
            }
            queue.head_is_branch = false;
        } else {
            keeps = queue.head_is_branch;
        }
        if !keeps {
            queue.fill();
        }
        queue.tail += std::mem::take(&mut queue.arriving);
        if !keeps {
            queue.fill();
        }
    }

    /// The stage works.
    #[inline(always)]
    pub(super) fn fetch(&mut self, wishes: &Wishes) {
        let queue = &mut self.fetching;
        let answer = queue.answer.take();
        if wishes.stops {
            queue.branch(Place::default());
            (queue.head, queue.head_is_branch, queue.stopped) = (0, false, true);
            queue.later = wishes.later;
            return;
        }
        if let Some(place) = queue.later.take().or(wishes.target) {
            queue.branch(place);
            self.ask_if_space();
            return;
        }
        if queue.stopped {
            return;
        }
        if let Some(target) = wishes.guess {
            queue.guess(target);
            return;
        }
        match (answer, queue.guess.take()) {
            (Some(false), Some((back, asked))) => {
                queue.drop_guess(asked);
                queue.place = back;
                self.ask_if_space();
            }
            (Some(true), Some((_, asked))) => {
                queue.settle(true);
                (queue.tail, queue.arriving) = (0, 0);
                (queue.underway, queue.head_is_branch) = (asked.into(), true);
                self.ask_if_space();
            }
            (_, None) => self.ask_if_space(),
            (_, guess) => queue.guess = guess,
        }
    }

    /// Requests the next word if the queue has space, or will have when decode moves on.
    #[inline(always)]
    fn ask_if_space(&mut self) {
        let queue = &mut self.fetching;
        let taken = queue.places_taken();
        let leaves = if queue.careful || queue.head_is_branch {
            0
        } else {
            match self.decoding.halves(&self.next.shape) {
                0 => 2 - queue.head,
                1 if queue.head == 2 => 1,
                _ => 2,
            }
        };
        if taken.saturating_sub(leaves) <= 4 {
            queue.ask(false);
        }
    }
}
