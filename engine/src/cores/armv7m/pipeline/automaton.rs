//! The pipeline as a finite automaton that is filled as programs need it.
//!
//! Between two instructions the pipeline is in one of few states. Where an instruction leads it, and how long that
//! takes, depends on the state, on the work in execute, and on facts of the instruction behind. So each passage is
//! computed once, by the pipeline itself, and is found by its key from then on.

use std::collections::HashMap;

use super::{Act, Counts, Next, Path, Pipeline, Place, Shape, Until};

/// Passages found by a hash of their key: at its place, or at the other of a pair. Of three the oldest makes way.
const PASSAGES: usize = 1 << 14;
/// With more states or shapes than this all are forgotten.
const MOST: usize = if cfg!(test) { 1 << 11 } else { 1 << 16 };

/// The number of a shape.
pub type Number = u16;

/// Facts of the instruction behind, as a number: [`Next`] with the number of its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead(u64);

impl Ahead {
    const BITS: u32 = 22;
    const SKIPPED: u64 = 1 << 16;
    const TAKEN: u64 = 1 << 17;
    const SYSTEM: u64 = 1 << 18;
    const UPPER: u64 = 1 << 19;
    const IT_FOLLOWS: u64 = 1 << 20;
    const IN_BLOCK: u64 = 1 << 21;

    /// An instruction outside an IT block, of this shape.
    #[inline(always)]
    pub fn of(shape: Number) -> Self {
        Ahead(shape.into())
    }

    /// It stands in an IT block, and its condition holds or not.
    #[inline(always)]
    pub fn in_block(self, holds: bool) -> Self {
        Ahead(self.0 | Self::IN_BLOCK | (u64::from(!holds) * Self::SKIPPED))
    }

    /// The half-word behind it is an IT, or not.
    #[inline(always)]
    pub fn before_it(self, it_follows: bool) -> Self {
        Ahead(self.0 | (u64::from(it_follows) * Self::IT_FOLLOWS))
    }

    /// It is a branch that decode knows: whether it is taken, and to where.
    #[inline(always)]
    pub fn branching(self, taken: bool, target: Place) -> Self {
        let place = u64::from(target.system) * Self::SYSTEM + u64::from(target.upper) * Self::UPPER;
        Ahead(self.0 | (u64::from(taken) * Self::TAKEN) | place)
    }

    /// Whether its condition fails in an IT block.
    #[inline(always)]
    pub fn is_skipped(self) -> bool {
        self.0 & Self::SKIPPED != 0
    }

    fn next(self, shapes: &[Shape]) -> Next {
        let has = |bit| self.0 & bit != 0;
        let shape = shapes[usize::from(self.0 as Number)];
        Next {
            shape: if has(Self::IN_BLOCK) { shape.in_block() } else { shape },
            skipped: has(Self::SKIPPED),
            taken: has(Self::TAKEN),
            target: Place { system: has(Self::SYSTEM), upper: has(Self::UPPER) },
            it_follows: has(Self::IT_FOLLOWS),
        }
    }
}

/// The work of an instruction, as a number: an [`Act`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work(u32);

impl Work {
    const BITS: u32 = 18;
    const ACCESSES: u32 = 8;
    const PATH: u32 = 13;
    const UPPER: u32 = 1 << 15;
    const SYSTEM: u32 = 1 << 16;
    const BRANCHES: u32 = 1 << 17;

    /// So many accesses to data, and no more.
    #[inline(always)]
    pub fn accessing(accesses: u8) -> Self {
        Work(u32::from(accesses) << Self::ACCESSES)
    }

    /// It accesses data.
    #[inline(always)]
    pub fn accesses(self) -> bool {
        self.0 & ((1 << Self::PATH) - (1 << Self::ACCESSES)) != 0
    }

    /// With a bus that the accesses take; none was named before.
    #[inline(always)]
    pub fn by(self, path: Path) -> Self {
        Work(self.0 | (path as u32) << Self::PATH)
    }

