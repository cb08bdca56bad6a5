//! Decoded blocks: sequences of instructions, each with its executing function.
//!
//! A long block goes on behind a call or a jump where that leads. Behind a conditional branch it goes on the way that such
//! branches mostly take: back, or not at all. The other way leaves it by its side.
//! Where something may happen before its end, a short one that ends with its first branch takes its place.
//!
//! Memory answers without a cycle of its own, and registers do not depend on the time. So while nothing can happen, a
//! block executes at once on memory that the bus lends. Its functions note in a key what the pipeline must know: which
//! conditions failed, which bus has the data, and how long a product took. From its state at the beginning of the
//! block, the pipeline's automaton then says where it is behind it, and how many cycles went by. A node, which is a block
//! and a state, has an `Exit` for each node behind it, with the passages to there by their key.
//!
//! The plain core executes what a block cannot: devices, unaligned accesses, writes over code, exceptions, and
//! instructions that change what is masked.

mod decode;
mod functions;
mod reach;

use std::collections::HashMap;

use super::decoder::{Instruction, Operation as O};
use super::pipeline::{Act, Passage, Work};
use super::psr::passes;
use super::{Armv7m, LR};
use crate::bus::{Bus, CodeBus};
use crate::core::{Core, Limit, Stop};
use crate::processor::Accelerator;
use crate::system::System;
use crate::time::Cycle;
use decode::Item;
use functions::{Left, Run};
use reach::{Reach, NO_TARGET};

/// One step of a block. An instruction has one as a rule; one that does nothing has none, and a condition in an IT
/// block has one of its own.
#[derive(Clone, Copy)]
struct Step {
    run: Run,
    one: Instruction,
    /// The first of its bits in the key.
    bit: u8,
    /// The place of its instruction in the block.
    item: u8,
}

/// A block.
#[derive(Clone, Copy)]
struct Block {
    address: u32,
    opcode: u32,
    steps: (u32, u32),
    items: (u32, u32),
    slowest: u32,
    /// The address behind it, or where it goes on.
    end: u32,
    /// Where a branch at its end leads that names its target.
    far: u32,
    /// How the pipeline may see its first instruction.
    first: First,
    /// Writes to it are tracked: what is known of it holds.
    tracked: bool,
    /// The short one in its place, if it is long.
    short: u32,
    /// The node that was asked for last.
    node: u32,
}

/// The pipeline's view of a first instruction may depend on flags, or on a register.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// Nothing.
    Fixed,
    /// A condition: the branch is taken or not.
    Condition(u8),
    /// The link register: the branch leads there.
    Link,
}

impl First {
    /// The view, as the core stands.
    #[inline(always)]
    fn view(self, core: &Armv7m) -> u64 {
        match self {
            First::Fixed => 0,
            First::Condition(condition) => passes(condition, core.flags).into(),
            First::Link => functions::place_number(core.r[LR]),
        }
    }
}

/// Where a block leads.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Onward {
    target: u32,
    /// The node behind; 0 where there is none.
    next: u32,
    /// How the pipeline sees the first instruction behind, and what that depends on.
    first: First,
    view: u8,
}

const NOWHERE: Onward = Onward { target: NO_TARGET, next: 0, first: First::Fixed, view: 0 };

impl Onward {
    /// Whether a block that was left for a target leads here.
    #[inline(always)]
    fn is_of(&self, core: &Armv7m, target: u32) -> bool {
        self.target == target
            && (self.first == First::Fixed || self.first.view(core) == self.view.into())
    }
}

/// How a block was left, and where that leads.
#[derive(Clone, Copy)]
struct Link {
    key: u64,
    onward: Onward,
    passage: Passage,
    /// The state of the pipeline behind it.
    state: u32,
}

const NO_LINK: Link = Link { key: 0, onward: NOWHERE, passage: Passage::NONE, state: 0 };

/// Passages of an exit that are kept in it.
const PASSAGES: usize = 16;
/// No key: a key has fewer bits.
const NO_KEY: u64 = u64::MAX;

/// Links of a block that lead to the same node. The next block begins while the host still looks for the passage.
#[derive(Clone, Copy)]
struct Exit {
    onward: Onward,
    /// How many instructions were executed.
    instructions: u64,
    /// Keys and passages, by a hash of the key; of two with the same the newer stays.
    passages: [(u64, Passage); PASSAGES],
}

