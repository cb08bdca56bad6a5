//! Memories that charge by the place of an access and by what came before it; how code is fetched from them.

use cyclescope_engine::board::{Board, Request};

use crate::memories::{at, board, cycles, NOP, TIERS};
use crate::programs::MINIMAL;

/// A console's ROM: 16 bits wide, N 4 and S 2 cycles a halfword, counting within blocks of 128 KB; and a memory
/// that ends where it begins.
const CONSOLE: &str = r#"
    [[memory]]
    name = "below"
    base = 0x07FFF000
    size = 0x1000
    [[memory]]
    name = "rom"
    base = 0x08000000
    size = 0x40000
    kind = "rom"
    width = 16
    n_wait = 3
    s_wait = 1
    burst_bytes = 0x20000
"#;

#[test]
fn a_memory_charges_n_where_an_access_crosses_a_boundary() {
    for tier in TIERS {
        // The third instruction fetches the first word of the second block.
        let mut board = board(CONSOLE, 0x0801_FFF0, &[NOP; 8], tier);
        assert_eq!(cycles(&mut board, 5), [4, 4, 6, 4, 4]);
        // Nor does it matter how often the place was fetched from before.
        board.reset(Some(0x0801_FFF0));
        assert_eq!(cycles(&mut board, 5), [4, 4, 6, 4, 4]);
    }
}

#[test]
fn a_memory_charges_n_where_a_burst_from_below_enters_it() {
    let program = [
        0xE3A0_0302, // mov r0, #0x08000000
        0xE240_0004, // sub r0, r0, #4
        0xE890_0006, // ldmia r0, {r1, r2}
        0xE280_0004, // add r0, r0, #4
        0xE890_0006, // ldmia r0, {r1, r2}
    ];
    for tier in TIERS {
        let mut board = board(CONSOLE, 0, &program, tier);
        assert_eq!(cycles(&mut board, 5), [1, 1, 1 + 1 + 6 + 1, 1, 1 + 6 + 4 + 1]);
    }
}

#[test]
fn a_memory_charges_n_for_the_first_access_after_anything_else() {
    let program = [
        NOP,
        0xE590_1000, // ldr r1, [r0]: from memory without waits
        NOP,
        NOP,
        0xE000_0190, // mul r0, r0, r1
        NOP,
        NOP,
    ];
    for tier in TIERS {
        // The core calls each of these fetches sequential.
        let mut as_called = board(CONSOLE, 0x0800_0000, &program, tier);
        assert_eq!(cycles(&mut as_called, 7), [4, 4 + 1 + 1, 4, 4, 4 + 1, 4, 4]);
        let breaks = format!("{CONSOLE}pauses_break = true\n");
        let mut as_is = board(&breaks, 0x0800_0000, &program, tier);
        assert_eq!(cycles(&mut as_is, 7), [4, 4 + 1 + 1, 6, 4, 4 + 1, 6, 4]);
    }
}

#[test]
fn bursts_shorter_than_sixteen_bytes_end_where_they_should() {
    let short = CONSOLE.replace("0x20000", "8");
    for tier in TIERS {
        // Every other word begins a block.
        let mut board = board(&short, 0x0800_0000, &[NOP; 40], tier);
        let expected: Vec<_> = [6, 4].into_iter().cycle().take(30).collect();
        assert_eq!(cycles(&mut board, 30), expected);
        board.reset(Some(0x0800_0000));
        assert_eq!((board.cycle(), at(&mut board, 30)), (10, 10 + 150));
    }
}

#[test]
fn how_code_is_fetched_follows_the_settings_of_a_memory() {
    let fetching = |keys: &str, levels: &[(&str, u32)]| {
        let mut board = Board::from_text(&format!("{MINIMAL}{keys}"), "test.toml").unwrap();
        for (input, level) in levels {
            board.drive(input, *level, None).unwrap();
        }
        board.run(&Request { cycles: Some(1), ..Request::default() }).unwrap();
        let found = board.fetching("ram").unwrap();
        (found.line_bytes, found.doubt_cycles)
    };
    let accelerated =
        |level| fetching("timing = { kind = \"mam_lpc2000\" }\n", &[("memory.ram.mam", level)]);
    // Off, for sequential fetches, for all; and with reads of one cycle.
    let levels = [0x300, 0x301, 0x302, 0x502, 0x102];
    assert_eq!(levels.map(|level| accelerated(level).1), [0, 3, 3, 5, 0]);
    assert!(levels.into_iter().all(|level| accelerated(level).0 == Some(16)));
    // A fetch costs by its kind alone: no lines, no doubt.
    assert_eq!(fetching("n_wait = 3\ns_wait = 1\n", &[]), (None, 0));
    assert_eq!(fetching("n_wait = 3\ns_wait = 1\nburst_bytes = 8\n", &[]), (Some(8), 4));
    assert_eq!(fetching("n_wait = 3\ns_wait = 1\npauses_break = true\n", &[]), (None, 4));
    let board = Board::from_text(MINIMAL, "test.toml").unwrap();
    let error = board.fetching("rom").unwrap_err();
    assert_eq!(error.0, "minimal has no memory rom; it has ram.");
    assert_eq!(board.elf_machine().map(|machine| machine.number), Some(40));
}
