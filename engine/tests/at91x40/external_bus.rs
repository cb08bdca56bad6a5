//! Wait states, places and remap of the external memories.

use crate::*;

#[test]
fn after_a_reset_the_rom_is_at_0_and_waits_eight_cycles() {
    let mut board = open();
    load(&mut board, ROM, &[NOP, NOP, NOP, NOP]);
    board.reset(None);
    let times = [0u32, 4, 8].map(|at| arrives(&mut board, at));
    // A word is two accesses of 1 + 8 cycles.
    assert_eq!(times[2] - times[1], 18);
    assert_eq!(times[1] - times[0], 18);
}

#[test]
fn a_fetch_costs_its_wait_states_for_each_half_of_a_word() {
    for (csr, cycles) in [(0x2001, 1), (0x2021, 2), (0x2025, 3), (0x203D, 9)] {
        let setup = [(EBI, ROM | csr), (EBI + 4, RAM | csr), REMAP];
        for memory in [ROM, RAM] {
            let mut board = board(&setup, memory);
            load(&mut board, memory, &[NOP, NOP, NOP, NOP]);
            let times = [0, 4, 8].map(|at| arrives(&mut board, memory + at));
            assert_eq!([times[1] - times[0], times[2] - times[1]], [2 * cycles; 2], "{csr:#x}");
            nothing_refused(&board);
        }
    }
}

#[test]
fn the_remap_shows_the_ram_on_the_chip_at_0() {
    let main = INTERNAL + 0x800;
    let mut board = board(&[(EBI + 0x20, 1)], main - INTERNAL);
    load(&mut board, main, &[NOP, B_SELF]);
    arrives(&mut board, main - INTERNAL);
    nothing_refused(&board);
}

/// The start-up that the data sheet shows: all registers of the interface in one store, and a jump that was
/// fetched before the ROM left address 0.
#[test]
fn start_up_code_sets_the_chip_selects_and_leaves_address_0_in_one_store() {
    let selects = [ROM | 0x20A1, RAM | 0x20A1].into_iter().chain((2..8).map(|n| n << 28));
    let mut program = vec![
        0xe28f_a010, // add r10, pc, #16: the table
        0xe8ba_03ff, // ldmia r10!, {r0-r9}
        0xe59a_b000, // ldr r11, [r10]
        0xe59a_c004, // ldr r12, [r10, #4]
        0xe8ab_03ff, // stmia r11!, {r0-r9}
        0xe1a0_f00c, // mov pc, r12
    ];
    program.extend(selects);
    program.extend([1, 0, EBI, ROM + 0x48, B_SELF]);
    let mut board = open();
    load(&mut board, ROM, &program);
    board.reset(None);
    assert_eq!(board.read_memory(0, 4).unwrap(), program[0].to_le_bytes());
    assert_eq!(board.read_memory(0xF_FFFC, 4).unwrap(), [0; 4], "a MiB of the ROM");
    assert!(board.read_memory(0x10_0000, 4).is_err());
    arrives(&mut board, ROM + 0x48);
    assert_eq!(board.read_memory(0, 4).unwrap(), [0; 4], "the RAM on the chip");
    nothing_refused(&board);
}

#[test]
fn an_external_memory_answers_where_its_enabled_chip_select_says() {
    // EBI_CSR1, where it is read, and the offset in the RAM that answers.
    let table = [
        (RAM | 0x2081, RAM, Some(0)),
        (RAM | 0x2081, RAM + 0x3F_FFFC, Some(0x3F_FFFC)),
        (RAM | 0x2081, RAM + 0x40_0000, None),
        (RAM | 0x2001, RAM + 0xF_FFFC, Some(0xF_FFFC)),
        (RAM | 0x2001, RAM + 0x10_0000, None),
        (0x2000_2101, 0x2000_0004, Some(4)),
        (0x2000_2101, RAM, None),
        (RAM | 0x0081, RAM, None),
    ];
    let main = INTERNAL + 0x800;
    let reads = |setup: &[(u32, u32)], address: u32| {
        let mut board = board(setup, main);
        for offset in [0, 4, 0xF_FFFC, 0x3F_FFFC] {
            load(&mut board, RAM + offset, &[0xABC0_0000 | offset]);
        }
        // ldr r1, [pc]; ldr r2, [r1]; b .
        load(&mut board, main, &[0xe59f_1004, 0xe591_2000, B_SELF, address]);
        board.reset(Some(CODE));
        let stop_on_exception = true;
        let request = Request {
            pcs: vec![main + 8],
            cycles: Some(10_000),
            stop_on_exception,
            ..Request::default()
        };
        let stop = board.run(&request).unwrap();
        nothing_refused(&board);
        (stop.reason == Reason::Pc).then(|| register(&board, "r2"))
    };
    for (select, address, offset) in table {
        let found = reads(&[(EBI + 4, select), REMAP], address);
        assert_eq!(found, offset.map(|at| 0xABC0_0000 | at), "{select:#x} {address:#x}");
        let later = reads(&[REMAP, (EBI + 4, select)], address);
        assert_eq!(later, found, "also after the remap");
        assert_eq!(reads(&[(EBI + 4, select)], address), None, "before the remap");
    }
}

