//! Loops that only wait are skipped, and nothing that can be seen of a run changes by it.

use cyclescope_engine::board::{Board, Reason, Request};
use cyclescope_engine::energy::Spent;
use cyclescope_engine::instruments::callers::{Code, Function};
use cyclescope_engine::instruments::power_meter::{Ledger, Metering, Places};

use crate::programs::{loaded, lpc2148, run_cycles, words, ArmBoard, MINIMAL};

const SRAM: u32 = 0x4000_0000;
const DATA: u32 = SRAM + 0x1000;
const IRQ_STACK: u32 = SRAM + 0x2000;
const STACK: u32 = SRAM + 0x3000;
const SETUP: u32 = 0x400;

/// Vectors and the handler of TIMER0's interrupt; then a start that writes pairs of address and value
/// from r2 on, lets interrupts in and goes to r3. The handler counts in memory at r9.
const START: [u32; 24] = [
    0xeaff_fffe, // b .
    0xeaff_fffe, // b .
    0xeaff_fffe, // b .
    0xeaff_fffe, // b .
    0xeaff_fffe, // b .
    0xeaff_fffe, // b .
    0xea00_0000, // b handler
    0xeaff_fffe, // b .
    0xe24e_e004, // handler: sub lr, lr, #4
    0xe92d_4003, // push {r0, r1, lr}
    0xe3a0_0001, // mov r0, #1
    0xe586_0000, // str r0, [r6]
    0xe599_0000, // ldr r0, [r9]
    0xe280_0001, // add r0, r0, #1
    0xe589_0000, // str r0, [r9]
    0xe587_0000, // str r0, [r7]
    0xe8fd_8003, // ldm sp!, {r0, r1, pc}^
    0xe1a0_0000, // nop
    0xe8b2_0003, // start: ldmia r2!, {r0, r1}
    0xe350_0000, // cmp r0, #0
    0x1580_1000, // strne r1, [r0]
    0x1aff_fffb, // bne start
    0xe321_f013, // msr cpsr_c, #0x13
    0xe12f_ff13, // bx r3
];
const ENTRY: u32 = 18 * 4;

const NOP: u32 = 0xe1a0_0000;
const B_SELF: u32 = 0xeaff_fffe;
const LDR_LSR: u32 = 0xe598_0014; // ldr r0, [r8, #0x14]
const TST_READY: u32 = 0xe310_0001; // tst r0, #1
const LDR_COUNT: u32 = 0xe599_0000; // ldr r0, [r9]
const CMP_SEEN: u32 = 0xe150_000b; // cmp r0, r11

/// Parts of loops. Most leave everything as it was one iteration before.
const PARTS: [&[u32]; 17] = [
    &[NOP],
    &[LDR_COUNT],
    &[LDR_LSR],
    &[0xe596_0000],                           // ldr r0, [r6]: TIMER0 IR
    &[0xe92d_4002, 0xe8bd_4002],              // push {r1, lr}; pop {r1, lr}
    &[0xe92d_0201, 0xe8bd_0201],              // push {r0, r9}; pop {r0, r9}
    &[0xe589_9004],                           // str r9, [r9, #4]
    &[0xe5c9_9009, 0xe5d9_1009],              // strb r9, [r9, #9]; ldrb r1, [r9, #9]
    &[0xe51f_1008],                           // ldr r1, [pc, #-8]
    &[0xe000_0999],                           // mul r0, r9, r9
    &[0xe22a_a001],                           // eor r10, r10, #1
    &[0xe589_a00c],                           // str r10, [r9, #12]
    &[0xe599_0010, 0xe280_0001, 0xe589_0010], // r0 = [r9, #16]; r0 + 1; [r9, #16] = r0
    &[0xe28a_a001],                           // add r10, r10, #1
    &[0xe598_1000],                           // ldr r1, [r8]: takes a character
    &[0xe588_9000],                           // str r9, [r8]: sends one
    &[0xe597_0000],                           // ldr r0, [r7]: acknowledges an interrupt
];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }
}

