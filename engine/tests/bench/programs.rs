//! Boards whose programs exchange characters, each answer at a moment that depends on those before.

use std::path::Path;

use cyclescope_engine::board::Board;

pub const USART0: u32 = 0xFFFD_0000;
pub const UART0: u32 = 0xE000_C000;

const EBI: u32 = 0xFFE0_0000;
const INTERNAL: u32 = 0x0030_0000;
/// Memory on a bus of 8 bits with 8 wait states: a word takes 36 cycles.
const RAM: u32 = 0x0100_0000;
/// Where the controller of transfers puts what comes, and the longest load reads it.
pub const BUFFER: u32 = RAM + 0x100;
/// Where programs in internal memory begin.
pub const START: u32 = INTERNAL + 0x400;
pub const LOG: u32 = INTERNAL + 0x1000;
pub const POLL: u32 = INTERNAL + 0x418;
const SRAM: u32 = 0x4000_0000;
pub const SRAM_LOG: u32 = SRAM + 0x1000;

/// r0 points at pairs of address and value up to address 0; the program follows them in memory.
const SETUP: [u32; 6] = [
    0xe28f_0010, // add r0, pc, #16
    0xe8b0_0006, // next: ldmia r0!, {r1, r2}
    0xe351_0000, // cmp r1, #0
    0x1581_2000, // strne r2, [r1]
    0x1aff_fffb, // bne next
    0xe1a0_f000, // mov pc, r0
];

/// Counts the iterations until a character comes, reads slow memory in each, and answers with a sum.
fn usart_program(usart: u32, slow: u32, seed: u32) -> Vec<u32> {
    vec![
        0xe59f_a050, // ldr r10, usart
        0xe59f_b050, // ldr r11, slow
        0xe59f_9050, // ldr r9, log
        0xe59f_4050, // ldr r4, seed
        0xea00_000b, // b send
        0xe3a0_6000, // again: mov r6, #0
        0xe286_6001, // poll: add r6, r6, #1
        0xe89b_518f, // ldmia r11, {r0-r3, r7, r8, r12, r14}
        0xe59a_5014, // ldr r5, [r10, #0x14]
        0xe315_0001, // tst r5, #1
        0x0aff_fffa, // beq poll
        0xe59a_5018, // ldr r5, [r10, #0x18]
        0xe085_4006, // add r4, r5, r6
        0xe489_4004, // str r4, [r9], #4
        0xe204_701f, // and r7, r4, #31
        0xe257_7001, // work: subs r7, r7, #1
        0x5aff_fffd, // bpl work
        0xe59a_5014, // send: ldr r5, [r10, #0x14]
        0xe315_0002, // tst r5, #2
        0x0aff_fffc, // beq send
        0xe58a_401c, // str r4, [r10, #0x1c]
        0xeaff_ffee, // b again
        usart,
        slow,
        LOG,
        seed,
    ]
}

/// The same on a UART with FIFOs, without the slow memory.
fn uart_program(seed: u32) -> Vec<u32> {
    vec![
        0xe59f_a048, // ldr r10, uart
        0xe59f_9048, // ldr r9, log
        0xe59f_4048, // ldr r4, seed
        0xea00_000a, // b send
        0xe3a0_6000, // again: mov r6, #0
        0xe286_6001, // poll: add r6, r6, #1
        0xe59a_5014, // ldr r5, [r10, #0x14]
        0xe315_0001, // tst r5, #1
        0x0aff_fffb, // beq poll
        0xe59a_5000, // ldr r5, [r10]
        0xe085_4006, // add r4, r5, r6
        0xe489_4004, // str r4, [r9], #4
        0xe204_701f, // and r7, r4, #31
        0xe257_7001, // work: subs r7, r7, #1
        0x5aff_fffd, // bpl work
        0xe59a_5014, // send: ldr r5, [r10, #0x14]
        0xe315_0020, // tst r5, #0x20
        0x0aff_fffc, // beq send
        0xe58a_4000, // str r4, [r10]
        0xeaff_ffef, // b again
        UART0,
        SRAM_LOG,
        seed,
    ]
}

