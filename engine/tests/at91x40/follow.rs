//! Bytes that are followed from the line to memory and back, their copies counted by hand.

use cyclescope_engine::cores::arm7tdmi::Arm7tdmi;
use cyclescope_engine::instruments::follow::{By, Copied, Follow, To};

use crate::*;

const MAIN: u32 = INTERNAL + 0x800;
/// The program's buffers: r5 and r7 at the end.
const FIRST: u32 = RAM + 0x100;
const SECOND: u32 = RAM + 0x200;
const STACK: u32 = RAM + 0x1000;
const SENT: &[u8; 8] = b"ABCDEFGH";

/// r4: USART0, r5: the first buffer, r6: a count, r7: the second.
fn prepared(setup: &[(u32, u32)], program: &[u32]) -> Board {
    let line = [
        (EBI, ROM | 0x2001),
        (EBI + 4, RAM | 0x2001),
        REMAP,
        (USART0 + 0x04, 0x8C0),
        (USART0 + 0x20, 2),
        (USART0, 1 << 4 | 1 << 6),
    ];
    let all: Vec<_> = line.iter().chain(setup).copied().collect();
    let mut board = board(&all, MAIN);
    load(&mut board, MAIN, program);
    arrives(&mut board, MAIN);
    let core: &mut Arm7tdmi = board.core_as_mut().unwrap();
    let mut state = core.state();
    (state.user[4], state.user[5], state.user[6], state.user[7]) = (USART0, FIRST, 8, SECOND);
    state.supervisor[0] = STACK;
    core.set_state(&state);
    board
}

/// Runs the program on bytes from the line. Returns the copies, those of arrivals included.
fn followed(mut board: Board, registers: &[&str], devices: &[&str]) -> (Vec<Copied>, Board) {
    let names = |of: &[&str]| of.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let follow = board.follow(&names(registers), &names(devices), Vec::new(), 1000).unwrap();
    let follow = board.attach(Box::new(follow));
    board.send("usart0.rxd", SENT).unwrap();
    let until = board.cycle() + 20_000;
    run_to(&mut board, until);
    nothing_refused(&board);
    let found = board.instrument::<Follow>(follow).unwrap();
    assert_eq!((found.bytes(), found.lost(), found.copies().0), (expected(devices), 0, 1));
    (found.copies().1.to_vec(), board)
}

fn expected(devices: &[&str]) -> u32 {
    if devices.is_empty() {
        8
    } else {
        4
    }
}

