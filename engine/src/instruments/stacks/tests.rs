//! Chains of calls, through jumps, interrupts, system calls and switches between threads.

use super::threads::Threads;
use super::tree::{Of, Tree};
use super::*;
use crate::instruments::callers::Function;

const MAIN: u32 = 0x100;
const WORK: u32 = 0x200;
const LEAF: u32 = 0x300;
const HANDLER: u32 = 0x400;
const SWITCH: u32 = 0x500;
const SERVICE: u32 = 0x600;
const INTERRUPT: u32 = 0x18;
const CALL: u32 = 8;
const MASKED: Status = Status { masked: 1, mode: 2 };
const UNMASKED: Status = Status { masked: 0, mode: 1 };

struct Run {
    threads: Threads,
    tree: Tree,
}

impl Run {
    fn new() -> Run {
        let starts = [MAIN, WORK, LEAF, HANDLER, SWITCH, SERVICE];
        let function = |start| Function { start, end: start + 0x100, library: false };
        let code = Code::new(starts.map(function).to_vec());
        Run { threads: Threads::new(code), tree: Tree::default() }
    }

    /// Executes at an address with a stack pointer; the chain that pays, by its functions' starts.
    fn at(&mut self, address: u32, stack: u32) -> Vec<u32> {
        self.threads.stack(stack);
        self.threads.executed(address, &mut self.tree);
        self.tree.current().instructions += 1;
        self.chain()
    }

    fn chain(&mut self) -> Vec<u32> {
        let paid = self.tree.current() as *const Spent;
        let nodes = self.tree.nodes();
        let mut number = nodes.iter().position(|node| std::ptr::eq(&node.spent, paid));
        let mut chain = Vec::new();
        while let Some(node) = number.map(|number| nodes[number]) {
            chain.extend(match node.of {
                Of::Program => None,
                of => of.named().1,
            });
            number = node.parent;
        }
        chain.reverse();
        chain
    }

    fn exception(&mut self, kind: ExceptionKind, at: u32, stack: u32) {
        let vector = if kind == ExceptionKind::Call { CALL } else { INTERRUPT };
        let exception = Exception { kind, vector, at, return_to: at + 4, stack };
        self.threads.enter(&exception, &mut self.tree);
        self.threads.status(MASKED);
    }

    fn interrupt(&mut self, at: u32, stack: u32) {
        self.exception(ExceptionKind::Interrupt(0), at, stack);
    }

    fn leave(&mut self, status: Status) {
        self.threads.left_exception();
        self.threads.status(status);
    }
}

#[test]
fn calls_nest_and_returns_go_back_also_over_a_jump_at_the_end() {
    let mut run = Run::new();
    let steps: [(u32, u32, &[u32]); 9] = [
        (MAIN, 0x80, &[MAIN]),
        (MAIN + 4, 0x70, &[MAIN]),
        (WORK, 0x70, &[MAIN, WORK]),
        (WORK + 4, 0x60, &[MAIN, WORK]),
        // WORK gives its stack back and jumps: LEAF returns to MAIN.
        (WORK + 8, 0x70, &[MAIN, WORK]),
        (LEAF, 0x70, &[MAIN, WORK, LEAF]),
        (MAIN + 8, 0x70, &[MAIN]),
        (LEAF, 0x70, &[MAIN, LEAF]),
        (MAIN + 12, 0x70, &[MAIN]),
    ];
    for (address, stack, chain) in steps {
        assert_eq!(run.at(address, stack), chain, "{address:#x}");
    }
}

#[test]
fn recursion_is_a_longer_chain_and_jumps_in_a_circle_are_not() {
    let mut run = Run::new();
    run.at(MAIN, 0x80);
    run.at(WORK, 0x80);
    run.at(WORK + 4, 0x70);
    run.at(MAIN, 0x70);
    run.at(MAIN + 4, 0x60);
    assert_eq!(run.at(WORK, 0x60), [MAIN, WORK, MAIN, WORK]);
    assert_eq!(run.at(MAIN + 8, 0x60), [MAIN, WORK, MAIN]);
    for _ in 0..100 {
        assert_eq!(run.at(LEAF, 0x60), [MAIN, WORK, MAIN, LEAF]);
        assert_eq!(run.at(HANDLER, 0x60), [MAIN, WORK, MAIN, LEAF, HANDLER]);
    }
    assert_eq!(run.at(MAIN + 12, 0x60), [MAIN, WORK, MAIN]);
}