    /// With cycles of a product or a quotient, and a target to branch to; neither was named before.
    #[inline(always)]
    pub fn ending(self, cycles: u8, target: Option<Place>) -> Self {
        let target = target.map_or(0, |to| {
            let place = u32::from(to.system) * Self::SYSTEM + u32::from(to.upper) * Self::UPPER;
            Self::BRANCHES | place
        });
        Work(self.0 | u32::from(cycles) | target)
    }

    /// The work as the pipeline takes it.
    fn act(self) -> Act {
        let has = |bit| self.0 & bit != 0;
        let place = Place { system: has(Self::SYSTEM), upper: has(Self::UPPER) };
        let path = [Path::Code, Path::System, Path::Private, Path::Private];
        Act {
            cycles: self.0 as u8,
            accesses: (self.0 >> Self::ACCESSES & 31) as u8,
            path: path[(self.0 >> Self::PATH & 3) as usize],
            target: has(Self::BRANCHES).then_some(place),
        }
    }
}

impl From<Act> for Work {
    fn from(act: Act) -> Work {
        Work::accessing(act.accesses).by(act.path).ending(act.cycles, act.target)
    }
}

/// The place of a key among the passages.
#[inline(always)]
fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % PASSAGES
}

/// Where a passage ends: before the access to data, or before the next instruction, or before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Access = 1,
    Next = 2,
    First = 3,
}

/// How an instruction begins: it has begun, or it does now, as an IT or as another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Begin {
    #[default]
    Before,
    Other,
    It,
}

/// The number of the state of an empty queue.
const FLUSHED: u32 = 0;

/// The result of a passage, packed: the next state, cycles, and the counters' cycles.
#[derive(Clone, Copy, Debug)]
pub struct Passage(u64);

impl Passage {
    /// Cycles of a passage fit in so many bits.
    const BITS: u32 = 13;
    const MASK: u64 = (1 << Self::BITS) - 1;

    fn new(cycles: u32, counts: &Counts) -> Self {
        let [cycles, load_store, further, folded] =
            [cycles, counts.load_store, counts.further, counts.folded].map(u64::from);
        Passage(
            cycles
                | load_store << Self::BITS
                | further << (2 * Self::BITS)
                | folded << (3 * Self::BITS),
        )
    }

    const STATE: u32 = 3 * Self::BITS + 8;

    /// Both after one another; less than 8,192 cycles.
    pub fn and(self, other: Passage) -> Passage {
        let counts = |one: Passage| one.0 & ((1 << Self::STATE) - 1);
        Passage(counts(self) + counts(other))
    }

    /// No cycles.
    pub const NONE: Passage = Passage(0);

    /// Cycles that go by.
    #[inline(always)]
    pub fn cycles(self) -> u32 {
        (self.0 & Self::MASK) as u32
    }

    /// Those that the counters of the debug unit count.
    #[inline(always)]
    pub fn counts(self) -> Counts {
        Counts {
            load_store: (self.0 >> Self::BITS & Self::MASK) as u32,
            further: (self.0 >> (2 * Self::BITS) & Self::MASK) as u32,
            folded: (self.0 >> (3 * Self::BITS) & 0xFF) as u32,
        }
    }
}

/// A pipeline that remembers where its states lead.
#[derive(Debug)]
pub struct Automaton {
    /// The number of the state that it is in.
    state: u32,
    begin: Begin,
    states: Vec<Pipeline>,
    numbers: HashMap<Pipeline, u32>,
    shapes: Vec<Shape>,
    shape_numbers: HashMap<Shape, Number>,
    /// Keys and results. No key is 0.
    passages: Vec<[u64; 2]>,
    /// Of each state the passage from it that was asked for last.
    last: Vec<[u64; 2]>,
    /// Changes when numbers of states or shapes become void.
    version: u64,
}

impl Default for Automaton {
    fn default() -> Self {
        Automaton {
            state: FLUSHED,
            begin: Begin::default(),
            numbers: HashMap::from([(Pipeline::default(), FLUSHED)]),
            states: vec![Pipeline::default()],
            // The shape of an instruction that cannot be fetched.
            shapes: vec![Shape::default()],
            shape_numbers: HashMap::from([(Shape::default(), 0)]),
            passages: vec![[0; 2]; PASSAGES],
            last: vec![[0; 2]; MOST],
            version: 0,
        }
    }
}

