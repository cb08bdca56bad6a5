//! A guest that calls its host, call by call.

use std::path::PathBuf;

use cyclescope_engine::board::{Board, Reason, Request};
use cyclescope_engine::semihosting::Limits;

use crate::programs::{board, run_cycles, words, ArmBoard, MINIMAL};

const BLOCK: u32 = 0x1000;
const TEXT: u32 = 0x1100;
const FAILED: u32 = u32::MAX;
const LIMITS: Limits = Limits { file_bytes: 100, files: 3 };

/// A board that makes semihosting call after call: SWI, branch back.
fn caller(root: Option<PathBuf>, stdin: &[u8]) -> Board {
    let mut board = board(MINIMAL);
    let program = [0xEF12_3456, 0xEAFF_FFFD]; // swi 0x123456; b 0
    board.load_bytes(0, &words(&program)).unwrap();
    board.enable_semihosting(root.as_deref(), Some(stdin), LIMITS).unwrap();
    board.reset(None);
    board
}

/// Makes one call with r1 = `parameter`; what it returned in r0.
fn call(board: &mut Board, operation: u32, parameter: u32) -> u32 {
    board.arm_mut().set_register(0, operation);
    board.arm_mut().set_register(1, parameter);
    let next = board.instructions() + 1;
    let request = Request { instructions: Some(next), ..Request::default() };
    let stop = board.run(&request).unwrap();
    assert_eq!(stop.reason, Reason::Instructions, "{}", stop.sentence);
    let answer = board.arm().register(0);
    let request = Request { instructions: Some(next + 1), ..request };
    board.run(&request).unwrap();
    answer
}

/// Makes one call whose parameter is a block of words.
fn call_with(board: &mut Board, operation: u32, block: &[u32]) -> u32 {
    board.write_memory(BLOCK, &words(block)).unwrap();
    call(board, operation, BLOCK)
}

fn open(board: &mut Board, name: &str, mode: u32) -> u32 {
    board.write_memory(TEXT, name.as_bytes()).unwrap();
    call_with(board, 0x01, &[TEXT, mode, name.len() as u32])
}

/// A new folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("cyclescope-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("root")).unwrap();
    folder
}

#[test]
fn the_console_is_written_and_read() {
    let mut board = caller(None, b"input");
    board.write_memory(TEXT, b"hi\n\0").unwrap();
    call(&mut board, 0x04, TEXT);
    call(&mut board, 0x03, TEXT);
    let console = open(&mut board, ":tt", 4);
    assert_eq!(call_with(&mut board, 0x09, &[console]), 1);
    assert_eq!(call_with(&mut board, 0x05, &[console, TEXT, 2]), 0);
    assert_eq!(board.semihosting_output(), b"hi\nh:t");
    assert_eq!(call_with(&mut board, 0x06, &[console, TEXT, 3]), 0);
    assert_eq!(call_with(&mut board, 0x06, &[console, TEXT + 3, 8]), 6);
    assert_eq!(board.read_memory(TEXT, 5).unwrap(), b"input");
    assert_eq!(call_with(&mut board, 0x06, &[console, TEXT, 8]), 8);
    assert_eq!(call_with(&mut board, 0x02, &[console]), 0);
    assert_eq!(call_with(&mut board, 0x02, &[console]), FAILED);
    assert_eq!(call(&mut board, 0x13, 0), 9);
}

#[test]
fn a_call_costs_its_own_fetch() {
    let mut board = caller(None, b"");
    let before = board.cycle();
    board.arm_mut().set_register(0, 0x13);
    let request = Request { instructions: Some(1), ..Request::default() };
    board.run(&request).unwrap();
    assert_eq!(board.cycle(), before + 1);
}

#[test]
fn time_is_the_boards_own() {
    let mut board = caller(None, b"");
    let now = board.cycle() + 1;
    assert_eq!(call(&mut board, 0x30, BLOCK), 0);
    assert_eq!(board.read_memory(BLOCK, 8).unwrap(), now.to_le_bytes());
    assert_eq!(call(&mut board, 0x31, 0), 1_000_000);
    board.drive("core.sleep", 1, None).unwrap();
    board.drive("core.sleep", 0, Some(2_500_000)).unwrap();
    assert_eq!(call(&mut board, 0x10, 0), 250, "centiseconds at 1 MHz");
}