const NO_EXIT: Exit =
    Exit { onward: NOWHERE, instructions: 0, passages: [(NO_KEY, Passage::NONE); PASSAGES] };

impl Exit {
    /// The passage of a block that was left with a key for a target; none of an exit that is not in use.
    #[inline(always)]
    fn passage(&self, core: &Armv7m, key: u64, target: u32) -> Option<Passage> {
        let (known, passage) = self.passages[place_of_key(key)];
        (known == key && self.onward.is_of(core, target)).then_some(passage)
    }
}

#[inline(always)]
fn place_of_key(key: u64) -> usize {
    // Of four bits next to one another no two values meet.
    (key.wrapping_mul(0x1111_1111_1111_1111) >> 60) as usize % PASSAGES
}

/// Exits of a node: four for each way to leave it.
const EXITS: usize = 16;

/// The first of two places of an exit in its node. The other differs in the lowest bit.
#[inline(always)]
fn place_of_exit(left: Left, target: u32) -> usize {
    ((left as usize) << 2 | (target >> 1 & 3) as usize) % EXITS
}

/// A block, and the state of the pipeline in which it begins.
#[derive(Clone, Copy)]
struct Node {
    first_step: u32,
    /// The place behind the last.
    end_step: u32,
    /// The most cycles that it takes; endless where the plain core must execute.
    slowest: Cycle,
    instructions: u64,
    block: u32,
    state: u32,
    /// That of the short block, if there is one.
    short: u32,
    /// Those that were taken last.
    exits: [u32; EXITS],
    /// For each way to leave it, the exit that was taken last.
    likely: [Likely; 4],
}

/// An exit, and the node behind it. The host reads the next block by it while it still looks whether the exit is right.
#[derive(Clone, Copy)]
struct Likely {
    exit: u32,
    next: u32,
}

/// A link that lies farther, or one that leaves a block before its end: `target` names the instruction.
#[derive(Clone, Copy)]
struct Far {
    node: u32,
    left: Left,
    link: Link,
}

/// Blocks are found by the low bits of their address; of two with the same bits the newer stays.
const SLOTS: usize = 1 << 16;
/// Links are found by a hash; of two with the same the newer stays.
const FAR: usize = 1 << 13;
/// With more steps than this all are forgotten.
const MOST: usize = if cfg!(test) { 1 << 12 } else { 1 << 18 };
/// So many exits, too.
const MOST_EXITS: usize = MOST >> 2;
/// A block leads the pipeline through fewer states, and has fewer shapes.
const SPACE: usize = 1 << 10;
/// Bytes of code behind a block that the pipeline sees.
const SEEN_BEHIND: u32 = 6;

/// The blocks decoded so far.
pub struct Blocks {
    version: u64,
    /// Of the automaton.
    numbers: u64,
    slots: Vec<u32>,
    blocks: Vec<Block>,
    steps: Vec<Step>,
    items: Vec<Item>,
    nodes: Vec<Node>,
    exits: Vec<Exit>,
    known: HashMap<(u32, u32), u32>,
    far: Vec<Far>,
    ram_at: u32,
    /// How often all were forgotten.
    generation: u64,
}

const NO_BLOCK: Block = Block {
    address: u32::MAX,
    opcode: 0,
    steps: (0, 0),
    items: (0, 0),
    slowest: 0,
    end: 0,
    far: 0,
    first: First::Fixed,
    tracked: false,
    short: 0,
    node: 0,
};

const NO_NODE: Node = Node {
    first_step: 0,
    end_step: 0,
    slowest: Cycle::MAX,
    instructions: 0,
    block: 0,
    state: 0,
    short: 0,
    exits: [0; EXITS],
    likely: [Likely { exit: 0, next: 0 }; 4],
};

const NO_FAR: Far = Far { node: 0, left: Left::Undone, link: NO_LINK };