fn branch(condition: u32, from: usize, to: usize) -> u32 {
    condition << 28 | 0x0a00_0000 | (to as u32).wrapping_sub(from as u32 + 2) & 0x00ff_ffff
}

/// Loops one behind the other, some of them for ever.
fn loops(random: &mut Random) -> Vec<u32> {
    let mut program = Vec::new();
    for _ in 0..1 + random.below(4) {
        let begin = program.len();
        for _ in 0..random.below(4) {
            // The last five parts make every iteration differ: they are rare.
            let kinds = if random.below(8) == 0 { PARTS.len() } else { PARTS.len() - 5 };
            program.extend(PARTS[random.below(kinds as u64) as usize]);
        }
        match random.below(6) {
            0 => program.extend([LDR_LSR, TST_READY]),
            1..=3 => program.extend([LDR_COUNT, CMP_SEEN]),
            _ => program.push(0xe3b0_0000), // movs r0, #0
        }
        program.push(branch(0, program.len(), begin)); // beq
        program.push(0xe599_b000); // ldr r11, [r9]
        program.push(0xe598_1000); // ldr r1, [r8]
    }
    program.push(branch(14, program.len(), 0));
    program
}

/// A board about to run `program` at `base`, with TIMER0 interrupting every `period` PCLKs.
fn started(base: u32, program: &[u32], period: u32, vpbdiv: u32, mam: u32, text: &[u8]) -> Board {
    let setup = [
        (0xE01F_C100, vpbdiv),
        (0xE002_C000, 5),
        (0xE000_C008, 7),
        (0xE000_C00C, 3),
        (0xFFFF_F010, 1 << 4),
        (0xE000_4018, period - 1),
        (0xE000_4014, 3),
        (0xE000_4004, 1),
        (0, 0),
    ];
    let setup: Vec<u32> = setup.into_iter().flat_map(|(at, value)| [at, value]).collect();
    let mut board = lpc2148();
    board.load_bytes(0, &words(&START)).unwrap();
    board.load_bytes(SETUP, &words(&setup)).unwrap();
    board.load_bytes(base, &words(program)).unwrap();
    board.reset(Some(ENTRY));
    let mut state = board.arm().state();
    state.user[2..4].copy_from_slice(&[SETUP, base]);
    state.user[6..10].copy_from_slice(&[0xE000_4000, 0xFFFF_F030, 0xE000_C000, DATA]);
    state.supervisor[0] = STACK;
    state.irq[0] = IRQ_STACK;
    board.arm_mut().set_state(&state);
    board.drive("memory.flash.mam", mam, None).unwrap();
    board.send("uart0.rxd", text).unwrap();
    board
}

/// Everything there is to see of a board.
fn seen(board: &mut Board) -> impl PartialEq + std::fmt::Debug {
    (
        (board.cycle(), board.instructions(), board.arm().state()),
        board.receive("uart0.txd").unwrap(),
        board.read_memory(SRAM, 0x4000).unwrap(),
        board.unmodelled().to_vec(),
        board.unverified().iter().map(|rule| rule.id.clone()).collect::<Vec<_>>(),
    )
}

