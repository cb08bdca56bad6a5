//! The LPC2148 as its board file describes it, driven by a program on the bare metal.

use std::path::{Path, PathBuf};

use cyclescope_engine::board::{Board, Reason, Request};
use cyclescope_engine::instruments::recorder::{Change, Recorder};

use crate::programs::{run_cycles, words, ArmBoard};

/// Sets up PLL, MAM and VPB divider, moves the vectors to SRAM, sends "ok" on UART0, then sleeps
/// through three interrupts of TIMER0, 6,000 cycles apart.
const PROGRAM: [u32; 92] = [
    0xea00_0006, // vectors: b 20 <start>
    0xeaff_fffe, // b 4 <vectors+0x4>
    0xeaff_fffe, // b 8 <vectors+0x8>
    0xeaff_fffe, // b c <vectors+0xc>
    0xeaff_fffe, // b 10 <vectors+0x10>
    0xe1a0_0000, // nop
    0xe51f_fff0, // ldr pc, [pc, #-4080]
    0xeaff_fffe, // b 1c <vectors+0x1c>
    0xe59f_012c, // start: ldr r0, [pc, #300]
    0xe3a0_1024, // mov r1, #36
    0xe580_1084, // str r1, [r0, #132]
    0xe3a0_1001, // mov r1, #1
    0xe580_1080, // str r1, [r0, #128]
    0xe3a0_20aa, // mov r2, #170
    0xe3a0_3055, // mov r3, #85
    0xe580_208c, // str r2, [r0, #140]
    0xe580_308c, // str r3, [r0, #140]
    0xe590_1088, // lock: ldr r1, [r0, #136]
    0xe311_0b01, // tst r1, #1024
    0x0aff_fffc, // beq 44 <lock>
    0xe3a0_1003, // mov r1, #3
    0xe580_1080, // str r1, [r0, #128]
    0xe580_208c, // str r2, [r0, #140]
    0xe580_308c, // str r3, [r0, #140]
    0xe3a0_1003, // mov r1, #3
    0xe580_1004, // str r1, [r0, #4]
    0xe3a0_1002, // mov r1, #2
    0xe580_1000, // str r1, [r0]
    0xe3a0_1001, // mov r1, #1
    0xe580_1100, // str r1, [r0, #256]
    0xe3a0_4000, // mov r4, #0
    0xe3a0_5101, // mov r5, #1073741824
    0xe494_1004, // copy: ldr r1, [r4], #4
    0xe485_1004, // str r1, [r5], #4
    0xe354_0040, // cmp r4, #64
    0x1aff_fffb, // bne 80 <copy>
    0xe3a0_1002, // mov r1, #2
    0xe580_1040, // str r1, [r0, #64]
    0xe59f_60b8, // ldr r6, [pc, #184]
    0xe3a0_1005, // mov r1, #5
    0xe586_1000, // str r1, [r6]
    0xe59f_60b0, // ldr r6, [pc, #176]
    0xe3a0_1083, // mov r1, #131
    0xe586_100c, // str r1, [r6, #12]
    0xe3a0_1021, // mov r1, #33
    0xe586_1000, // str r1, [r6]
    0xe3a0_1003, // mov r1, #3
    0xe586_100c, // str r1, [r6, #12]
    0xe3a0_1001, // mov r1, #1
    0xe586_1008, // str r1, [r6, #8]
    0xe3a0_106f, // mov r1, #111
    0xe586_1000, // str r1, [r6]
    0xe3a0_106b, // mov r1, #107
    0xe586_1000, // str r1, [r6]
    0xe59f_7080, // ldr r7, [pc, #128]
    0xe59f_1080, // ldr r1, [pc, #128]
    0xe587_1100, // str r1, [r7, #256]
    0xe3a0_1024, // mov r1, #36
    0xe587_1200, // str r1, [r7, #512]
    0xe3a0_1010, // mov r1, #16
    0xe587_1010, // str r1, [r7, #16]
    0xe59f_806c, // ldr r8, [pc, #108]
    0xe59f_106c, // ldr r1, [pc, #108]
    0xe588_1018, // str r1, [r8, #24]
    0xe3a0_1003, // mov r1, #3
    0xe588_1014, // str r1, [r8, #20]
    0xe3a0_1001, // mov r1, #1
    0xe588_1004, // str r1, [r8, #4]
    0xe3a0_9000, // mov r9, #0
    0xe3a0_a013, // mov sl, #19
    0xe121_f00a, // msr CPSR_c, sl
    0xe3a0_1001, // sleep: mov r1, #1
    0xe580_10c0, // str r1, [r0, #192]
    0xe1a0_0000, // nop
    0xe1a0_0000, // nop
    0xe359_0003, // cmp r9, #3
    0x1aff_fff9, // bne 11c <sleep>
    0xeaff_fffe, // done: b 134 <done>
    0xe289_9001, // isr: add r9, r9, #1
    0xe59f_b024, // ldr fp, [pc, #36]
    0xe3a0_c001, // mov ip, #1
    0xe58b_c000, // str ip, [fp]
    0xe59f_b010, // ldr fp, [pc, #16]
    0xe58b_c030, // str ip, [fp, #48]
    0xe25e_f004, // subs pc, lr, #4
    0xe01f_c000, // .word 0xe01fc000
    0xe002_c000, // .word 0xe002c000
    0xe000_c000, // .word 0xe000c000
    0xffff_f000, // .word 0xfffff000
    0x0000_0138, // .word 0x00000138
    0xe000_4000, // .word 0xe0004000
    0x0000_176f, // .word 0x0000176f
];
const DONE: u32 = 0x134;
const ISR: u32 = 0x138;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards").join(name).join("board.toml")
}