impl Default for Blocks {
    fn default() -> Self {
        Blocks {
            version: 0,
            numbers: 0,
            slots: vec![0; SLOTS],
            blocks: vec![NO_BLOCK],
            steps: Vec::new(),
            items: Vec::new(),
            nodes: vec![NO_NODE],
            exits: vec![NO_EXIT],
            known: HashMap::new(),
            far: vec![NO_FAR; FAR],
            ram_at: 0,
            generation: 0,
        }
    }
}

impl Accelerator<Armv7m> for Blocks {
    /// Runs the core as [`Core::run`] does, with the same result.
    fn run(&mut self, core: &mut Armv7m, system: &mut System, limit: Limit) -> Stop {
        loop {
            if system.now() >= limit.cycle || core.retired >= limit.instructions {
                return Stop::Limit;
            }
            let until = system.horizon(core.status()).min(limit.cycle);
            if system.now() < until && core.may_follow() && system.fetches_free(core.pc) {
                system.pause_at(until);
                if self.follow(core, system, limit.instructions) {
                    continue;
                }
            }
            if let Some(stop) = core.step(system) {
                return stop;
            }
        }
    }
}

impl Armv7m {
    /// Whether a block may begin here.
    #[inline(always)]
    fn may_follow(&self) -> bool {
        !self.attention
            && self.it == 0
            && self.continued == 0
            && self.thumb
            && self.pipeline.is_warm()
            && self.paid == 0
    }
}

/// Why a chain of blocks ended.
enum Ended {
    /// The next is left to the plain core, or something may happen in it.
    Before,
    /// The last was left so, and no link is known.
    Unknown(Done),
    /// It was left before an instruction.
    Within,
}

/// The instructions of a block that were executed, and what is known of them.
#[derive(Clone, Copy)]
struct Done {
    node: u32,
    left: Left,
    key: u64,
    target: u32,
    /// How many of its instructions.
    items: usize,
}

/// Cycles until something may happen, and instructions that may retire.
#[derive(Clone, Copy)]
struct Budget {
    cycles: Cycle,
    instructions: u64,
}

impl Budget {
    /// Whether a block ends before something may happen.
    #[inline(always)]
    fn has(&self, node: &Node) -> bool {
        node.slowest < self.cycles && node.instructions <= self.instructions
    }

    /// Instructions of a block were executed.
    #[inline(always)]
    fn spend(&mut self, instructions: u64, passage: Passage) {
        self.cycles -= Cycle::from(passage.cycles());
        self.instructions -= instructions;
    }
}

impl Blocks {
    /// Executes blocks while nothing can happen and `instructions` have not retired. Returns whether any instruction was
    /// executed.
    fn follow(&mut self, core: &mut Armv7m, system: &mut System, instructions: u64) -> bool {
        let end = system.undisturbed_until();
        if system.now() >= end {
            return false;
        }
        self.refresh(core, system);
        let Some(mut at) = self.node_at(core, system) else { return false };
        let given =
            Budget { cycles: end - system.now(), instructions: instructions - core.retired };
        let mut budget = given;
        let mut reach = Reach::new(core, system, &mut self.ram_at);
        let ended = loop {
            let ended = self.chain(core, &mut reach, &mut at, &mut budget);
            let short = self.nodes[at as usize].short;
            if matches!(ended, Ended::Before) && budget.has(&self.nodes[short as usize]) {
                at = short;
                continue;
            }
            let Ended::Unknown(done) = ended else { break ended };
            let Some(link) = self.find(core, done) else { break ended };
            budget.spend(done.items as u64, link.passage);
            core.count(link.passage);
            at = link.onward.next;
        };
        let (key, rest) = (reach.key, reach.rest);
        let system = reach.end();
        system.spend((given.cycles - budget.cycles) as u32);
        let progressed = budget.instructions != given.instructions;
        core.retired += given.instructions - budget.instructions;
        match ended {
            Ended::Before => {
                if progressed {
                    self.stand_before(core, at);
                }
                progressed
            }
            Ended::Unknown(done) => {
                self.leave(core, system, done);
                true
            }
            Ended::Within => {
                let node = &self.nodes[at as usize];
                let step = self.steps[node.end_step as usize - rest - 1];
                let items = usize::from(step.item);
                if items > 0 {
                    let done = Done { node: at, left: Left::Undone, key, target: NO_TARGET, items };
                    self.leave(core, system, done);
                } else if progressed {
                    self.stand_before(core, at);
                }
                progressed || items > 0
            }
        }
    }

