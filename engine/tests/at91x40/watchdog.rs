//! A reset by the watchdog, in a run that goes on.

use crate::*;

const SF_RSR: u32 = 0xFFF0_0008;
const WD: u32 = 0xFFFF_8000;
/// Cycles to an overflow with the watchdog's clock as after a reset.
const PERIOD: u64 = 4096 * 8;

/// Start-up code in the ROM: ldr r0, [pc, #8]; ldr r1, [r0]; b .
const BOOT: [u32; 5] = [0xe59f_0008, 0xe590_1000, B_SELF, 0, SF_RSR];

/// Enables the watchdog with RSTEN, then executes these from the RAM on the chip. r9 is 1, r8 PS_CR.
fn watched(main: &[u32]) -> Board {
    let at = INTERNAL + 0x800;
    let setup = [(EBI, ROM | 0x2001), REMAP, (PIO + 0x10, 1), (PIO + 0x30, 1), (WD, 0x2343)];
    let mut board = board(&setup, at);
    load(&mut board, ROM, &BOOT);
    load(&mut board, at, &[0xe59f_8004, 0xe3a0_9001, 0xea00_0000, PS]);
    load(&mut board, at + 16, main);
    board
}

#[test]
fn an_overflow_resets_the_board_and_keeps_memory_and_cycles() {
    // b .; and str r9, [r8]; b . to sleep until the reset.
    for main in [vec![B_SELF], vec![0xe588_9000, B_SELF]] {
        for tier in [Tier::Plain, Tier::Blocks] {
            let mut board = watched(&main);
            board.set_tier(tier);
            board.reset(Some(CODE));
            let (reset, pin) = (record(&mut board, &["wd.reset"]), record(&mut board, &["pio.p0"]));
            let spin = INTERNAL + 0x810;
            let begun = arrives(&mut board, spin);
            board.write_memory(INTERNAL + 0x2000, &[1, 2, 3, 4]).unwrap();
            let instructions = board.instructions();
            arrives(&mut board, 8);
            let overflow = rises(&reset)[0];
            assert!(overflow > begun && overflow - begun <= PERIOD && overflow % 8 == 0);
            // The branch of 3 cycles ends. The ROM is back at 0 with its 8 wait states: two fetches of two halves;
            // a load from there; a load of SF_RSR in 2 cycles.
            let boot = 2 * 18 + (18 + 18 + 1) + (18 + 2 + 1);
            assert!((boot..boot + 3).contains(&(board.cycle() - overflow)));
            assert!(board.instructions() > instructions);
            assert_eq!(register(&board, "r1"), 0x53);
            assert_eq!(board.read_memory(INTERNAL + 0x2000, 4).unwrap(), [1, 2, 3, 4]);
            assert_eq!(board.read_memory(0, 4).unwrap(), BOOT[0].to_le_bytes());
            assert!(board.read_memory(ROM, 4).is_err(), "no remap");
            let levels: Vec<_> = pin.take().iter().map(|one| one.level).collect();
            assert_eq!(levels, [1, 0], "devices are reset");
            nothing_refused(&board);
            board.reset(None);
            arrives(&mut board, 8);
            assert_eq!(register(&board, "r1"), 0x6C, "and after a reset of the whole board");
        }
    }
}

#[test]
fn levels_and_bytes_from_outside_outlast_the_reset() {
    let mut board = watched(&[B_SELF]);
    // ldr r0, [pc, #8]; ldr r1, [r0]; b .: PIO_PDSR
    load(&mut board, ROM, &[0xe59f_0008, 0xe590_1000, B_SELF, 0, PIO + 0x3C]);
    board.reset(Some(CODE));
    board.drive("pio.p5", 1, None).unwrap();
    board.drive("pio.p6", 1, Some(3 * PERIOD)).unwrap();
    arrives(&mut board, 8);
    assert_eq!(register(&board, "r1"), 1 << 5);
    let reset = record(&mut board, &["pio.p6"]);
    run_to(&mut board, 4 * PERIOD);
    assert_eq!(rises(&reset), [3 * PERIOD]);
}