#[test]
fn a_guest_ends_with_its_exit_code() {
    let ends = |operation: u32, parameter: u32, block: &[u32]| {
        let mut board = caller(None, b"");
        board.write_memory(BLOCK, &words(block)).unwrap();
        board.arm_mut().set_register(0, operation);
        board.arm_mut().set_register(1, parameter);
        let stop = board.run(&run_cycles(100)).unwrap();
        assert_eq!(stop.reason, Reason::SemihostingExit);
        (stop.exit_code, stop.sentence)
    };
    assert_eq!(ends(0x18, 0x20026, &[]), (Some(0), "The program ended with exit code 0.".into()));
    assert_eq!(ends(0x18, 0x20023, &[]).0, Some(1));
    assert_eq!(ends(0x20, BLOCK, &[0x20026, 7]).0, Some(7));
    assert_eq!(ends(0x20, BLOCK, &[0x20023, 7]).0, Some(1));
}

#[test]
fn a_c_library_learns_of_exit_codes_and_finds_room_for_its_stack() {
    let mut board = caller(None, b"");
    let features = open(&mut board, ":semihosting-features", 0);
    assert_eq!(call_with(&mut board, 0x0C, &[features]), 5);
    assert_eq!(call_with(&mut board, 0x06, &[features, TEXT, 4]), 0);
    assert_eq!(call_with(&mut board, 0x0A, &[features, 4]), 0);
    assert_eq!(call_with(&mut board, 0x06, &[features, TEXT + 4, 4]), 3);
    assert_eq!(board.read_memory(TEXT, 5).unwrap(), b"SHFB\x03");
    assert_eq!(call_with(&mut board, 0x16, &[TEXT]), 0);
    assert_eq!(board.read_memory(TEXT, 16).unwrap(), words(&[0, 0, 0x10000, 0]));
    board.write_memory(TEXT, b"x").unwrap();
    assert_eq!(call_with(&mut board, 0x15, &[TEXT, 16]), 0);
    assert_eq!(board.read_memory(TEXT, 1).unwrap(), [0]);
}

#[test]
fn without_a_root_no_file_can_be_opened() {
    let mut board = caller(None, b"");
    assert_eq!(open(&mut board, "/etc/passwd", 0), FAILED);
    assert_eq!(open(&mut board, "file", 4), FAILED);
}

#[test]
fn files_live_below_the_root_and_nowhere_else() {
    let folder = folder("root");
    std::fs::write(folder.join("secret"), "no").unwrap();
    std::fs::create_dir(folder.join("root/sub")).unwrap();
    std::os::unix::fs::symlink(folder.join("secret"), folder.join("root/link")).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("root/up")).unwrap();
    let mut board = caller(Some(folder.join("root")), b"");
    let absolute = folder.join("secret");
    for escape in [
        "../secret",
        "sub/../../secret",
        "link",
        "up/secret",
        "",
        ".",
        "sub",
        absolute.to_str().unwrap(),
    ] {
        for mode in [0, 4, 8] {
            assert_eq!(open(&mut board, escape, mode), FAILED, "{escape} in mode {mode}");
        }
    }
    assert_eq!(std::fs::read(folder.join("secret")).unwrap(), b"no");

    let file = open(&mut board, "sub/out", 6);
    assert_ne!(file, FAILED);
    board.write_memory(TEXT, b"hello").unwrap();
    assert_eq!(call_with(&mut board, 0x05, &[file, TEXT, 5]), 0);
    assert_eq!(call_with(&mut board, 0x0C, &[file]), 5);
    assert_eq!(call_with(&mut board, 0x0A, &[file, 1]), 0);
    assert_eq!(call_with(&mut board, 0x06, &[file, TEXT, 16]), 12);
    assert_eq!(board.read_memory(TEXT, 5).unwrap(), b"elloo");
    assert_eq!(call_with(&mut board, 0x09, &[file]), 0);
    call_with(&mut board, 0x02, &[file]);
    let file = open(&mut board, "sub/out", 8);
    board.write_memory(TEXT, b"!").unwrap();
    assert_eq!(call_with(&mut board, 0x05, &[file, TEXT, 1]), 0);
    assert_eq!(std::fs::read(folder.join("root/sub/out")).unwrap(), b"hello!");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn anything_else_fails_and_is_reported_once() {
    let mut board = caller(None, b"");
    assert_eq!(call(&mut board, 0x12, 0), FAILED);
    assert_eq!(call(&mut board, 0x12, 0), FAILED);
    let reported: Vec<_> = board.unmodelled().iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(reported, ["semihosting operation 0x12: it fails"]);
    assert_eq!(board.unmodelled()[0].pc, Some(0));
}

#[test]
fn wild_pointers_are_answered_with_failure() {
    let mut board = caller(None, b"");
    for operation in [0x01, 0x02, 0x05, 0x06, 0x09, 0x0A, 0x0C, 0x15, 0x16, 0x30] {
        assert_eq!(call(&mut board, operation, 0xF000_0000), FAILED, "{operation:#x}");
        assert_eq!(call_with(&mut board, operation, &[FAILED; 4]) == 0, operation == 0x30);
    }
    assert_eq!(call(&mut board, 0x04, 0xF000_0000), FAILED);
}