#[test]
fn random_programs_with_loops_run_the_same_with_and_without_skipping() {
    let (mut skipped, mut cycles) = (0, 0);
    for seed in 1..=150 {
        let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let program = loops(&mut random);
        let base = [0x800, SRAM + 0x400][random.below(2) as usize];
        let period = 300 + random.below(20_000) as u32;
        let vpbdiv = random.below(3) as u32;
        let mam = random.below(3) as u32 | (1 + random.below(7) as u32) << 8;
        let text: Vec<u8> = (0..random.below(30)).map(|_| random.below(256) as u8).collect();
        let [mut skipping, mut stepping] =
            [true, false].map(|_| started(base, &program, period, vpbdiv, mam, &text));
        stepping.set_skipping(false);
        for _ in 0..12 {
            let most = [40, 3_000, 60_000][random.below(3) as usize];
            let ahead = 1 + random.below(most);
            let request = if random.below(4) == 0 {
                Request {
                    instructions: Some(stepping.instructions() + ahead),
                    ..Request::default()
                }
            } else {
                run_cycles(stepping.cycle() + ahead)
            };
            let (left, right) = (skipping.run(&request), stepping.run(&request));
            assert_eq!(left.unwrap(), right.unwrap(), "seed {seed}");
            assert_eq!(seen(&mut skipping), seen(&mut stepping), "seed {seed}");
        }
        assert_eq!(stepping.skipped_cycles(), 0);
        skipped += skipping.skipped_cycles();
        cycles += skipping.cycle();
    }
    assert!(skipped > cycles / 4, "only {skipped} of {cycles} cycles were skipped");
}

/// All that was spent, by whomever.
fn total(ledger: &Ledger) -> Spent {
    let mut sum = Spent::default();
    ledger.values().for_each(|spent| sum.add(spent, 1));
    sum
}

#[test]
fn a_power_meter_counts_skipped_turns_and_its_parts_add_up() {
    let (mut skipped, mut cycles) = (0, 0);
    for seed in 1..=60 {
        let mut random = Random(0xD1B5_4A32_D192_ED03_u64.wrapping_mul(seed));
        let program = loops(&mut random);
        let base = [0x800, SRAM + 0x400][random.below(2) as usize];
        let period = 300 + random.below(20_000) as u32;
        let (vpbdiv, mam) = (random.below(3) as u32, random.below(3) as u32);
        let mam = mam | (1 + random.below(7) as u32) << 8;
        let function = |start, library| Function { start, end: start + 0x10, library };
        let functions = vec![function(base, false), function(base + 16, true)];
        let places = match random.below(3) {
            0 => Places::Instructions,
            1 => Places::Functions(Code::new(functions)),
            _ => Places::From(vec![0, 0x20, 0x48, base, base + 16]),
        };
        // The part of the programs that counts at [r9, #16] stands for a kernel's choice of a task.
        let metering = Metering {
            places,
            current_task: Some(DATA + 16),
            executed: vec![0x18],
            accessed: vec![0xE000_C000],
            window: None,
        };
        let mut plain = started(base, &program, period, vpbdiv, mam, b"text");
        let [mut skipping, mut stepping] = [true, false].map(|on| {
            let mut board = started(base, &program, period, vpbdiv, mam, b"text");
            board.set_skipping(on);
            board.meter(metering.clone()).unwrap();
            board
        });
        let from = plain.cycle();
        for _ in 0..6 {
            let request = run_cycles(plain.cycle() + 1 + random.below(60_000));
            let stop = plain.run(&request).unwrap();
            assert_eq!(skipping.run(&request).unwrap(), stop, "seed {seed}");
            assert_eq!(stepping.run(&request).unwrap(), stop, "seed {seed}");
            let [left, right] = [&mut skipping, &mut plain]
                .map(|board| (board.arm().state(), board.read_memory(SRAM, 0x4000).unwrap()));
            assert_eq!(left, right, "seed {seed}");
            assert_eq!(skipping.take_readings(), stepping.take_readings(), "seed {seed}");
            let ledger = skipping.spent().unwrap();
            assert_eq!(ledger, stepping.spent().unwrap(), "seed {seed}");
            assert_eq!(total(&ledger).cycles, plain.cycle() - from, "seed {seed}");
        }
        skipped += skipping.skipped_cycles();
        cycles += skipping.cycle();
    }
    assert!(skipped > cycles / 5, "only {skipped} of {cycles} cycles were skipped");
}

