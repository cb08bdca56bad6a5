//! The pipeline as an automaton: each of its transitions is computed once.
//!
//! States hold no address and no value, and so programs lead it through few of them. A transition depends on the
//! state, on the work of the instruction in execute (`Act`), and on the one behind it (`Seen`). It goes to the next
//! access to data or to the next instruction. The pipeline itself computes it the first time, so results are the
//! pipeline's.

use std::collections::HashMap;

use super::{Act, Counts, Next, Pipeline, Place, Shape};

/// Transitions that are kept. One takes the place of another.
const TRANSITIONS: usize = if cfg!(test) { 1 << 8 } else { 1 << 15 };
/// States that are kept. When they are more, all are forgotten.
const STATES: usize = if cfg!(test) { 300 } else { 1 << 15 };
/// Shapes that have a number.
pub const SHAPES: usize = if cfg!(test) { 1 << 6 } else { 1 << 15 };

/// The instruction behind the one that executes, as decode sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen(u32);

impl Seen {
    const IN_BLOCK: u32 = 1 << 16;
    const SKIPPED: u32 = 1 << 17;
    const TAKEN: u32 = 1 << 18;
    const SYSTEM: u32 = 1 << 19;
    const UPPER: u32 = 1 << 20;
    const IT_FOLLOWS: u32 = 1 << 21;

    /// An instruction whose shape has this number.
    #[inline(always)]
    pub fn new(number: u16) -> Self {
        Seen(number.into())
    }

    /// It stands in an IT block, whose condition may fail.
    #[inline(always)]
    pub fn in_block(&mut self, skipped: bool) {
        self.0 |= Self::IN_BLOCK | if skipped { Self::SKIPPED } else { 0 };
    }

    /// The half-word behind it is an IT.
    #[inline(always)]
    pub fn it_follows(&mut self) {
        self.0 |= Self::IT_FOLLOWS;
    }

    /// It is a branch that decode knows.
    #[inline(always)]
    pub fn branches(&mut self, taken: bool, target: Place) {
        let flag = |is: bool, flag| if is { flag } else { 0 };
        self.0 |= flag(taken, Self::TAKEN)
            | flag(target.system, Self::SYSTEM)
            | flag(target.upper, Self::UPPER);
    }

    /// Whether its condition in an IT block fails.
    pub fn is_skipped(self) -> bool {
        self.0 & Self::SKIPPED != 0
    }

    fn is(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    fn next(self, shapes: &Shapes) -> Next {
        let shape = shapes.of(self.0 as u16);
        Next {
            shape: if self.is(Self::IN_BLOCK) { shape.in_block() } else { shape },
            skipped: self.is_skipped(),
            taken: self.is(Self::TAKEN),
            target: Place { system: self.is(Self::SYSTEM), upper: self.is(Self::UPPER) },
            it_follows: self.is(Self::IT_FOLLOWS),
        }
    }
}

/// Numbers of shapes. The shape of nothing has the number 0.
#[derive(Clone, Debug)]
pub struct Shapes {
    all: Vec<Shape>,
    numbers: HashMap<Shape, u16>,
}

impl Default for Shapes {
    fn default() -> Self {
        let nothing = Shape::default();
        Shapes { all: vec![nothing], numbers: HashMap::from([(nothing, 0)]) }
    }
}

impl Shapes {
    /// The number of a shape, or none if too many have one.
    pub fn number(&mut self, shape: Shape) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&shape) {
            return Some(number);
        }
        if self.all.len() == SHAPES {
            return None;
        }
        let number = self.all.len() as u16;
        self.all.push(shape);
        self.numbers.insert(shape, number);
        Some(number)
    }

    fn of(&self, number: u16) -> Shape {
        self.all[usize::from(number)]
    }
}

/// Cycles that went by, and what they count as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Their number.
    pub cycles: u32,
    /// Cycles of the debug unit's counters.
    pub counts: Counts,
}

/// A transition: `key` names where it begins and what it depends on.
#[derive(Clone, Copy, Debug)]
struct Transition {
    key: u64,
    state: u32,
    cycles: u8,
    load_store: u8,
    further: u8,
    folded: u8,
}

/// No transition has this key: bit 63 is never set.
const NONE: Transition =
    Transition { key: u64::MAX, state: 0, cycles: 0, load_store: 0, further: 0, folded: 0 };

/// The question of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    Access = 0,
    Next = 1,
}

