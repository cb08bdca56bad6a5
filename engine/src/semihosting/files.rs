//! The files a guest may open: its console, and what lies below the root folder, if one is given.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

use super::limits::{Left, Limits, MOST_OPEN};
use crate::error::{Error, Result};

/// Errors as the C library numbers them.
const ENOENT: u32 = 2;
const EIO: u32 = 5;
const EBADF: u32 = 9;
const EACCES: u32 = 13;
const EMFILE: u32 = 24;
const EFBIG: u32 = 27;
const ENOSPC: u32 = 28;

const CONSOLE: &str = ":tt";
/// Content of the file that lists extensions: a magic word, then flags. Bit 0: exit codes
/// (EXIT_EXTENDED). Bit 1: `:tt` can be opened for writing and for appending, as standard output
/// and standard error.
const FEATURES: &str = ":semihosting-features";
const FEATURE_BYTES: &[u8] = b"SHFB\x03";
/// Modes 4 to 7 write, 8 to 11 append; below, the file is read. Bit 1 is "+".
const FIRST_WRITING_MODE: u32 = 4;
const FIRST_APPENDING_MODE: u32 = 8;
const LAST_MODE: u32 = 11;

/// Source of the guest's console input.
#[derive(Debug)]
enum Input {
    Given(Cursor<Vec<u8>>),
    /// The host's standard input, read only when the guest reads: it may stay silent for ever.
    Standard,
}

#[derive(Debug)]
enum Open {
    Console,
    Features(Cursor<&'static [u8]>),
    File { file: File, appends: bool },
}

/// Open handles, and what may be opened.
#[derive(Debug)]
pub(super) struct Files {
    root: Option<PathBuf>,
    stdin: Input,
    open: BTreeMap<u32, Open>,
    errno: u32,
    limits: Limits,
    left: Left,
    /// Text of the host's last refusal, for its user.
    refusal: Option<String>,
}

impl Files {
    pub fn new(root: Option<&Path>, stdin: Option<&[u8]>, limits: Limits) -> Result<Self> {
        let canonical = |root: &Path| match root.canonicalize() {
            Ok(folder) if folder.is_dir() => Ok(folder),
            _ => Err(Error(format!(
                "The semihosting root {} is no folder: create it or name another.",
                root.display()
            ))),
        };
        let root = root.map(canonical).transpose()?;
        let stdin =
            stdin.map_or(Input::Standard, |bytes| Input::Given(Cursor::new(bytes.to_vec())));
        let left = Left::new(limits);
        Ok(Files { root, stdin, open: BTreeMap::new(), errno: 0, limits, left, refusal: None })
    }

    pub fn reset(&mut self) {
        self.open.clear();
        self.errno = 0;
        self.left = Left::new(self.limits);
        if let Input::Given(bytes) = &mut self.stdin {
            bytes.set_position(0);
        }
    }

    pub fn errno(&self) -> u32 {
        self.errno
    }

    /// Takes the sentence about the last write that exceeded the capacity.
    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// A handle, from 1 on.
    pub fn open(&mut self, name: &str, mode: u32) -> Option<u32> {
        if self.open.len() >= MOST_OPEN {
            let sentence =
                format!("semihosting: the guest has {MOST_OPEN} files open, the most it may");
            return self.refuse(EMFILE, sentence);
        }
        let opened = match name {
            CONSOLE => Open::Console,
            FEATURES => Open::Features(Cursor::new(FEATURE_BYTES)),
            _ => match self.open_file(name, mode) {
                Ok(opened) => opened,
                Err(errno) => return self.fail(errno),
            },
        };
        let handle = (1..).find(|handle| !self.open.contains_key(handle))?;
        self.open.insert(handle, opened);
        Some(handle)
    }

    fn open_file(&mut self, name: &str, mode: u32) -> std::result::Result<Open, u32> {
        let path = self.inside(name).ok_or(EACCES)?;
        if mode > LAST_MODE {
            return Err(EACCES);
        }
        let before = path.metadata().ok().map(|data| data.len());
        let writes = mode >= FIRST_WRITING_MODE;
        let appends = mode >= FIRST_APPENDING_MODE;
        let both = mode & 2 != 0;
        if writes && before.is_none() {
            self.left.make().map_err(|sentence| {
                self.refusal = Some(sentence);
                EMFILE
            })?;
        }
        let file = std::fs::OpenOptions::new()
            .read(!writes || both)
            .write((writes && !appends) || both)
            .append(appends)
            .create(writes)
            .truncate(writes && !appends)
            .open(path)
            .map_err(|_| ENOENT)?;
        if writes && !appends {
            self.left.shrink(before.unwrap_or_default());
        }
        Ok(Open::File { file, appends })
    }