/// A copy is in the same state and remembers nothing.
impl Clone for Automaton {
    fn clone(&self) -> Self {
        let mut copy = Automaton { begin: self.begin, ..Automaton::default() };
        copy.stand(self.pipeline().clone());
        copy
    }
}

/// Two are equal if they are in the same state.
impl PartialEq for Automaton {
    fn eq(&self, other: &Self) -> bool {
        self.begin == other.begin && self.pipeline() == other.pipeline()
    }
}

impl Automaton {
    /// The pipeline as it stands.
    pub fn pipeline(&self) -> &Pipeline {
        &self.states[self.state as usize]
    }

    /// The number of the state, until numbers become void.
    #[inline(always)]
    pub fn state(&self) -> u32 {
        self.state
    }

    /// The pipeline is in the state of this number, and an instruction has ended.
    #[inline(always)]
    pub fn stand_in(&mut self, state: u32) {
        (self.state, self.begin) = (state, Begin::Before);
    }

    /// Makes space for so many states and shapes. Numbers may become void by that, and do not until it is used up.
    pub fn reserve(&mut self, count: usize) {
        if self.shapes.len() + count > MOST {
            self.forget_shapes();
        }
        if self.states.len() + count > MOST {
            let pipeline = self.pipeline().clone();
            self.forget_states();
            self.stand(pipeline);
        }
    }

    /// [`Pipeline::is_warm`].
    #[inline(always)]
    pub fn is_warm(&self) -> bool {
        self.state != FLUSHED
    }

    /// [`Pipeline::flush`].
    pub fn flush(&mut self) {
        (self.state, self.begin) = (FLUSHED, Begin::Before);
    }

    /// [`Pipeline::warm`].
    pub fn warm(&mut self, place: Place, first: Ahead) -> u32 {
        self.begin = Begin::Before;
        self.pass(Work::default().ending(0, Some(place)), first, End::First).cycles()
    }

    /// [`Pipeline::set_waits`].
    pub fn set_waits(&mut self, waits: [u8; 2]) {
        let mut pipeline = self.pipeline().clone();
        pipeline.set_waits(waits);
        self.stand(pipeline);
    }

    /// [`Pipeline::keep_waiting`].
    pub fn keep_waiting(&mut self, cycles: u16) -> bool {
        // No passage has a key without a number in its upper bits.
        let key = u64::from(self.state) | u64::from(cycles) << 16;
        if let Some(found) = self.passage(key) {
            self.state = (found >> Passage::STATE) as u32;
            return found & 1 != 0;
        }
        let mut pipeline = self.pipeline().clone();
        let waits = pipeline.keep_waiting(cycles);
        let before = self.version;
        self.stand(pipeline);
        if self.version == before {
            let found = u64::from(waits) | u64::from(self.state) << Passage::STATE;
            self.keep(key, found);
        }
        waits
    }

    /// [`Pipeline::walk`].
    pub fn walk(
        &mut self,
        (work, next): (Work, Ahead),
        until: Until,
        is_kept: &mut dyn FnMut() -> bool,
    ) -> Counts {
        let mut pipeline = self.pipeline().clone();
        match std::mem::take(&mut self.begin) {
            Begin::Before => {}
            begin => pipeline.start(begin == Begin::It),
        }
        let mut counts = Counts::default();
        pipeline.walk((&work.act(), &next.next(&self.shapes)), until, &mut counts, is_kept);
        pipeline.settle();
        self.stand(pipeline);
        counts
    }

    /// [`Pipeline::start`], as a part of the passage that follows.
    #[inline(always)]
    pub fn start(&mut self, is_it: bool) {
        self.begin = if is_it { Begin::It } else { Begin::Other };
    }

    /// [`Pipeline::reach_access`].
    #[inline(always)]
    pub fn reach_access(&mut self, work: Work, next: Ahead) -> Passage {
        self.pass(work, next, End::Access)
    }