/// The instruction in execute has yet to begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Begins {
    #[default]
    No = 0,
    Plain = 1,
    It = 2,
}

/// The pipeline, with the transitions that it has made.
#[derive(Clone, Debug)]
pub struct Automaton {
    state: u32,
    begins: Begins,
    warm: bool,
    transitions: Box<[Transition]>,
    states: Vec<Pipeline>,
    numbers: HashMap<Pipeline, u32>,
}

impl Default for Automaton {
    fn default() -> Self {
        let empty = Pipeline::default();
        Automaton {
            state: 0,
            begins: Begins::No,
            warm: false,
            transitions: vec![NONE; TRANSITIONS].into_boxed_slice(),
            states: vec![empty.clone()],
            numbers: HashMap::from([(empty, 0)]),
        }
    }
}

impl PartialEq for Automaton {
    fn eq(&self, other: &Self) -> bool {
        self.begins == other.begins && self.pipeline() == other.pipeline()
    }
}

impl Automaton {
    fn pipeline(&self) -> &Pipeline {
        &self.states[self.state as usize]
    }

    /// The queue is empty, as after a reset or an exception. The cycles until the first instruction executes are part
    /// of what led there.
    pub fn flush(&mut self) {
        (self.state, self.begins, self.warm) = (0, Begins::No, false);
    }

    /// Transitions are forgotten, since shapes get other numbers. The state stays.
    #[cold]
    pub fn forget(&mut self) {
        let now = self.pipeline().clone();
        self.transitions.fill(NONE);
        self.states.truncate(1);
        self.numbers.retain(|_, number| *number == 0);
        self.state = self.numbered(now);
    }

    /// The number of a state. `forget` has been called if there are too many.
    fn numbered(&mut self, pipeline: Pipeline) -> u32 {
        if let Some(&number) = self.numbers.get(&pipeline) {
            return number;
        }
        let number = self.states.len() as u32;
        self.states.push(pipeline.clone());
        self.numbers.insert(pipeline, number);
        number
    }

    /// Whether instructions execute.
    #[inline(always)]
    pub fn is_warm(&self) -> bool {
        self.warm
    }

    /// Fetches from a place until the first instruction executes.
    #[cold]
    pub fn warm(&mut self, place: Place, first: Seen, shapes: &Shapes) {
        let mut pipeline = self.pipeline().clone();
        pipeline.warm(place, first.next(shapes));
        (self.warm, self.state) = (true, self.entered(pipeline));
    }

    /// The instruction in execute begins.
    #[inline(always)]
    pub fn start(&mut self, is_it: bool) {
        self.begins = if is_it { Begins::It } else { Begins::Plain };
    }

    /// Cycles go by until the access to data of the instruction in execute, the first of them or the next.
    #[inline(always)]
    pub fn reach_access(&mut self, act: &Act, seen: Seen, shapes: &Shapes) -> Passed {
        self.go(Until::Access, act, seen, shapes)
    }

    /// Cycles go by until the instruction behind enters execute.
    #[inline(always)]
    pub fn reach_next(&mut self, act: &Act, seen: Seen, shapes: &Shapes) -> Passed {
        self.go(Until::Next, act, seen, shapes)
    }