#[test]
fn an_interrupt_begins_a_chain_and_the_other_goes_on_where_it_was() {
    let mut run = Run::new();
    run.at(MAIN, 0x80);
    // Between the call and the first instruction called.
    run.interrupt(WORK, 0x80);
    assert_eq!(run.chain(), [INTERRUPT]);
    assert_eq!(run.at(INTERRUPT, 0x20), [INTERRUPT]);
    // The handler changes the mode and the stack, as it would leave an exception.
    run.leave(MASKED);
    assert_eq!(run.at(HANDLER, 0x80), [INTERRUPT, HANDLER]);
    assert_eq!(run.at(HANDLER + 4, 0x60), [INTERRUPT, HANDLER]);
    assert_eq!(run.at(WORK, 0x60), [INTERRUPT, HANDLER, WORK]);
    assert_eq!(run.at(HANDLER + 8, 0x60), [INTERRUPT, HANDLER]);
    run.leave(UNMASKED);
    assert_eq!(run.at(WORK, 0x80), [MAIN, WORK]);
    assert_eq!(run.at(MAIN + 4, 0x80), [MAIN]);
}

#[test]
fn an_interrupt_that_was_unmasked_at_this_boundary_is_one_chain_also_in_another_mode() {
    let mut run = Run::new();
    run.threads.status(MASKED);
    run.at(MAIN, 0x80);
    run.interrupt(MAIN + 4, 0x80);
    run.at(INTERRUPT, 0x20);
    run.leave(MASKED);
    assert_eq!(run.at(HANDLER, 0x80), [INTERRUPT, HANDLER]);
    run.leave(UNMASKED);
    assert_eq!(run.at(MAIN + 4, 0x80), [MAIN]);
}

#[test]
fn a_system_call_is_called_by_its_program_and_switches_keep_each_threads_chain() {
    let mut run = Run::new();
    run.at(MAIN, 0x1000);
    run.exception(ExceptionKind::Call, MAIN + 4, 0x1000);
    assert_eq!(run.at(CALL, 0x800), [MAIN, CALL]);
    assert_eq!(run.at(SERVICE, 0x800), [MAIN, CALL, SERVICE]);
    run.at(SERVICE + 4, 0x7F0);
    run.at(SWITCH, 0x7F0);
    // Another thread, which was not seen before.
    assert_eq!(run.at(WORK + 8, 0x2000), [WORK]);
    assert_eq!(run.at(LEAF, 0x2000), [WORK, LEAF]);
    run.at(WORK + 12, 0x2000);
    assert_eq!(run.at(SWITCH, 0x2000), [WORK, SWITCH]);
    // Back to the system call, which returns to its program.
    assert_eq!(run.at(SERVICE + 8, 0x7F0), [MAIN, CALL, SERVICE]);
    run.leave(UNMASKED);
    assert_eq!(run.at(MAIN + 8, 0x1000), [MAIN]);
    // And the other way: its call of SWITCH returns.
    run.at(SWITCH, 0x1000);
    assert_eq!(run.at(WORK + 16, 0x2000), [WORK]);
}

#[test]
fn threads_that_switch_in_the_same_function_keep_their_own_chains() {
    let mut run = Run::new();
    run.at(MAIN, 0x1000);
    run.at(WORK, 0x1000);
    run.at(WORK + 4, 0xFF0);
    run.at(SWITCH, 0xFF0);
    assert_eq!(run.at(HANDLER + 4, 0x2000), [HANDLER]);
    run.at(WORK, 0x2000);
    run.at(WORK + 4, 0x1FF0);
    run.at(SWITCH, 0x1FF0);
    assert_eq!(run.at(WORK + 8, 0xFF0), [MAIN, WORK]);
    run.at(SWITCH, 0xFF0);
    assert_eq!(run.at(WORK + 8, 0x1FF0), [HANDLER, WORK]);
}

#[test]
fn an_exception_that_is_left_for_a_thread_not_seen_begins_one() {
    let mut run = Run::new();
    run.at(MAIN, 0x80);
    run.interrupt(MAIN + 4, 0x80);
    run.at(INTERRUPT, 0x20);
    run.leave(UNMASKED);
    assert_eq!(run.at(WORK, 0x900), [WORK]);
    run.interrupt(WORK + 4, 0x900);
    run.at(INTERRUPT, 0x20);
    run.leave(UNMASKED);
    assert_eq!(run.at(MAIN + 4, 0x80), [MAIN]);
}

#[test]
fn a_system_call_that_is_made_again_belongs_to_its_program() {
    let mut run = Run::new();
    run.at(MAIN, 0x80);
    run.exception(ExceptionKind::Call, MAIN + 4, 0x80);
    run.at(CALL, 0x800);
    run.leave(UNMASKED);
    assert_eq!(run.at(MAIN + 4, 0x80), [MAIN]);
}

#[test]
fn skipped_iterations_are_charged_as_the_one_that_ran() {
    let mut tree = Tree::default();
    tree.current().cycles += 5;
    tree.follow();
    tree.current().cycles += 2;
    let node = tree.node(Some(0), Of::Function(MAIN));
    tree.charge_to(node);
    tree.current().instructions += 3;
    tree.repeat(10);
    tree.unfollow();
    assert_eq!(tree.nodes()[0].spent.cycles, 5 + 2 * 11);
    assert_eq!(tree.nodes()[node].spent.instructions, 33);
}