    /// [`Pipeline::reach_next`].
    #[inline(always)]
    pub fn reach_next(&mut self, work: Work, next: Ahead) -> Passage {
        self.pass(work, next, End::Next)
    }

    #[inline(always)]
    fn pass(&mut self, work: Work, next: Ahead, end: End) -> Passage {
        let how = end as u64 | (self.begin as u64) << 2;
        let key = u64::from(self.state)
            | next.0 << 16
            | u64::from(work.0) << (16 + Ahead::BITS)
            | how << (16 + Ahead::BITS + Work::BITS);
        let [known, found] = self.last[self.state as usize % MOST];
        let found = if known == key { found } else { self.find(key, (work, next), end) };
        (self.state, self.begin) = ((found >> Passage::STATE) as u32, Begin::Before);
        Passage(found)
    }

    /// A passage that is not the last from its state.
    #[inline(never)]
    fn find(&mut self, key: u64, work: (Work, Ahead), end: End) -> u64 {
        let Some(found) = self.passage(key) else { return self.compute(key, work, end) };
        self.last[self.state as usize % MOST] = [key, found];
        found
    }

    /// The passage of a key. It becomes the newer of its pair.
    #[inline(always)]
    fn passage(&mut self, key: u64) -> Option<u64> {
        let place = hash(key);
        let [known, found] = self.passages[place];
        if known == key {
            return Some(found);
        }
        let [known, found] = self.passages[place ^ 1];
        if known != key {
            return None;
        }
        self.passages.swap(place, place ^ 1);
        Some(found)
    }

    fn keep(&mut self, key: u64, found: u64) {
        let place = hash(key);
        self.passages[place ^ 1] = self.passages[place];
        self.passages[place] = [key, found];
    }

    /// The pipeline itself says where the passage leads.
    #[cold]
    #[inline(never)]
    fn compute(&mut self, key: u64, (work, next): (Work, Ahead), end: End) -> u64 {
        let mut pipeline = self.pipeline().clone();
        match self.begin {
            Begin::Before => {}
            begin => pipeline.start(begin == Begin::It),
        }
        let (act, next) = (work.act(), next.next(&self.shapes));
        let mut counts = Counts::default();
        let cycles = match end {
            End::Access => pipeline.reach_access(&act, &next, &mut counts),
            End::Next => pipeline.reach_next(&act, &next, &mut counts),
            End::First => pipeline.warm(act.target.unwrap_or_default(), next),
        };
        pipeline.settle();
        let (from, before) = (self.state as usize, self.version);
        self.stand(pipeline);
        let found = Passage::new(cycles, &counts).0 | u64::from(self.state) << Passage::STATE;
        // Numbers of before are void if the states have been forgotten.
        if self.version == before {
            self.keep(key, found);
            self.last[from] = [key, found];
        }
        found
    }

    /// The pipeline is now in this state.
    fn stand(&mut self, pipeline: Pipeline) {
        if let Some(&number) = self.numbers.get(&pipeline) {
            self.state = number;
            return;
        }
        if self.states.len() >= MOST {
            self.forget_states();
        }
        self.state = self.states.len() as u32;
        self.numbers.insert(pipeline.clone(), self.state);
        self.states.push(pipeline);
    }

    fn forget_shapes(&mut self) {
        let version = self.version + 1;
        *self = Automaton { version, ..self.clone() };
    }

    fn forget_states(&mut self) {
        self.version += 1;
        self.states.truncate(1);
        self.numbers.retain(|_, number| *number == FLUSHED);
        self.passages.fill([0; 2]);
        self.last.fill([0; 2]);
    }