    /// The host's path of a guest's file name. None when it would leave the root folder, by an
    /// absolute path, by `..` or through a symbolic link. Only regular files are opened: opening a
    /// FIFO waits until its other end is opened, and a device may do anything.
    fn inside(&self, name: &str) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let wanted = root.join(name);
        let file = wanted.file_name()?;
        if name.is_empty() || !plain {
            return None;
        }
        let folder = wanted.parent()?.canonicalize().ok()?;
        let path = folder.join(file);
        let is_special = path.symlink_metadata().is_ok_and(|data| !data.is_file());
        (folder.starts_with(root) && !is_special).then_some(path)
    }

    pub fn close(&mut self, handle: u32) -> Option<u32> {
        match self.open.remove(&handle) {
            Some(_) => Some(0),
            None => self.fail(EBADF),
        }
    }

    /// 1 for the console, 0 for a file.
    pub fn is_console(&mut self, handle: u32) -> Option<u32> {
        match self.open.get(&handle) {
            Some(Open::Console) => Some(1),
            Some(Open::File { .. } | Open::Features(_)) => Some(0),
            None => self.fail(EBADF),
        }
    }

    pub fn write(&mut self, handle: u32, bytes: &[u8]) -> Option<u32> {
        let (length, end) = self.with_file(handle, |file, appends| {
            let length = file.metadata()?.len();
            let from = if appends { length } else { file.stream_position()? };
            Ok((length, from.saturating_add(bytes.len() as u64)))
        })?;
        if let Err(sentence) = self.left.grow(length, end) {
            return self.refuse(EFBIG, sentence);
        }
        let written =
            self.with_file(handle, |file, _| file.write_all(bytes).map(|()| bytes.len() as u32));
        if written.is_none() {
            self.left.shrink(end.saturating_sub(length));
        }
        written
    }

    /// Up to `length` bytes; none at the end of the file.
    pub fn read(&mut self, handle: u32, length: u32) -> Option<Vec<u8>> {
        if self.is_console(handle)? == 1 {
            return self.read_console(length as usize);
        }
        let mut bytes = Vec::new();
        let result = match self.open.get_mut(&handle) {
            Some(Open::Features(text)) => text.take(length.into()).read_to_end(&mut bytes),
            Some(Open::File { file, .. }) => file.take(length.into()).read_to_end(&mut bytes),
            _ => return self.fail(EBADF),
        };
        match result {
            Ok(_) => Some(bytes),
            Err(_) => self.fail(EIO),
        }
    }

    fn read_console(&mut self, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        let result = match &mut self.stdin {
            Input::Given(given) => given.read(&mut bytes),
            Input::Standard => std::io::stdin().read(&mut bytes),
        };
        match result {
            Ok(count) => {
                bytes.truncate(count);
                Some(bytes)
            }
            Err(_) => self.fail(EIO),
        }
    }

    pub fn seek(&mut self, handle: u32, position: u32) -> Option<u32> {
        if let Some(Open::Features(text)) = self.open.get_mut(&handle) {
            text.set_position(position.into());
            return Some(0);
        }
        self.with_file(handle, |file, _| file.seek(SeekFrom::Start(position.into())).map(|_| 0))
    }

    pub fn length(&mut self, handle: u32) -> Option<u32> {
        if self.is_console(handle)? == 1 {
            return Some(0);
        }
        if let Some(Open::Features(text)) = self.open.get(&handle) {
            return Some(text.get_ref().len() as u32);
        }
        self.with_file(handle, |file, _| Ok(file.metadata()?.len() as u32))
    }

    fn with_file<T>(
        &mut self,
        handle: u32,
        action: impl FnOnce(&mut File, bool) -> std::io::Result<T>,
    ) -> Option<T> {
        let Some(Open::File { file, appends }) = self.open.get_mut(&handle) else {
            return self.fail(EBADF);
        };
        match action(file, *appends) {
            Ok(answer) => Some(answer),
            Err(error) if error.kind() == ErrorKind::StorageFull => {
                let sentence = "semihosting: the host's disk is full: writes fail".into();
                self.refuse(ENOSPC, sentence)
            }
            Err(_) => self.fail(EIO),
        }
    }

    /// Fails, and keeps a sentence for the host's user.
    fn refuse<T>(&mut self, errno: u32, sentence: String) -> Option<T> {
        self.refusal = Some(sentence);
        self.fail(errno)
    }

    fn fail<T>(&mut self, errno: u32) -> Option<T> {
        self.errno = errno;
        None
    }
}