    #[inline(always)]
    fn go(&mut self, until: Until, act: &Act, seen: Seen, shapes: &Shapes) -> Passed {
        let place = |place: Place| 1 | u64::from(place.system) << 1 | u64::from(place.upper) << 2;
        let key = u64::from(self.state)
            | u64::from(seen.0) << 16
            | (until as u64) << 38
            | (self.begins as u64) << 39
            | u64::from(act.cycles) << 41
            | u64::from(act.accesses) << 49
            | (act.path as u64) << 57
            | act.target.map_or(0, place) << 59;
        let index = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - TRANSITIONS.trailing_zeros());
        let known = &self.transitions[index as usize % TRANSITIONS];
        if known.key != key {
            return self.compute(until, act, seen, shapes, (key, index as usize));
        }
        (self.state, self.begins) = (known.state, Begins::No);
        let counts = Counts {
            load_store: known.load_store.into(),
            further: known.further.into(),
            folded: known.folded.into(),
        };
        Passed { cycles: known.cycles.into(), counts }
    }

    #[cold]
    #[inline(never)]
    fn compute(
        &mut self,
        until: Until,
        act: &Act,
        seen: Seen,
        shapes: &Shapes,
        (key, index): (u64, usize),
    ) -> Passed {
        let mut pipeline = self.pipeline().clone();
        if self.begins != Begins::No {
            pipeline.start(self.begins == Begins::It);
        }
        self.begins = Begins::No;
        let next = seen.next(shapes);
        let mut counts = Counts::default();
        let cycles = match until {
            Until::Access => pipeline.reach_access(act, &next, &mut counts),
            Until::Next => pipeline.reach_next(act, &next, &mut counts),
        };
        let states = self.states.len();
        self.state = self.entered(pipeline);
        let small = |value: u32| u8::try_from(value).ok();
        let parts = [cycles, counts.load_store, counts.further, counts.folded].map(small);
        if let ([Some(cycles), Some(load_store), Some(further), Some(folded)], true) =
            (parts, self.states.len() >= states)
        {
            let state = self.state;
            self.transitions[index] =
                Transition { key, state, cycles, load_store, further, folded };
        }
        Passed { cycles, counts }
    }

    /// The number of the state that was reached. The instruction behind is not part of it: each question states it.
    fn entered(&mut self, mut pipeline: Pipeline) -> u32 {
        pipeline.next = Next::default();
        if self.states.len() == STATES && !self.numbers.contains_key(&pipeline) {
            self.forget();
        }
        self.numbered(pipeline)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Path;
    use super::*;
    use crate::cores::armv7m::decoder::decode;

    /// A sequence of numbers that looks random (Marsaglia's xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) % bound
        }

        fn yes(&mut self) -> bool {
            self.below(2) == 1
        }

        fn place(&mut self) -> Place {
            Place { system: self.below(8) == 0, upper: self.yes() }
        }
    }

    fn act(random: &mut Random, shape: &Shape) -> Act {
        let path = [Path::Code, Path::System, Path::System, Path::Private];
        let moves = shape.transfers();
        Act {
            cycles: random.below(12) as u8,
            accesses: if moves { shape.accesses.max(1 + random.below(3) as u8) } else { 0 },
            path: path[random.below(4) as usize],
            target: (random.below(4) == 0).then(|| random.place()),
        }
    }

    #[test]
    fn transitions_that_are_remembered_are_those_of_the_pipeline() {
        let mut random = Random(0x5DEE_CE66_D1CE_4E5B);
        let mut shapes = Shapes::default();
        let (mut quick, mut slow) = (Automaton::default(), Pipeline::default());
        let (mut begun, mut forgotten) = (Shape::default(), 0);
        for step in 0..60_000 {
            // Few opcodes at a time, so that transitions come again.
            let opcode =
                0x2000 + (random.below(40) * 0x0439 + step / 10_000 * 0x1771) as u32 % 0xC800;
            let shape = Shape::of(&decode(opcode));
            let Some(number) = shapes.number(shape) else {
                (shapes, forgotten) = (Shapes::default(), forgotten + 1);
                quick.forget();
                continue;
            };
            let mut seen = Seen::new(number);
            match random.below(4) {
                0 => seen.in_block(random.yes()),
                1 => seen.branches(random.yes(), random.place()),
                2 => seen.it_follows(),
                _ => {}
            }
            let next = seen.next(&shapes);
            if step % 997 == 0 || !slow.is_warm() {
                quick.flush();
                slow.flush();
                let place = random.place();
                quick.warm(place, seen, &shapes);
                slow.warm(place, next);
            } else {
                let is_it = random.below(9) == 0;
                quick.start(is_it);
                slow.start(is_it);
                let act = act(&mut random, &begun);
                for _ in 0..act.accesses.min(3) {
                    let mut counts = Counts::default();
                    let without = Act { cycles: 0, target: None, ..act };
                    let cycles = slow.reach_access(&without, &next, &mut counts);
                    assert_eq!(
                        quick.reach_access(&without, seen, &shapes),
                        Passed { cycles, counts }
                    );
                }
                let mut counts = Counts::default();
                let cycles = slow.reach_next(&act, &next, &mut counts);
                assert_eq!(
                    quick.reach_next(&act, seen, &shapes),
                    Passed { cycles, counts },
                    "{step}"
                );
            }
            slow.next = Next::default();
            assert_eq!(quick.pipeline(), &slow, "{step}");
            begun = shape;
        }
        assert!(forgotten > 0);
    }
}
