//! The tree of chains, with what was spent in each node itself.

use std::collections::HashMap;

use crate::bus::ExceptionKind;
use crate::time::Cycle;

/// The meaning of a node: where a chain begins, or what was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Of {
    /// A program whose beginning was not seen.
    Program,
    /// An interrupt of this vector.
    Interrupt(u32),
    /// A trap of this vector: a system call.
    Call(u32),
    /// A fault of this vector.
    Fault(u32),
    /// The function that begins here.
    Function(u32),
    /// Code that belongs to no function.
    NoFunction,
}

impl Of {
    /// An exception of this kind.
    pub fn exception(kind: ExceptionKind, vector: u32) -> Of {
        match kind {
            ExceptionKind::Interrupt(_) => Of::Interrupt(vector),
            ExceptionKind::Call => Of::Call(vector),
            ExceptionKind::Fault => Of::Fault(vector),
        }
    }

    /// Its name in results, and its address.
    pub fn named(self) -> (&'static str, Option<u32>) {
        match self {
            Of::Program => ("program", None),
            Of::Interrupt(vector) => ("interrupt", Some(vector)),
            Of::Call(vector) => ("call", Some(vector)),
            Of::Fault(vector) => ("fault", Some(vector)),
            Of::Function(start) => ("function", Some(start)),
            Of::NoFunction => ("no function", None),
        }
    }
}

/// The expense of a node, without those of what it called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Instructions executed.
    pub instructions: u64,
    /// Cycles, without sleep.
    pub cycles: Cycle,
    /// Cycles for which the core's clock was stopped.
    pub asleep: Cycle,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The number of the node that it was called from; a chain begins without one.
    pub parent: Option<usize>,
    /// Its meaning.
    pub of: Of,
    /// Its own expense.
    pub spent: Spent,
}

#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    numbers: HashMap<(Option<usize>, Of), usize>,
    current: usize,
    /// Of the iteration under way: the nodes that it charged, as they were before.
    before: Option<HashMap<usize, Spent>>,
}

impl Default for Tree {
    /// A tree with one node: that of a program.
    fn default() -> Tree {
        let mut tree =
            Tree { nodes: Vec::new(), numbers: HashMap::new(), current: 0, before: None };
        tree.node(None, Of::Program);
        tree
    }
}

impl Tree {
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of a node, made if need be.
    pub fn node(&mut self, parent: Option<usize>, of: Of) -> usize {
        let new = self.nodes.len();
        let number = *self.numbers.entry((parent, of)).or_insert(new);
        if number == new {
            self.nodes.push(Node { parent, of, spent: Spent::default() });
        }
        number
    }

    /// From here on this node is charged.
    pub fn charge_to(&mut self, number: usize) {
        self.current = number;
        self.remember();
    }

    /// The expense of the node that is charged.
    #[inline]
    pub fn current(&mut self) -> &mut Spent {
        &mut self.nodes[self.current].spent
    }

    /// Nothing has been spent.
    pub fn clear(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.spent = Spent::default());
    }

    fn remember(&mut self) {
        if let Some(before) = &mut self.before {
            before.entry(self.current).or_insert(self.nodes[self.current].spent);
        }
    }

    /// An iteration may begin here.
    pub fn follow(&mut self) {
        self.before = Some(HashMap::new());
        self.remember();
    }

    /// Charges all that the iteration charged `count` times more.
    pub fn repeat(&mut self, count: u64) {
        for (&number, before) in self.before.iter().flatten() {
            let now = &mut self.nodes[number].spent;
            now.instructions += (now.instructions - before.instructions) * count;
            now.cycles += (now.cycles - before.cycles) * count;
            now.asleep += (now.asleep - before.asleep) * count;
        }
    }

    /// No iteration is under way.
    pub fn unfollow(&mut self) {
        self.before = None;
    }
}