    /// Executes a block, and those behind it as long as a node leads to the next.
    #[inline(never)]
    fn chain(
        &mut self,
        core: &mut Armv7m,
        reach: &mut Reach,
        begin: &mut u32,
        budget: &mut Budget,
    ) -> Ended {
        let (mut at, mut left) = (*begin, *budget);
        let counting = core.dwt.counting;
        let Blocks { nodes, steps, exits, .. } = self;
        let ended = loop {
            let node = &nodes[at as usize];
            if !left.has(node) {
                break Ended::Before;
            }
            (reach.key, reach.target) = (0, NO_TARGET);
            let steps = &steps[node.first_step as usize..node.end_step as usize];
            let way = functions::begin(core, reach, steps);
            if way == Left::Undone {
                break Ended::Within;
            }
            let (key, target) = (reach.key, reach.target);
            let mut likely = node.likely[way as usize];
            let mut exit = &exits[likely.exit as usize];
            let mut found = exit.passage(core, key, target);
            if found.is_none() {
                let place = place_of_exit(way, target);
                for number in [node.exits[place], node.exits[place ^ 1]] {
                    exit = &exits[number as usize];
                    found = exit.passage(core, key, target);
                    if found.is_some() {
                        likely = Likely { exit: number, next: exit.onward.next };
                        nodes[at as usize].likely[way as usize] = likely;
                        break;
                    }
                }
            }
            let Some(passage) = found else {
                let items = match way {
                    Left::Side => decode::instructions_of(target),
                    _ => nodes[at as usize].instructions as usize,
                };
                break Ended::Unknown(Done { node: at, left: way, key, target, items });
            };
            left.spend(exit.instructions, passage);
            if counting {
                core.count(passage);
            }
            at = likely.next;
        };
        (*begin, *budget) = (at, left);
        ended
    }

    /// The core stands at the beginning of a block.
    #[inline(always)]
    fn stand_before(&self, core: &mut Armv7m, at: u32) {
        let node = &self.nodes[at as usize];
        let block = &self.blocks[node.block as usize];
        core.pipeline.stand_in(node.state);
        (core.pc, core.ahead) = (block.address, Some(block.opcode));
    }

    /// The link of a block that was left, if it is kept farther. It becomes one of the node's own.
    #[inline(never)]
    fn find(&mut self, core: &Armv7m, done: Done) -> Option<Link> {
        let link = self.find_far(core, &done)?;
        let (place, exits) = (place_of_exit(done.left, done.target), &mut self.exits);
        let node = &mut self.nodes[done.node as usize];
        let of_node = |place: usize| node.exits[place] as usize;
        let places = [place, place ^ 1];
        let known = places.into_iter().find(|&one| exits[of_node(one)].onward == link.onward);
        let exit = known.map_or(0, of_node);
        if exit == 0 {
            // The older makes way.
            node.exits.swap(place, place ^ 1);
            if node.exits[place] == 0 {
                if exits.len() >= MOST_EXITS {
                    // All are forgotten before the next block.
                    self.version = u64::MAX;
                    return Some(link);
                }
                node.exits[place] = exits.len() as u32;
                exits.push(NO_EXIT);
            }
            let made = Exit { onward: link.onward, instructions: done.items as u64, ..NO_EXIT };
            exits[node.exits[place] as usize] = made;
        }
        let exit = node.exits[known.unwrap_or(place)];
        node.likely[done.left as usize] = Likely { exit, next: link.onward.next };
        exits[exit as usize].passages[place_of_key(done.key)] = (done.key, link.passage);
        Some(link)
    }

    fn find_far(&self, core: &Armv7m, done: &Done) -> Option<Link> {
        let far = &self.far[place_of(done)];
        let is_it = far.node == done.node
            && far.left == done.left
            && far.link.key == done.key
            && far.link.onward.is_of(core, done.target);
        is_it.then_some(far.link)
    }