/// Sends after a character, or after a time without one; what it sends follows from all that it heard.
fn talker_program(slow: u32, seed: u32) -> Vec<u32> {
    vec![
        0xe59f_a06c, // ldr r10, usart
        0xe59f_b06c, // ldr r11, slow
        0xe59f_906c, // ldr r9, log
        0xe59f_406c, // ldr r4, seed
        0xea00_0012, // b send
        0xe3a0_6000, // again: mov r6, #0
        0xe286_6001, // poll: add r6, r6, #1
        0xe89b_518f, // ldmia r11, {r0-r3, r7, r8, r12, r14}
        0xe59a_5014, // ldr r5, [r10, #0x14]
        0xe315_0001, // tst r5, #1
        0x1a00_0001, // bne came
        0xe156_0124, // cmp r6, r4, lsr #2
        0x9aff_fff8, // bls poll
        0xe084_4005, // came: add r4, r4, r5
        0xe59a_5018, // ldr r5, [r10, #0x18]
        0xe085_41e4, // add r4, r5, r4, ror #3
        0xe084_4006, // add r4, r4, r6
        0xe489_4004, // str r4, [r9], #4
        0xe204_40ff, // and r4, r4, #255
        0xe3a0_5c01, // mov r5, #0x100
        0xe58a_5000, // str r5, [r10]
        0xe204_701f, // and r7, r4, #31
        0xe257_7001, // work: subs r7, r7, #1
        0x5aff_fffd, // bpl work
        0xe59a_5014, // send: ldr r5, [r10, #0x14]
        0xe315_0002, // tst r5, #2
        0x0aff_fffc, // beq send
        0xe58a_401c, // str r4, [r10, #0x1c]
        0xeaff_ffe7, // b again
        USART0,
        slow,
        LOG,
        seed,
    ]
}

/// An AT91x40 that goes on to send whatever it hears, at 32 cycles a bit.
pub fn talker(seed: u32) -> Board {
    let mut board = open("at91x40");
    let setup = [(USART0 + 4, 0x8C0), (USART0 + 0x20, 2), (USART0, 0x50)];
    start(&mut board, START, &setup, &talker_program(0x100, seed));
    board
}

fn open(name: &str) -> Board {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards");
    Board::open(&boards.join(name).join("board.toml")).unwrap()
}

fn start(board: &mut Board, at: u32, setup: &[(u32, u32)], program: &[u32]) {
    let pairs = setup.iter().chain(&[(0, 0)]).flat_map(|&(address, value)| [address, value]);
    let words: Vec<u32> = SETUP.into_iter().chain(pairs).chain(program.iter().copied()).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    board.load_bytes(at, &bytes).unwrap();
    board.reset(Some(at));
}

/// An AT91x40 that begins with `seed`, at `divisor` × 16 cycles a bit, with further bits of the mode. The
/// memory that it reads in a loop takes 144 cycles if it `is_slow`, else 8.
pub fn at91(seed: u32, divisor: u32, mode: u32, is_slow: bool) -> Board {
    let mut board = open("at91x40");
    let setup = [(USART0 + 4, 0x8C0 ^ mode), (USART0 + 0x20, divisor), (USART0, 0x50)];
    let slow = if is_slow { 0x100 } else { INTERNAL + 0x800 };
    start(&mut board, INTERNAL + 0x400, &setup, &usart_program(USART0, slow, seed));
    board
}

/// An LPC2148 that goes from 12 to 60 MHz on its way, with 114 kbit/s behind that.
pub fn lpc(seed: u32) -> Board {
    const PLL: u32 = 0xE01F_C080;
    let mut board = open("lpc2148");
    let feed = [(PLL + 12, 0xAA), (PLL + 12, 0x55)];
    let mut setup = vec![(0xE002_C000, 5), (0xE01F_C100, 1), (PLL + 4, 0x24), (PLL, 1)];
    setup.extend(feed);
    // 1,200 cycles until it locks.
    setup.extend([(0xE01F_C100, 1); 150]);
    setup.push((PLL, 3));
    setup.extend(feed);
    setup.extend([
        (UART0 + 12, 0x83),
        (UART0, 33),
        (UART0 + 4, 0),
        (UART0 + 12, 3),
        (UART0 + 8, 7),
    ]);
    start(&mut board, SRAM, &setup, &uart_program(seed));
    board
}