fn started(name: &str) -> Board {
    let mut board = Board::open(&file(name)).unwrap();
    board.load_bytes(0, &words(&PROGRAM)).unwrap();
    board
}

fn finish(board: &mut Board) {
    let stop = board.run(&Request { pcs: vec![DONE], ..run_cycles(1_000_000) }).unwrap();
    assert_eq!(stop.reason, Reason::Pc, "{}", stop.sentence);
}

/// Cycles at which a signal rose.
fn rises(log: &[Change], signal: &str) -> Vec<u64> {
    let rise = |change: &&Change| change.signal == signal && change.level == 1;
    log.iter().filter(rise).map(|change| change.cycle).collect()
}

#[test]
fn a_bare_program_uses_pll_mam_memmap_uart_timer_vic_and_idle() {
    for name in ["lpc2148", "lpc2148-lab"] {
        let mut board = started(name);
        let (recorder, log) = Recorder::new(&["timer0.interrupt", "scb.sleep"]);
        board.watch(&[ISR], &[]);
        board.attach(Box::new(recorder));
        finish(&mut board);
        let log = log.take();
        let ticks = rises(&log, "timer0.interrupt");
        assert_eq!(ticks.len(), 3);
        assert_eq!((ticks[1] - ticks[0], ticks[2] - ticks[1]), (6000, 6000));
        assert_eq!(rises(&log, "scb.sleep").len(), 3);
        // PCON.IDL ends with the request. The core sees it 2 cycles later, at the boundary after
        // the two nops; entry 3 cycles. The vector in SRAM: fetch, 2 cycles on the AHB, I; and two
        // fetches of a line that the MAM has read ahead.
        let entered: Vec<_> = board.take_executed().iter().map(|e| e.cycle).collect();
        let latency: Vec<_> = ticks.iter().zip(&entered).map(|(tick, isr)| isr - tick).collect();
        assert_eq!(latency, [2 + 3 + (1 + 2 + 1) + 2; 3]);
        let bytes = board.receive("uart0.txd").unwrap();
        assert_eq!(bytes.iter().map(|byte| byte.1).collect::<Vec<_>>(), [b'o'.into(), b'k'.into()]);
        assert_eq!(bytes[1].0 - bytes[0].0, 10 * 16 * 33, "a frame of 10 bits at PCLK / (16 · 33)");
        let epochs = board.clock_epochs();
        assert_eq!((epochs[0], epochs[1].1, epochs.len()), ((0, 12_000_000), 60_000_000, 2));
        assert_eq!(board.core_hz(), 60_000_000);
        assert_eq!(board.unmodelled(), []);
        // MEMMAP 2 shows the SRAM at address 0.
        board.write_memory(0x4000_0000, &[1, 2, 3, 4]).unwrap();
        assert_eq!(board.read_memory(0, 4).unwrap(), [1, 2, 3, 4]);
        assert_eq!(board.read_memory(64, 4).unwrap(), words(&PROGRAM[16..17]));
    }
}

