//! The caller of a library function, through calls, jumps, interrupts and switches between threads.

use super::*;

const A: u32 = 0x100;
const B: u32 = 0x200;
const HANDLER: u32 = 0x300;
const COPY: u32 = 0x400;
const DIVIDE: u32 = 0x500;
const VECTOR: u32 = 0x18;

fn callers() -> Callers {
    let function = |start, library| Function { start, end: start + 0x100, library };
    let code = [(A, false), (B, false), (HANDLER, false), (COPY, true), (DIVIDE, true)];
    Callers::new(Code::new(code.map(|(start, library)| function(start, library)).to_vec()))
}

/// Executes at an address with a stack pointer; what it is charged to.
fn at(callers: &mut Callers, address: u32, stack: u32) -> Charged {
    callers.stack(stack);
    callers.executed(address);
    callers.charged()
}

fn interrupt(callers: &mut Callers, at: u32, stack: u32) {
    let kind = ExceptionKind::Interrupt(0);
    let exception = Exception { kind, vector: VECTOR, at, return_to: at + 4, stack };
    callers.entering(&exception);
    callers.excepted(&exception);
}

use Charged::{Caller, Itself, Unknown};

#[test]
fn a_library_function_and_what_it_calls_belong_to_the_caller() {
    let mut callers = callers();
    let steps = [
        (A, 0x80, Itself),
        (COPY, 0x80, Caller(A)),
        (COPY + 4, 0x70, Caller(A)),
        (DIVIDE, 0x70, Caller(A)),
        (COPY + 8, 0x70, Caller(A)),
        (A + 4, 0x80, Itself),
        (B, 0x78, Itself),
        (DIVIDE, 0x78, Caller(B)),
        // A jump, not a call: the library returns to the caller of B.
        (A + 8, 0x80, Itself),
    ];
    for (address, stack, charged) in steps {
        assert_eq!(at(&mut callers, address, stack), charged, "{address:#x}");
    }
}

#[test]
fn a_function_that_a_library_calls_is_its_own_and_the_library_goes_on_for_its_caller() {
    let mut callers = callers();
    let steps = [
        (A, 0x80, Itself),
        (COPY, 0x80, Caller(A)),
        (B, 0x70, Itself),
        (DIVIDE, 0x60, Caller(B)),
        (B + 4, 0x60, Itself),
        (COPY + 8, 0x70, Caller(A)),
        (A + 4, 0x80, Itself),
    ];
    for (address, stack, charged) in steps {
        assert_eq!(at(&mut callers, address, stack), charged, "{address:#x}");
    }
}

#[test]
fn two_threads_interrupted_at_one_instruction_of_a_library_keep_their_callers() {
    let mut callers = callers();
    at(&mut callers, A, 0x1000);
    assert_eq!(at(&mut callers, COPY, 0x1000), Caller(A));
    interrupt(&mut callers, COPY + 4, 0xFF0);
    // The handler copies too; then it goes on in another thread.
    assert_eq!(at(&mut callers, HANDLER, 0x80), Itself);
    assert_eq!(at(&mut callers, COPY, 0x80), Caller(HANDLER));
    assert_eq!(at(&mut callers, HANDLER + 4, 0x80), Itself);
    callers.left_exception();
    assert_eq!(at(&mut callers, B, 0x2000), Itself);
    assert_eq!(at(&mut callers, COPY, 0x2000), Caller(B));
    interrupt(&mut callers, COPY + 4, 0x1FF0);
    at(&mut callers, HANDLER, 0x80);
    callers.left_exception();
    assert_eq!(at(&mut callers, COPY + 4, 0xFF0), Caller(A));
    assert_eq!(at(&mut callers, A + 4, 0x1000), Itself);
    interrupt(&mut callers, A + 8, 0x1000);
    at(&mut callers, HANDLER, 0x80);
    callers.left_exception();
    assert_eq!(at(&mut callers, COPY + 4, 0x1FF0), Caller(B));
    assert_eq!(at(&mut callers, B + 4, 0x2000), Itself);
}

#[test]
fn an_interrupt_between_a_call_and_the_first_instruction_called_changes_nothing() {
    let mut callers = callers();
    at(&mut callers, A, 0x80);
    interrupt(&mut callers, COPY, 0x80);
    at(&mut callers, HANDLER, 0x40);
    callers.left_exception();
    assert_eq!(at(&mut callers, COPY, 0x80), Caller(A));
    // And the same between the return and the next instruction of the caller.
    interrupt(&mut callers, A + 4, 0x80);
    at(&mut callers, HANDLER, 0x40);
    callers.left_exception();
    assert_eq!(at(&mut callers, A + 4, 0x80), Itself);
    assert_eq!(callers.suspended.len(), 0);
}

#[test]
fn a_trap_of_a_library_comes_back_to_it() {
    let mut callers = callers();
    at(&mut callers, A, 0x80);
    at(&mut callers, COPY, 0x80);
    let kind = ExceptionKind::Call;
    let trap = Exception { kind, vector: 8, at: COPY, return_to: COPY + 4, stack: 0x80 };
    callers.excepted(&trap);
    assert_eq!(at(&mut callers, 8, 0x20), Itself);
    callers.left_exception();
    assert_eq!(at(&mut callers, COPY + 4, 0x80), Caller(A));
}

#[test]
fn a_library_whose_call_was_not_seen_has_an_unknown_caller() {
    let mut callers = callers();
    assert_eq!(at(&mut callers, COPY + 4, 0x80), Unknown);
    assert_eq!(at(&mut callers, A, 0x90), Itself);
    callers.left_exception();
    assert_eq!(at(&mut callers, COPY + 4, 0x80), Unknown);
}

#[test]
fn calls_that_never_go_on_are_forgotten_in_the_end() {
    let mut callers = callers();
    for thread in 0..2 * MOST_SUSPENDED as u32 {
        at(&mut callers, A, 0x10_0000 + 16 * thread);
        at(&mut callers, COPY, 0x10_0000 + 16 * thread);
        interrupt(&mut callers, COPY + 4, 0x10_0000 + 16 * thread);
        at(&mut callers, HANDLER, 0x80);
        callers.left_exception();
    }
    assert_eq!(callers.suspended.len(), MOST_SUSPENDED);
}

#[test]
fn of_functions_that_overlap_the_later_one_counts() {
    let function = |start, end| Function { start, end, library: false };
    let code = Code::new(vec![function(0x20, 0x30), function(0x10, 0x28), function(0x40, 0x40)]);
    let starts = [0xF, 0x10, 0x1F, 0x20, 0x2F, 0x30, 0x40];
    let found = starts.map(|address| code.at(address).1.map(|one| one.start));
    assert_eq!(found, [None, Some(0x10), Some(0x10), Some(0x20), Some(0x20), None, None]);
}