#[test]
fn a_root_that_is_no_folder_is_refused() {
    let error = board(MINIMAL)
        .enable_semihosting(Some(std::path::Path::new("/no/such/folder")), None, LIMITS)
        .unwrap_err();
    assert_eq!(
        error.0,
        "The semihosting root /no/such/folder is no folder: create it or name another."
    );
}

fn write(board: &mut Board, handle: u32, length: u32) -> u32 {
    call_with(board, 0x05, &[handle, TEXT, length])
}

fn notes(board: &Board) -> Vec<&str> {
    board.unmodelled().iter().map(|entry| entry.text.as_str()).collect()
}

#[test]
fn a_run_ends_before_output_fills_the_memory_and_goes_on_when_it_is_taken() {
    let mut board = caller(None, b"");
    board.write_memory(BLOCK, &words(&[1, 0, 0x8000])).unwrap();
    board.write_memory(TEXT, b":tt").unwrap();
    assert_eq!(call_with(&mut board, 0x01, &[TEXT, 4, 3]), 1);
    board.write_memory(BLOCK, &words(&[1, 0, 0x8000])).unwrap();
    // SWI after SWI: what a call returns is put right by the loop.
    let program = [0xE3A0_0005, 0xE3A0_1A01, 0xEF12_3456, 0xEAFF_FFFB];
    board.write_memory(0, &words(&program)).unwrap();
    let mut taken = 0;
    for _ in 0..3 {
        let stop = board.run(&run_cycles(10_000_000)).unwrap();
        assert_eq!(stop.reason, Reason::Output);
        let output = board.semihosting_output();
        assert!(output.len() <= 2 << 20, "{} bytes wait", output.len());
        taken += output.len();
    }
    assert_eq!(taken % 0x8000, 0);
    assert!(taken >= 3 << 20);
}

#[test]
fn files_grow_to_their_limit_and_no_further() {
    let folder = folder("limit");
    let mut board = caller(Some(folder.join("root")), b"");
    let first = open(&mut board, "first", 4);
    assert_eq!(write(&mut board, first, 90), 0);
    assert_eq!(call_with(&mut board, 0x0A, &[first, 0]), 0);
    assert_eq!(write(&mut board, first, 90), 0, "overwriting takes no more space");
    let second = open(&mut board, "second", 8);
    assert_eq!(write(&mut board, second, 11), FAILED);
    assert_eq!(call(&mut board, 0x13, 0), 27);
    assert_eq!(write(&mut board, second, 10), 0);
    assert_eq!(call_with(&mut board, 0x0A, &[first, 0xFFFF_FFF0]), 0);
    assert_eq!(write(&mut board, first, 1), FAILED, "a hole counts as what is read there");
    let again = open(&mut board, "first", 4);
    assert_eq!(write(&mut board, again, 90), 0, "a file that is emptied gives its space back");
    assert_eq!(
        notes(&board)[0],
        "semihosting: the guest's files have grown by 90 bytes and may by 100: writes fail"
    );
    let lengths =
        ["first", "second"].map(|name| folder.join("root").join(name).metadata().unwrap().len());
    assert_eq!(lengths, [90, 10]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_guest_makes_so_many_files_and_no_more() {
    let folder = folder("many");
    let mut board = caller(Some(folder.join("root")), b"");
    for name in ["a", "b", "c", "a"] {
        assert_ne!(open(&mut board, name, 4), FAILED);
    }
    assert_eq!(open(&mut board, "d", 4), FAILED);
    assert_eq!(std::fs::read_dir(folder.join("root")).unwrap().count(), 3);
    assert!(notes(&board)[0].contains("has made 3 files"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn handles_come_to_an_end_before_the_hosts_do() {
    let mut board = caller(None, b"");
    let opened = (0..400).filter(|_| open(&mut board, ":tt", 4) != FAILED).count();
    assert_eq!(opened, 256);
    assert!(notes(&board)[0].contains("has 256 files open"));
}

#[test]
fn only_regular_files_are_opened() {
    let folder = folder("special");
    let fifo = folder.join("root/fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let socket = std::os::unix::net::UnixListener::bind(folder.join("root/socket")).unwrap();
    let mut board = caller(Some(folder.join("root")), b"");
    for name in ["fifo", "socket"] {
        for mode in [0, 2, 4, 6, 8] {
            assert_eq!(open(&mut board, name, mode), FAILED, "{name} in mode {mode}");
        }
    }
    drop(socket);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_guest_cannot_ask_for_endless_notes() {
    let mut board = caller(None, b"");
    for operation in 0x100..0x900 {
        call(&mut board, operation, 0);
    }
    assert_eq!(board.unmodelled().len(), 1001);
    assert_eq!(notes(&board)[1000], "more than was noted here: the list is full");
}