#[test]
fn a_reset_repeats_every_cycle_and_byte() {
    let mut board = started("lpc2148");
    let once = |board: &mut Board| {
        finish(board);
        let bytes = board.receive("uart0.txd").unwrap();
        (board.cycle(), board.instructions(), board.arm().state(), bytes)
    };
    let first = once(&mut board);
    board.reset(None);
    assert_eq!(once(&mut board), first);
    assert_eq!(once(&mut started("lpc2148")), first);
}

#[test]
fn every_unverified_rule_the_program_was_charged_by_is_named() {
    let mut board = started("lpc2148");
    let ids = |board: &Board| -> Vec<String> {
        board.unverified().iter().map(|rule| rule.id.clone()).collect()
    };
    board.reset(None);
    assert_eq!(ids(&board), ["mam-mode-table"], "flash has been fetched from");
    finish(&mut board);
    assert_eq!(
        ids(&board),
        [
            "mam-mode-table",
            "mam-prefetch",
            "vpb-access-cost",
            "ahb-access-cost",
            "scb-details",
            "vic-details",
            "timer-details",
            "uart-details"
        ]
    );
    board.load_bytes(0x4000_0000, &words(&[0xEAFF_FFFE])).unwrap();
    board.reset(Some(0x4000_0000));
    board.run(&run_cycles(100)).unwrap();
    assert_eq!(ids(&board), [""; 0], "nothing is unverified about the SRAM");
}

/// Cycles that the instruction at `at` takes in `program`, which lies in SRAM and starts at its head.
fn cost_of(program: &[u32], at: u32) -> u64 {
    let mut board = Board::open(&file("lpc2148")).unwrap();
    board.load_bytes(0x4000_0000, &words(program)).unwrap();
    board.reset(Some(0x4000_0000));
    let mut reach = |pc: u32| {
        let stop = board.run(&Request { pcs: vec![pc], ..run_cycles(10_000) }).unwrap();
        assert_eq!(stop.reason, Reason::Pc);
        stop.cycle
    };
    let begun = reach(0x4000_0000 + at);
    reach(0x4000_0000 + at + 4) - begun
}

#[test]
fn a_load_costs_its_bus() {
    let load = |base: [u32; 3]| cost_of(&[base[0], base[1], base[2], 0xE590_1000, 0xEAFF_FFFE], 12);
    let nop = 0xE1A0_0000;
    // Fetch, data, I. SRAM: 1 + 1 + 1.
    assert_eq!(load([0xE3A0_0101, nop, nop]), 3); // mov r0, #0x40000000
                                                  // The measurement timer costs what SRAM costs: mov r0, #0x40000000; sub r0, r0, #0x8000.
    assert_eq!(load([0xE3A0_0101, 0xE240_0902, nop]), 3);
    // Fast GPIO, on the same bus: sub r0, r0, #0x4000 (its registers answer once SCS selects them).
    assert_eq!(load([0xE3A0_0101, 0xE240_0901, nop]), 3);
    // VIC, one cycle more: mvn r0, #0xFF0; sub r0, r0, #0xF: 0xFFFFF000.
    assert_eq!(load([0xE3E0_0EFF, 0xE240_000F, nop]), 4);
}

#[test]
fn a_vpb_access_waits_for_the_edge_of_pclk() {
    // TIMER0 at PCLK = CCLK / 4, as after reset: 4 cycles, then to a multiple of 4, then 2 · 4.
    for nops in 0..4u64 {
        let mut program = vec![0xE3A0_020E, 0xE280_0901]; // mov r0, #0xE0000000; add r0, r0, #0x4000
        program.extend(vec![0xE1A0_0000; nops as usize]);
        let at = 4 * program.len() as u32;
        program.extend([0xE590_1008, 0xEAFF_FFFE]); // ldr r1, [r0, #8]; b .
                                                    // Fill 2, two instructions, the nops, the load's own fetch.
        let begins = 2 + 2 + nops + 1;
        let completes = (begins + 4).next_multiple_of(4) + 8;
        assert_eq!(cost_of(&program, at), 1 + (completes - begins) + 1, "{nops} nops");
    }
}