    /// The core leaves a block behind some of its instructions, which have been executed.
    #[inline(never)]
    fn leave(&mut self, core: &mut Armv7m, system: &mut System, mut done: Done) {
        let node = self.nodes[done.node as usize];
        let block = self.blocks[node.block as usize];
        core.pc = match done.left {
            Left::Next => block.end,
            Left::Taken if done.target == NO_TARGET => block.far,
            Left::Taken => done.target,
            Left::Side => self.items[block.items.0 as usize + done.items - 1].side(),
            Left::Undone => {
                let item = &self.items[block.items.0 as usize + done.items];
                core.it = item.it;
                let view = if item.decoded.is_by_link { First::Link } else { First::Fixed };
                done.target = (done.items as u32) << 3 | (view.view(core) as u32) << 1 | NO_TARGET;
                core.ahead = Some(item.decoded.opcode());
                item.address
            }
        };
        core.pipeline.stand_in(node.state);
        let known = if done.left == Left::Undone { self.find_far(core, &done) } else { None };
        let passage = match known {
            Some(link) => {
                core.pipeline.stand_in(link.state);
                link.passage
            }
            None => self.pass(core, system, &block, &done),
        };
        debug_assert!(passage.cycles() <= block.slowest, "{passage:?} {:x}", block.address);
        core.retired += done.items as u64;
        core.count(passage);
        system.spend(passage.cycles());
        if known.is_none() {
            self.keep(core, system, done, passage);
        }
    }

    /// The pipeline passes instructions of a block, up to the one at which the core stands.
    fn pass(
        &mut self,
        core: &mut Armv7m,
        system: &mut System,
        block: &Block,
        done: &Done,
    ) -> Passage {
        core.pipeline.reserve(SPACE);
        let mut items = self.items[block.items.0 as usize..][..done.items].to_vec();
        if core.pipeline.version() != self.numbers {
            for item in &mut items {
                item.decoded = core.memo.entry(item.decoded.opcode(), &mut core.pipeline);
            }
        }
        core.ahead = None;
        let successor = core.look_ahead(system, core.pc);
        let target = match (done.left, items.last().and_then(|item| item.follows)) {
            (Left::Taken, _) | (Left::Side, None) => Some(core.pc),
            (Left::Side, Some(_)) => None,
            (_, follows) => follows,
        };
        let mut sum = Passage::NONE;
        for (place, item) in items.iter().enumerate() {
            let last = |place| place + 1 == items.len();
            let branches = |place: usize| if last(place) { target } else { items[place].follows };
            let next = match items.get(place + 1) {
                Some(next) => next.ahead(done.key, branches(place + 1)),
                None => successor,
            };
            let act = item.act(done.key, branches(place));
            core.pipeline.start(item.decoded.one.operation == O::It);
            let without = Work::from(Act { cycles: 0, target: None, ..act });
            for _ in 0..item.accesses(done.key) {
                sum = sum.and(core.pipeline.reach_access(without, next));
            }
            sum = sum.and(core.pipeline.reach_next(act.into(), next));
        }
        sum
    }

    /// Keeps the link to where the core stands now.
    fn keep(&mut self, core: &mut Armv7m, system: &mut System, done: Done, passage: Passage) {
        if core.pipeline.version() != self.numbers {
            return;
        }
        let (generation, state) = (self.generation, core.pipeline.state());
        let target = done.target;
        let onward = if done.left == Left::Undone {
            Onward { target, next: done.node, ..NOWHERE }
        } else {
            let Some(next) = self.node_at(core, system) else { return };
            let first = self.blocks[self.nodes[next as usize].block as usize].first;
            Onward { target, next, first, view: first.view(core) as u8 }
        };
        let link = Link { key: done.key, onward, passage, state };
        if self.generation == generation {
            self.far[place_of(&done)] = Far { node: done.node, left: done.left, link };
        }
    }

    /// Forgets what is void.
    #[inline(always)]
    fn refresh(&mut self, core: &Armv7m, system: &System) {
        if self.version != system.version() || self.numbers != core.pipeline.version() {
            self.forget(core, system);
        }
    }

    #[cold]
    fn forget(&mut self, core: &Armv7m, system: &System) {
        (self.version, self.numbers) = (system.version(), core.pipeline.version());
        self.generation += 1;
        for block in self.blocks.drain(1..) {
            self.slots[slot(block.address)] = 0;
        }
        self.steps.clear();
        self.items.clear();
        self.nodes.truncate(1);
        self.exits.truncate(1);
        self.known.clear();
        self.far.fill(NO_FAR);
    }

