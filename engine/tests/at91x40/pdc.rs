//! Cycles that transfers of the PDC take from the core.

use crate::*;

/// From the ROM, while the core loops in the RAM, loads from the ROM, and multiplies in many I cycles.
fn transferring(tier: Tier, observed: bool, float_cycles: u32) -> Vec<(u64, u64, u32)> {
    let setup = [
        (EBI, ROM | 0x2001 | float_cycles << 9),
        (EBI + 4, RAM | 0x2001),
        (EBI + 0x24, 1 << 4),
        REMAP,
        (USART0 + 0x04, 0x8C0),
        (USART0 + 0x20, 1),
        (USART0, 1 << 6),
        (USART0 + 0x38, ROM + 0x100),
        (USART0 + 0x3C, 5_000),
    ];
    // mov r4, #0x400000; mvn r3, #0xFF000000; ldr r0, [r4]; mul r5, r4, r3 (three times);
    // str r0, [pc, #64]; b to the load
    let program = [
        0xe3a0_4501,
        0xe3e0_34ff,
        0xe594_0000,
        0xe005_0394,
        0xe005_0394,
        0xe005_0394,
        0xe58f_0040,
        0xeaff_fff9,
    ];
    let mut board = board(&setup, RAM);
    board.set_tier(tier);
    load(&mut board, RAM, &program);
    board.reset(Some(CODE));
    if observed {
        board.watch(&[], &[ROM]);
    }
    let looks = (1..800).map(|n| {
        run_to(&mut board, n * 977);
        (board.cycle(), board.instructions(), board.pc())
    });
    let looks: Vec<_> = looks.collect();
    assert!(board.receive("usart0.txd").unwrap().len() > 1_000);
    nothing_refused(&board);
    looks
}

#[test]
fn transfers_between_accesses_of_the_core_cost_the_same_in_both_tiers_observed_or_not() {
    for float_cycles in [0, 5] {
        let expected = transferring(Tier::Plain, true, float_cycles);
        for (tier, observed) in [(Tier::Plain, false), (Tier::Blocks, false), (Tier::Blocks, true)]
        {
            let found = transferring(tier, observed, float_cycles);
            assert_eq!(found, expected, "{tier:?}, observed: {observed}, {float_cycles}");
        }
    }
}

/// Cycles by which so many transfers of USART0 from a buffer delay 20,000 branches to themselves.
fn cycles_lost(csr: u32, characters: u32, main: u32, buffer: u32) -> u64 {
    const INSTRUCTIONS: u64 = 20_000;
    let spent = |count: u32| {
        let mut board = board(&sends(csr, buffer, count), main);
        load(&mut board, main, &[B_SELF]);
        arrives(&mut board, main);
        let until = board.instructions() + INSTRUCTIONS;
        board.run(&Request { instructions: Some(until), ..Request::default() }).unwrap();
        assert_eq!(board.receive("usart0.txd").unwrap().len() as u32, count);
        nothing_refused(&board);
        board.cycle()
    };
    spent(characters) - spent(0)
}

const WAIT_STATES: [(u32, u64); 3] = [(0x2001, 1), (0x2025, 3), (0x203D, 9)];

#[test]
fn the_pdc_takes_its_accesses_from_the_core_and_nothing_else() {
    for (csr, cycles) in WAIT_STATES {
        let lost = cycles_lost(csr, 40, INTERNAL + 0x800, RAM + 0x100);
        assert_eq!(lost, 40 * cycles, "{csr:#x}");
    }
}

#[test]
fn a_transfer_between_fetches_of_another_chip_select_costs_two_changes_more() {
    for (csr, cycles) in WAIT_STATES {
        // Some transfers are done when the code comes to the other chip select.
        let lost = cycles_lost(csr, 40, RAM, ROM + 0x100) - cycles_lost(csr, 10, RAM, ROM + 0x100);
        assert_eq!(lost, 30 * (cycles + 2), "{csr:#x}");
    }
}

#[test]
fn a_channel_that_asks_in_the_cycle_in_which_the_other_ends_loses_no_transfer() {
    const CHARACTERS: u32 = 12;
    let frame = u64::from(10 * 16 * 2_u32);
    for (csr, offset) in WAIT_STATES.iter().flat_map(|one| (0..320).map(|offset| (one.0, offset))) {
        let receives = [(USART0 + 0x30, RAM + 0x200), (USART0 + 0x34, CHARACTERS)];
        let setup = [&receives[..], &sends(csr, RAM + 0x100, CHARACTERS)].concat();
        let mut board = board(&setup, INTERNAL + 0x800);
        // The core sleeps, so that no access of its own delays a channel: ldr r0, [pc, #8];
        // mov r1, #1; str r1, [r0] (PS_CR)
        let program = [0xe59f_0008, 0xe3a0_1001, 0xe580_1000, B_SELF, 0xffff_4000];
        load(&mut board, INTERNAL + 0x800, &program);
        arrives(&mut board, INTERNAL + 0x800);
        let begun = board.cycle();
        for number in 1..=CHARACTERS {
            let at = begun + u64::from(number) * frame + offset;
            board.drive("usart0.rxd", number, Some(at)).unwrap();
        }
        run_to(&mut board, begun + 40 * frame);
        let sent = board.receive("usart0.txd").unwrap().len() as u32;
        assert_eq!(sent, CHARACTERS, "sent, {csr:#x}, {offset}");
        let received = board.read_memory(RAM + 0x200, CHARACTERS as usize).unwrap();
        let expected: Vec<u8> = (1..=CHARACTERS as u8).collect();
        assert_eq!(received, expected, "received, {csr:#x}, {offset}");
        nothing_refused(&board);
    }
}