    /// Changes when numbers of states or shapes become void.
    #[inline(always)]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The number of a shape.
    pub fn number(&mut self, shape: Shape) -> Number {
        if let Some(&number) = self.shape_numbers.get(&shape) {
            return number;
        }
        if self.shapes.len() >= MOST {
            self.forget_shapes();
        }
        let number = self.shapes.len() as Number;
        self.shapes.push(shape);
        self.shape_numbers.insert(shape, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::decoder::decode;
    use super::super::Way;
    use super::*;

    /// Numbers by xorshift.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) % bound
        }

        fn place(&mut self) -> Place {
            Place { system: self.below(3) == 0, upper: self.below(2) == 0 }
        }

        /// One of `most` shapes.
        fn shape(&mut self, most: u64) -> Shape {
            let opcode = (self.below(most) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            Shape::of(&decode(opcode as u32))
        }

        fn ahead(&mut self, most: u64, automaton: &mut Automaton) -> Ahead {
            let shape = self.shape(most);
            let mut ahead = Ahead::of(automaton.number(shape));
            if self.below(8) == 0 {
                ahead = ahead.in_block(self.below(2) == 0);
            } else if shape.folds {
                ahead = ahead.before_it(self.below(3) == 0);
            }
            if shape.way == Way::Early {
                let may_fail = ahead.is_skipped() || shape.conditional && self.below(2) == 0;
                ahead = ahead.branching(!may_fail, self.place());
            }
            ahead
        }

        /// The work of an instruction.
        fn act(&mut self, one: &Next) -> Act {
            let shape = &one.shape;
            if one.skipped {
                return Act::default();
            }
            let target = match shape.way {
                Way::Early => one.taken.then_some(one.target),
                Way::Late | Way::Sum | Way::Table => Some(self.place()),
                Way::Compare => (self.below(2) == 0).then(|| self.place()),
                _ => shape.loads_pc.then(|| self.place()),
            };
            let one_access = u64::from(shape.transfers() && shape.way != Way::List);
            let unaligned = one_access * (self.below(8) / 6);
            Act {
                cycles: 1 + self.below(12) as u8,
                accesses: shape.accesses + (one_access + unaligned) as u8,
                path: [Path::Code, Path::System, Path::System, Path::Private]
                    [self.below(4) as usize],
                target,
            }
        }
    }

    /// A pipeline that remembers nothing takes the same passages.
    fn compare(seed: u64, shapes: u64, instructions: u32) -> Automaton {
        let mut random = Random(seed);
        let mut automaton = Automaton::default();
        let mut pipeline = Pipeline::default();
        let (place, mut ahead) = (random.place(), random.ahead(shapes, &mut automaton));
        automaton.warm(place, ahead);
        pipeline.warm(place, ahead.next(&automaton.shapes));
        for number in 0..instructions {
            let one = ahead.next(&automaton.shapes);
            let act = random.act(&one);
            ahead = random.ahead(shapes, &mut automaton);
            let next = ahead.next(&automaton.shapes);
            automaton.start(one.shape.way == Way::It);
            pipeline.start(one.shape.way == Way::It);
            for access in 0..=act.accesses {
                let mut counts = Counts::default();
                let (found, cycles) = if access < act.accesses {
                    let cycles = pipeline.reach_access(&act, &next, &mut counts);
                    (automaton.reach_access(act.into(), ahead), cycles)
                } else {
                    let cycles = pipeline.reach_next(&act, &next, &mut counts);
                    (automaton.reach_next(act.into(), ahead), cycles)
                };
                assert_eq!((found.cycles(), found.counts()), (cycles, counts), "{number} {one:?}");
            }
        }
        automaton
    }

    #[test]
    fn it_takes_the_passages_of_the_pipeline() {
        for seed in 1..20 {
            compare(seed, 3, 10_000);
            compare(seed, 40, 10_000);
        }
    }

    #[test]
    fn it_forgets_when_there_are_too_many_states_or_shapes() {
        let automaton = compare(4, 1 << 31, 60_000);
        assert!(automaton.version > 0 && automaton.states.len() <= MOST, "{}", automaton.version);
        assert!(compare(5, 500, 60_000).states.len() <= MOST);
    }

    #[test]
    fn a_copy_is_in_the_same_state() {
        let mut automaton = Automaton::default();
        assert!(!automaton.is_warm());
        automaton.warm(Place::default(), Ahead::default());
        let mut copy = automaton.clone();
        assert!(copy == automaton && copy.is_warm());
        copy.flush();
        assert!(copy != automaton && copy == Automaton::default());
    }
}