#[test]
fn a_branch_to_itself_is_skipped_from_interrupt_to_interrupt() {
    let mut board = started(SRAM + 0x400, &[B_SELF], 60_000, 1, 2 | 3 << 8, &[]);
    board.run(&run_cycles(6_000_000)).unwrap();
    let counted = board.read_memory(DATA, 4).unwrap();
    assert_eq!(counted, words(&[99]), "the 100th is due at the end, after the set-up");
    assert!(board.skipped_cycles() > 5_700_000, "{}", board.skipped_cycles());
}

#[test]
fn waiting_for_a_character_is_skipped() {
    let poll = [LDR_LSR, TST_READY, 0x0aff_fffc /* beq */, 0xe598_1000, branch(14, 4, 0)];
    let mut board = started(SRAM + 0x400, &poll, 1_000_000, 1, 2 | 3 << 8, &[7; 16]);
    // 16 characters of 10 bits, 16 PCLKs each.
    board.run(&run_cycles(16 * 160 + 600)).unwrap();
    assert_eq!(board.arm().register(1), 7);
    assert!(board.skipped_cycles() > 1_000, "{}", board.skipped_cycles());
}

#[test]
fn bounds_are_met_to_the_instruction_and_the_cycle() {
    for bound in 5_000..5_020 {
        let mut board = loaded(MINIMAL, 0, &[NOP, B_SELF]);
        let stop = board.run(&Request { instructions: Some(bound), ..Request::default() }).unwrap();
        // 2 to fill the pipeline, 1 for the nop, 3 for each branch.
        assert_eq!((stop.instructions, stop.cycle), (bound, 2 + 1 + 3 * (bound - 1)));
        assert_eq!(stop.reason, Reason::Instructions);
        board.reset(None);
        let stop = board.run(&run_cycles(bound)).unwrap();
        let iterations = (bound - 3).div_ceil(3);
        assert_eq!((stop.instructions, stop.cycle), (1 + iterations, 3 + 3 * iterations));
        assert!(board.skipped_cycles() > 0);
    }
}

#[test]
fn who_watches_a_loop_sees_every_turn() {
    let mut board = loaded(MINIMAL, 0, &[NOP, B_SELF]);
    board.watch(&[4], &[]);
    board.run(&run_cycles(3 + 3 * 4_000)).unwrap();
    assert_eq!((board.take_executed().len(), board.skipped_cycles()), (4_000, 0));
    board.watch(&[0x100], &[]);
    board.run(&run_cycles(60_000)).unwrap();
    assert!(board.skipped_cycles() > 0, "nobody watches what executes");
}

#[test]
fn who_looks_into_calls_lets_what_lies_beside_them_be_skipped() {
    use cyclescope_engine::instruments::window::Window;
    let program = [NOP, 0xe12f_ff1e /* bx lr */, NOP, NOP, branch(14, 4, 4)];
    let calls = |skipping: bool| {
        let mut board = loaded(MINIMAL, 0, &program);
        board.set_skipping(skipping);
        board.watch_interrupts(Window { start: 0, entry: 0, returned: 8 });
        board.profile(Window { start: 0, entry: 0, returned: 8 });
        board.reset(None);
        board.arm_mut().set_register(14, 8);
        board.run(&run_cycles(60_000)).unwrap();
        let seen = (board.take_interrupts_off(), board.take_profiles(), board.cycle());
        (seen, board.skipped_cycles() > 50_000)
    };
    let (skipped, stepped) = (calls(true), calls(false));
    let (off, profiles, _) = &skipped.0;
    assert_eq!((off.len(), off[0].cycles), (1, 4));
    assert_eq!((profiles.len(), profiles[0].cycles), (1, 4));
    assert_eq!(skipped.0, stepped.0);
    assert_eq!((skipped.1, stepped.1), (true, false));
}

#[test]
fn a_loop_that_counts_is_not_skipped() {
    let mut board = loaded(MINIMAL, 0, &[0xe280_0001 /* add r0, r0, #1 */, branch(14, 1, 0)]);
    board.run(&run_cycles(2 + 4 * 100_000)).unwrap();
    assert_eq!((board.arm().register(0), board.skipped_cycles()), (100_000, 0));
}
