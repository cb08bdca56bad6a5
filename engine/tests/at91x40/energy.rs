//! Energy of the board: the white paper's own loop, and transfers.

use std::collections::BTreeMap;

use cyclescope_engine::instruments::power_meter::{Metering, Places};

use crate::*;

fn metering() -> Metering {
    let places = Places::From(Vec::new());
    Metering {
        places,
        current_task: None,
        executed: Vec::new(),
        accessed: Vec::new(),
        window: None,
    }
}

/// Energy by part since the meter was attached, in femtojoules, and the cycles.
fn spent(board: &Board) -> (BTreeMap<String, u128>, u64) {
    let names = board.energy().unwrap().parts();
    let mut parts = BTreeMap::new();
    let mut cycles = 0;
    for spent in board.spent().unwrap().values() {
        cycles += spent.cycles;
        for (name, fj) in names.iter().zip(&spent.parts_fj) {
            *parts.entry(name.clone()).or_default() += fj;
        }
    }
    (parts, cycles)
}

#[test]
fn a_loop_in_the_ram_on_the_chip_takes_the_current_of_the_white_paper() {
    let main = INTERNAL + 0x800;
    let mut board = board(&[], main);
    load(&mut board, main, &[NOP, NOP, NOP, 0xeaff_fffb]);
    arrives(&mut board, main);
    board.meter(metering()).unwrap();
    let from = board.cycle();
    run_to(&mut board, from + 60_000);
    let (parts, cycles) = spent(&board);
    // 50 mA at 40 MHz, of which 45 uA flow at any clock.
    let expected_ma = 0.045 + 49.955 * 32.768 / 40.0;
    let fj = parts.values().sum::<u128>() as f64 / cycles as f64;
    let ma = fj * 1e-15 * 32_768_000.0 / 3.3 * 1e3;
    assert!((ma - expected_ma).abs() < 1e-3, "{ma} mA, not {expected_ma}");
}

#[test]
fn transfers_have_an_account_of_their_own() {
    const CHARACTERS: u32 = 25;
    let main = INTERNAL + 0x800;
    let metered = |count: u32| {
        let setup = [
            (EBI, ROM | 0x2001),
            REMAP,
            (USART0 + 0x04, 0x8C0),
            (USART0 + 0x20, 2),
            (USART0, 1 << 4 | 1 << 6),
            (USART0 + 0x38, ROM + 0x100),
        ];
        let mut board = board(&setup, main);
        // ldr r0, [pc, #8]; mov r1, #count; str r1, [r0]; b .
        let program = [0xe59f_0008, 0xe3a0_1000 | count, 0xe580_1000, B_SELF, USART0 + 0x3C];
        load(&mut board, main, &program);
        board.reset(Some(CODE));
        arrives(&mut board, main);
        board.meter(metering()).unwrap();
        let until = board.instructions() + 10_000;
        board.run(&Request { instructions: Some(until), ..Request::default() }).unwrap();
        assert_eq!(board.receive("usart0.txd").unwrap().len() as u32, count);
        spent(&board)
    };
    let ((without, alone), (with, cycles)) = (metered(0), metered(CHARACTERS));
    assert_eq!(without["transfers"], 0);
    // 25 reads of the ROM; the core waits a cycle for each.
    assert_eq!(with["transfers"], 25 * 20_000_000);
    assert_eq!((cycles - alone, with["stall"] - without["stall"]), (25, 25 * 2_170_018));
    assert_eq!((with["active"], with["memory.rom"]), (without["active"], 0));
    assert_eq!(with["memory.internal"], without["memory.internal"]);
}