#[test]
fn a_peripheral_that_is_not_modelled_answers_and_is_reported_once() {
    let program = [
        0xE3A0_020E, // mov r0, #0xE0000000
        0xE280_0905, // add r0, r0, #0x14000: the PWM
        0xE590_1000, // ldr r1, [r0]
        0xE590_1004, // ldr r1, [r0, #4]
        0xEAFF_FFFE,
    ];
    let mut board = Board::open(&file("lpc2148")).unwrap();
    board.load_bytes(0x4000_0000, &words(&program)).unwrap();
    board.reset(Some(0x4000_0000));
    board.run(&run_cycles(1000)).unwrap();
    let reported = board.unmodelled();
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].text, "the PWM: it reads as 0");
    assert_eq!((reported[0].address, reported[0].pc), (Some(0xE001_4000), Some(0x4000_0008)));
}

#[test]
fn bytes_from_a_peer_arrive_one_per_frame() {
    let program = [
        0xE3A0_020E, // mov r0, #0xE0000000
        0xE280_190B, // add r1, r0, #0x2C000: PINSEL0
        0xE3A0_2005, // mov r2, #5
        0xE581_2000, // str r2, [r1]
        0xE280_1903, // add r1, r0, #0xC000: UART0
        0xE591_2014, // poll: ldr r2, [r1, #0x14]
        0xE312_0001, // tst r2, #1
        0x0AFF_FFFC, // beq poll
        0xE591_3000, // ldr r3, [r1]
        0xE084_4003, // add r4, r4, r3
        0xEAFF_FFF9, // b poll
    ];
    let mut board = Board::open(&file("lpc2148")).unwrap();
    board.load_bytes(0x4000_0000, &words(&program)).unwrap();
    board.reset(Some(0x4000_0000));
    let (recorder, log) = Recorder::new(&["uart0.rxd"]);
    board.attach(Box::new(recorder));
    board.run(&run_cycles(1000)).unwrap();
    // After reset: 5 data bits, start and stop, 16 · 1 PCLK each, 4 cycles per PCLK.
    let frame = 7 * 16 * 4;
    assert_eq!(board.level("uart0.frame_cycles"), Ok(frame));
    let now = board.cycle();
    board.send("uart0.rxd", &[1, 2]).unwrap();
    board.send("uart0.rxd", &[4]).unwrap();
    board.run(&run_cycles(now + 5000)).unwrap();
    let arrived: Vec<_> = log.take().iter().map(|c| (c.cycle - now, c.level)).collect();
    let frame = u64::from(frame);
    assert_eq!(arrived, [(frame, 1), (2 * frame, 2), (3 * frame, 4)]);
    assert_eq!(board.arm().register(4), 7);
    assert_eq!(
        board.send("vic.line3", &[1]).unwrap_err().0,
        "Cannot send to vic.line3: its device has no output frame_cycles to pace by."
    );
}

#[test]
fn a_run_stops_when_the_output_it_waits_for_has_sent_a_value() {
    let mut board = started("lpc2148");
    let request = Request { stop_on_bytes: Some("uart0.txd".into()), ..run_cycles(1_000_000) };
    let stop = board.run(&request).unwrap();
    assert_eq!(
        (stop.reason, stop.sentence.as_str()),
        (Reason::Bytes, "uart0.txd has sent a value.")
    );
    assert_eq!(board.receive("uart0.txd").unwrap().len(), 1);
    assert_eq!(board.run(&request).unwrap().reason, Reason::Bytes);
    assert_eq!(board.receive("uart0.txd").unwrap().len(), 1);
    assert_eq!(board.run(&request).unwrap().reason, Reason::Cycles);
    let mut board = started("lpc2148");
    let last = Request { last_byte: Some(b'k'), ..request };
    assert_eq!(board.run(&last).unwrap().reason, Reason::Bytes);
    let sent: Vec<u32> = board.receive("uart0.txd").unwrap().iter().map(|sent| sent.1).collect();
    assert_eq!(sent, [u32::from(b'o'), u32::from(b'k')]);
    let nowhere = Request { stop_on_bytes: Some("uart9.txd".into()), ..run_cycles(1) };
    assert!(board
        .run(&nowhere)
        .unwrap_err()
        .0
        .starts_with("The board has no output \"uart9.txd\""));
}