#[test]
fn accesses_wait_for_the_external_access_before() {
    let main = INTERNAL + 0x800;
    let program = [
        0xe59f_4014, // ldr r4, [pc, #20]
        0xe59f_5014, // ldr r5, [pc, #20]
        0xe1d4_00b0, // ldrh r0, [r4]
        0xe1d5_00b0, // ldrh r0, [r5]
        0xe1c5_00b0, // strh r0, [r5]
        0xe1d5_00b0, // ldrh r0, [r5]
        B_SELF,
        ROM,
        RAM,
    ];
    // Between data of two loads lie an I cycle and a fetch on the chip: so much of a data float time passes.
    for (floats, early, waits) in [(0, 0, 1), (1, 1, 1), (2, 0, 1), (3, 1, 1), (4, 0, 2), (7, 1, 5)]
    {
        let setup = [
            (EBI, ROM | 0x2001 | floats << 9),
            (EBI + 4, RAM | 0x2001),
            (EBI + 0x24, early << 4),
            REMAP,
        ];
        let mut board = board(&setup, main);
        load(&mut board, main, &program);
        let times: Vec<_> = (2..7).map(|n| arrives(&mut board, main + 4 * n)).collect();
        let costs: Vec<_> = times.windows(2).map(|two| two[1] - two[0]).collect();
        assert_eq!(costs, [3, 3 + waits, 2, 3 + u64::from(early)], "{floats} {early}");
        nothing_refused(&board);
    }
}

#[test]
fn a_fetch_behind_data_on_another_chip_select_costs_a_cycle_more() {
    for tier in [Tier::Plain, Tier::Blocks] {
        let mut board = board(&[(EBI, ROM | 0x2001), (EBI + 4, RAM | 0x2001), REMAP], ROM);
        board.set_tier(tier);
        // ldr r5, [pc, #20]; nop; nop; ldr r0, [r5]; nop; nop; b .
        let program = [0xe59f_5014, NOP, NOP, 0xe595_0000, NOP, NOP, B_SELF, RAM];
        load(&mut board, ROM, &program);
        let times: Vec<_> = (1..7).map(|n| arrives(&mut board, ROM + 4 * n)).collect();
        let costs: Vec<_> = times.windows(2).map(|two| two[1] - two[0]).collect();
        // A word is two transfers. The load: fetch 2, data 1 + 2, I 1; then the first fetch of the ROM again.
        assert_eq!(costs, [2, 2, 6, 3, 2], "{tier:?}");
    }
}

#[test]
fn a_loop_that_waits_on_the_external_bus_takes_as_long_skipped_or_not() {
    for (rom, ram) in [(0x2001, 0x2001), (0x2021 | 3 << 9, 0x2001 | 5 << 9)] {
        let setup = [
            (EBI, ROM | rom),
            (EBI + 4, RAM | ram),
            REMAP,
            (USART0 + 0x04, 0x8C0),
            (USART0 + 0x20, 400),
            (USART0, 1 << 6),
            (USART0 + 0x1C, 0x55),
        ];
        // ldr r0, [pc, #28]; ldr r1, [pc, #28]; wait: ldr r2, [r0, #0x14]; str r2, [r1]; ldr r3, [r1]
        // tst r2, #0x200; beq wait; b .
        let program = [
            0xe59f_001c,
            0xe59f_101c,
            0xe590_2014,
            0xe581_2000,
            0xe591_3000,
            0xe312_0c02,
            0x0aff_fffa,
            B_SELF,
            NOP,
            USART0,
            RAM,
        ];
        let run = |skips: bool| {
            let mut board = board(&setup, ROM);
            board.set_skipping(skips);
            load(&mut board, ROM, &program);
            board.reset(Some(CODE));
            let at = arrives(&mut board, ROM + 0x1C);
            nothing_refused(&board);
            ((at, board.instructions()), board.skipped_cycles())
        };
        let ((skipped, cycles), (executed, none)) = (run(true), run(false));
        assert_eq!(skipped, executed);
        assert!(cycles > 30_000 && none == 0, "{cycles}");
    }
}