/// Loads nine words at once while transfers write there, and sends two characters made of all that it read.
fn burst_program(seed: u32) -> Vec<u32> {
    vec![
        0xe59f_a05c, // ldr r10, usart
        0xe59f_b05c, // ldr r11, buffer
        0xe59f_405c, // ldr r4, seed
        0xe3a0_d028, // mov r13, #40
        0xe89b_43cf, // again: ldmia r11, {r0-r3, r6-r9, r14}
        0xe080_41e4, // add r4, r0, r4, ror #3, and so on
        0xe081_41e4,
        0xe082_41e4,
        0xe083_41e4,
        0xe086_41e4,
        0xe087_41e4,
        0xe088_41e4,
        0xe089_41e4,
        0xe08e_41e4,
        0xe59a_5014, // ldr r5, [r10, #0x14]
        0xe085_41e4, // add r4, r5, r4, ror #3
        0xe315_0008, // tst r5, #8
        0x158a_b030, // strne r11, [r10, #0x30]
        0x158a_d034, // strne r13, [r10, #0x34]
        0xe315_0002, // tst r5, #2
        0x158a_401c, // strne r4, [r10, #0x1c]
        0xe59a_5014, // ldr r5, [r10, #0x14]
        0xe315_0002, // tst r5, #2
        0x158a_601c, // strne r6, [r10, #0x1c]
        0xeaff_ffea, // b again
        USART0,
        BUFFER,
        seed,
    ]
}

/// An AT91x40 whose loads of nine words last 325 cycles, with characters of 112.
fn with_slow_memory() -> (Board, [(u32, u32); 5]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/at91x40/board.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text
        .replace("chip_select = 1, width = 16", "chip_select = 1, width = 8")
        .replace("number = 1, width = 16", "number = 1, width = 8");
    let setup = [
        (EBI + 4, RAM | 0x203E),
        (EBI + 0x20, 1),
        (USART0 + 4, 0x800),
        (USART0 + 0x20, 1),
        (USART0, 0x50),
    ];
    (Board::from_text(&text, "board.toml").unwrap(), setup)
}

/// Sends and hears in bursts. Code lies in the slow memory too, if `is_slow`: then each status is read 36
/// cycles behind the beginning of its instruction.
pub fn burst(seed: u32, is_slow: bool) -> Board {
    let (mut board, setup) = with_slow_memory();
    let at = if is_slow { RAM } else { INTERNAL + 0x800 };
    let program: Vec<u8> = burst_program(seed).into_iter().flat_map(u32::to_le_bytes).collect();
    board.load_bytes(at, &program).unwrap();
    // ldr pc, [pc, #-4]
    start(&mut board, INTERNAL + 0x400, &setup, &[0xe51f_f004, at]);
    board
}

/// Adds once for each of `adds`, then loads nine words again and again, 325 cycles for each load, and
/// `sends` a character behind each ninth load.
pub fn loads(adds: usize, sends: bool) -> Board {
    let (mut board, setup) = with_slow_memory();
    let mut program = vec![
        0xe3a0_b401, // mov r11, #0x1000000
        0xe59f_a000, // ldr r10, usart
        0xea00_0000, // b to the first add
        USART0,
    ];
    program.extend(vec![0xe284_4001; adds]); // add r4, r4, #1
    let load = 0xe89b_43cf; // ldmia r11, {r0-r3, r6-r9, r14}
    let send = if sends { 0xe58a_401c } else { load }; // str r4, [r10, #0x1c]
    (0..20)
        .for_each(|_| program.extend([load, load, load, load, load, load, load, load, load, send]));
    program.push(0xeaff_ff36); // b to the first load
    start(&mut board, START, &setup, &program);
    board
}

/// An AT91x40 that stops its core until a character comes, and sends it back, larger by 3.
pub fn asleep() -> Board {
    const POWER_SAVING: u32 = 0xFFFF_4000;
    const ENABLE_INTERRUPTS: u32 = 0xFFFF_F120;
    let program = [
        0xe59f_a01c, // ldr r10, usart
        0xe59f_b01c, // ldr r11, power saving
        0xe3a0_5001, // mov r5, #1
        0xe58a_5008, // str r5, [r10, #8]
        0xe58b_5000, // again: str r5, [r11]
        0xe59a_4018, // ldr r4, [r10, #0x18]
        0xe284_4003, // add r4, r4, #3
        0xe58a_401c, // str r4, [r10, #0x1c]
        0xeaff_fffa, // b again
        USART0,
        POWER_SAVING,
    ];
    let mut board = open("at91x40");
    let setup =
        [(USART0 + 4, 0x8C0), (USART0 + 0x20, 1), (USART0, 0x50), (ENABLE_INTERRUPTS, 1 << 2)];
    start(&mut board, INTERNAL + 0x400, &setup, &program);
    board
}