    /// The node where the core stands; none where the code may change without notice.
    #[inline(always)]
    fn node_at(&mut self, core: &mut Armv7m, system: &mut System) -> Option<u32> {
        let mut index = self.slots[slot(core.pc)];
        if self.blocks[index as usize].address != core.pc {
            index = self.decode(core, system)?;
        }
        let block = &self.blocks[index as usize];
        if !block.tracked || core.ahead.is_some_and(|opcode| opcode != block.opcode) {
            return None;
        }
        let node = &self.nodes[block.node as usize];
        if node.block == index && node.state == core.pipeline.state() {
            return Some(block.node);
        }
        Some(self.node(index, core.pipeline.state()))
    }

    #[inline(never)]
    fn node(&mut self, index: u32, state: u32) -> u32 {
        let block = self.blocks[index as usize];
        let number = match self.known.get(&(index, state)) {
            Some(&number) => number,
            None => {
                let short = if block.short == 0 { 0 } else { self.node(block.short, state) };
                let number = self.nodes.len() as u32;
                self.nodes.push(Node {
                    block: index,
                    state,
                    short,
                    first_step: block.steps.0,
                    end_step: block.steps.0 + block.steps.1,
                    instructions: block.items.1.into(),
                    slowest: if block.items.1 == 0 { Cycle::MAX } else { block.slowest.into() },
                    ..NO_NODE
                });
                self.known.insert((index, state), number);
                number
            }
        };
        self.blocks[index as usize].node = number;
        number
    }

    /// Decodes the block where the core stands. Returns none where nothing answers.
    #[cold]
    #[inline(never)]
    fn decode(&mut self, core: &mut Armv7m, system: &mut System) -> Option<u32> {
        if self.steps.len().max(self.nodes.len()).max(self.blocks.len()) >= MOST {
            self.forget(core, system);
        }
        let address = core.pc;
        let opcode = decode::opcode_at(system, address)?;
        let draft = decode::block_at(core, system, address, false);
        let short = draft.is_long.then(|| decode::block_at(core, system, address, true));
        self.refresh(core, system);
        let place = (address, opcode);
        let short = short.map_or(0, |short| self.add(core, system, place, short, 0));
        let index = self.add(core, system, place, draft, short);
        self.slots[slot(address)] = index;
        Some(index)
    }

    fn add(
        &mut self,
        core: &mut Armv7m,
        system: &mut System,
        (address, opcode): (u32, u32),
        draft: decode::Draft,
        short: u32,
    ) -> u32 {
        let mut seen = vec![(address, SEEN_BEHIND)];
        seen.extend(draft.items.iter().map(|item| (item.address, item.bytes() + SEEN_BEHIND)));
        seen.extend(draft.constants.iter().map(|&at| (at, 4)));
        let tracked = seen.into_iter().all(|(at, bytes)| system.track_writes(at, bytes));
        let (steps, items) = (self.steps.len() as u32, self.items.len() as u32);
        let decoded = core.memo.entry(opcode, &mut core.pipeline);
        self.blocks.push(Block {
            address,
            opcode,
            steps: (steps, draft.steps.len() as u32),
            items: (items, draft.items.len() as u32),
            slowest: draft.slowest,
            end: draft.end,
            far: draft.items.last().map_or(0, Item::far),
            first: match decoded {
                one if one.is_by_link => First::Link,
                one if one.one.operation == O::Bcond => First::Condition(one.one.condition),
                _ => First::Fixed,
            },
            tracked,
            short,
            node: 0,
        });
        self.steps.extend(draft.steps);
        self.items.extend(draft.items);
        self.blocks.len() as u32 - 1
    }
}

fn place_of(done: &Done) -> usize {
    let place = u64::from(done.node) | u64::from(done.target) << 32;
    let mixed = (place ^ done.key.rotate_left(17) ^ (done.left as u64) << 24)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 40) as usize % FAR
}

#[inline(always)]
fn slot(address: u32) -> usize {
    address as usize >> 1 & (SLOTS - 1)
}