const BY_HAND: [u32; 41] = [
    0xe594_0014, // wait: ldr r0, [r4, #0x14]: US_CSR
    0xe310_0001, // tst r0, #1
    0x0aff_fffc, // beq wait
    0xe594_0018, // ldr r0, [r4, #0x18]: US_RHR
    0xe4c5_0001, // strb r0, [r5], #1: all 8
    0xe256_6001, // subs r6, r6, #1
    0x1aff_fff8, // bne wait
    0xe245_5008, // sub r5, r5, #8
    0xe895_0003, // ldm r5, {r0, r1}
    0xe285_7c01, // add r7, r5, #256
    0xe887_0003, // stm r7, {r0, r1}: all 8
    0xe5d7_0000, // ldrb r0, [r7]
    0xe220_0040, // eor r0, r0, #64
    0xe5c7_0080, // strb r0, [r7, #0x80]: byte 0, changed
    0xe220_0040, // eor r0, r0, #64
    0xe5c7_0081, // strb r0, [r7, #0x81]: byte 0, as it came
    0xe5d7_0001, // ldrb r0, [r7, #1]
    0xe584_001c, // str r0, [r4, #0x1C]: byte 1 to US_THR
    0xe5d7_1002, // ldrb r1, [r7, #2]
    0xe080_2001, // add r2, r0, r1
    0xe5c7_2082, // strb r2, [r7, #0x82]: no byte, a sum of two
    0xe3a0_2001, // mov r2, #1
    0xe5c7_2003, // strb r2, [r7, #3]: instead of byte 3
    0xe5d7_2003, // ldrb r2, [r7, #3]
    0xe5c7_2083, // strb r2, [r7, #0x83]: no byte
    0xe002_0191, // mul r2, r1, r1
    0xe5c7_2084, // strb r2, [r7, #0x84]: no byte
    0xe1a0_2081, // lsl r2, r1, #1
    0xe5c7_2085, // strb r2, [r7, #0x85]: no byte
    0xe180_2001, // orr r2, r0, r1
    0xe5c7_208a, // strb r2, [r7, #0x8a]: no byte, one lane of two
    0xe151_0001, // cmp r1, r1
    0x13a0_1000, // movne r1, #0: not executed
    0xe92d_0003, // push {r0, r1}: bytes 1 and 2
    0xe8bd_000c, // pop {r2, r3}
    0xe1c7_38b6, // strh r3, [r7, #0x86]: byte 2 and a zero
    0xe145_3092, // swpb r3, r2, [r5]: byte 1, for byte 0
    0xe5c7_3088, // strb r3, [r7, #0x88]: byte 0
    0xe5d7_e004, // ldrb lr, [r7, #4]
    0xef00_0000, // svc 0: the address of the return instead of byte 4
    0xeaff_fffe,
];
const HANDLER: [u32; 2] = [0xe5c7_e089, B_SELF]; // strb lr, [r7, #0x89]: no byte

#[test]
fn copies_of_each_byte_are_those_that_one_counts_by_hand() {
    let mut board = prepared(&[], &BY_HAND);
    load(&mut board, INTERNAL + 8, &HANDLER);
    let (copies, mut board) = followed(board, &["usart0.US_RHR"], &[]);
    let arrivals: Vec<_> = copies.iter().filter(|one| one.from == 0).collect();
    assert_eq!(arrivals.iter().map(|one| one.value).collect::<Vec<_>>(), SENT);
    assert!(arrivals.iter().all(|one| one.address == USART0 + 0x18));
    assert!(arrivals.iter().all(|one| one.by == By::Instruction(MAIN + 12)));
    let stored: Vec<_> = copies.iter().filter(|one| one.from != 0).collect();
    let of = |byte| stored.iter().filter(|one| one.byte == byte).count();
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(of), [5, 5, 4, 2, 2, 2, 2, 2]);
    let places: Vec<_> = stored[16..].iter().map(|one| (one.byte, one.address)).collect();
    let second = |offset| SECOND + offset;
    let by_hand = [
        (0, second(0x80)),
        (0, second(0x81)),
        (1, USART0 + 0x1C),
        (1, STACK - 8),
        (2, STACK - 4),
        (2, second(0x86)),
        (1, FIRST),
        (0, second(0x88)),
    ];
    assert_eq!(places, by_hand);
    // The only copy whose value differs is that of the byte that was changed and not changed back.
    let changed: Vec<_> = stored.iter().filter(|one| one.value != one.arrived).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!((changed[0].address, changed[0].value), (second(0x80), b'A' ^ 64));
    assert!(matches!(stored[18].to, To::Register(_, 0x1C)), "{:?}", stored[18]);
    assert_eq!(board.receive("usart0.txd").unwrap()[0].1, u32::from(b'B'));
    // Each copy names the one that it was taken from: the last is from the first buffer, by way of SWPB.
    let address_of = |number: u32| copies[number as usize - 1].address;
    assert_eq!(address_of(stored[23].from), FIRST);
    assert_eq!(address_of(stored[22].from), STACK - 8);
    assert_eq!(address_of(stored[16].from), SECOND);
}

#[test]
fn instructions_that_pass_bytes_on_have_their_executions_and_cycles() {
    let mut board = prepared(&[], &BY_HAND);
    load(&mut board, INTERNAL + 8, &HANDLER);
    let follow = board.follow(&["usart0.US_RHR".into()], &[], Vec::new(), 1000).unwrap();
    let follow = board.attach(Box::new(follow));
    board.send("usart0.rxd", SENT).unwrap();
    run_to(&mut board, 20_000);
    let moving = board.instrument::<Follow>(follow).unwrap().moving();
    let at = |index: u32| moving.get(&(MAIN + 4 * index)).map(|one| (one.executions, one.cycles));
    // A fetch from the RAM on the chip is 1 cycle. The bus outside has 16 bits: a word is 2 cycles.
    assert_eq!((at(0), at(4), at(12)), (None, Some((8, 16)), Some((1, 1))));
    assert_eq!((at(8), at(10)), (Some((1, 6)), Some((1, 5))));
    assert_eq!((at(19), at(20)), (None, None));
}

#[test]
fn a_transfer_of_the_pdc_hands_over_bytes_and_takes_them() {
    let setup = [(USART0 + 0x30, FIRST), (USART0 + 0x34, 4)];
    let program = [
        0xe594_0034, // wait: ldr r0, [r4, #0x34]: US_RCR
        0xe350_0000, // cmp r0, #0
        0x1aff_fffc, // bne wait
        0xe595_0000, // ldr r0, [r5]
        0xe587_0000, // str r0, [r7]
        0xe584_7038, // str r7, [r4, #0x38]: US_TPR
        0xe3a0_0004, // mov r0, #4
        0xe584_003c, // str r0, [r4, #0x3C]: US_TCR
        B_SELF,
    ];
    let (copies, mut board) = followed(prepared(&setup, &program), &[], &["usart0"]);
    let line = |one: &Copied| (one.byte, one.from, one.address, one.value);
    let expected = |n: u32| {
        let value = SENT[n as usize];
        [(n, 0, FIRST + n, value), (n, n + 1, SECOND + n, value), (n, n + 5, SECOND + n, value)]
    };
    for step in 0..3 {
        let found: Vec<_> = copies[4 * step..][..4].iter().map(line).collect();
        assert_eq!(found, (0..4).map(|n| expected(n)[step]).collect::<Vec<_>>());
    }
    assert_eq!(copies.len(), 12);
    assert!(copies[..4].iter().all(|one| matches!(one.by, By::Device(_)) && one.to == To::Memory));
    assert!(copies[8..].iter().all(|one| matches!(one.to, To::Device(_))));
    let sent: Vec<_> = board.receive("usart0.txd").unwrap().iter().map(|one| one.1 as u8).collect();
    assert_eq!(sent, SENT[..4]);
}

#[test]
fn a_register_or_device_that_is_not_there_is_named() {
    let board = prepared(&[], &[B_SELF]);
    let refused = |registers: &[String], devices: &[String]| {
        board.follow(registers, devices, Vec::new(), 1).unwrap_err().to_string()
    };
    assert!(refused(&["usart0.RHR".into()], &[]).contains("\"usart0.RHR\""));
    assert!(
        refused(&[], &["uart0".into()]).contains("it has ebi, "),
        "{}",
        refused(&[], &["uart0".into()])
    );
}

#[test]
fn copies_beyond_the_capacity_are_counted_as_lost() {
    let mut board = prepared(&[], &BY_HAND);
    let follow = board.follow(&["usart0.US_RHR".into()], &[], Vec::new(), 10).unwrap();
    let follow = board.attach(Box::new(follow));
    board.send("usart0.rxd", SENT).unwrap();
    run_to(&mut board, 20_000);
    let found = board.instrument_mut::<Follow>(follow).unwrap();
    // Five bytes have an arrival and a copy each; the other three arrive and are lost.
    assert_eq!((found.copies().1.len(), found.bytes()), (10, 8));
    assert!(found.lost() >= 3, "{}", found.lost());
    found.clear();
    assert_eq!((found.copies().0, found.copies().1.len(), found.lost()), (11, 0, 0));
}
