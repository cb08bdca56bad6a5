//! The wire to gdb: answers leave whole, and what arrives is read in pieces.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use gdbstub::conn::Connection;

/// A client's connection.
#[derive(Debug)]
pub struct Wire {
    stream: TcpStream,
    answer: Vec<u8>,
    arrived: Vec<u8>,
    taken: usize,
    waits: bool,
}

/// Most bytes read at once.
const PIECE_BYTES: usize = 4096;

impl Wire {
    /// A wire whose waiting reads end after `patience`.
    ///
    /// # Errors
    /// As of the system.
    pub fn new(stream: TcpStream, patience: Duration) -> io::Result<Wire> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(patience))?;
        Ok(Wire { stream, answer: Vec::new(), arrived: Vec::new(), taken: 0, waits: true })
    }

    /// The next byte. Without one, waits for it as long as the wire's patience, if `wait`.
    ///
    /// # Errors
    /// As of the system, and when the client has closed the connection.
    pub fn next(&mut self, wait: bool) -> io::Result<Option<u8>> {
        if self.taken == self.arrived.len() && !self.read(wait)? {
            return Ok(None);
        }
        self.taken += 1;
        Ok(Some(self.arrived[self.taken - 1]))
    }

    fn read(&mut self, wait: bool) -> io::Result<bool> {
        if wait != self.waits {
            self.stream.set_nonblocking(!wait)?;
            self.waits = wait;
        }
        self.arrived.resize(PIECE_BYTES, 0);
        let read = self.stream.read(&mut self.arrived);
        self.arrived.truncate(*read.as_ref().unwrap_or(&0));
        self.taken = 0;
        match read {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) => Ok(true),
            Err(why) if is_patience(why.kind()) => Ok(false),
            Err(why) => Err(why),
        }
    }
}

fn is_patience(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Connection for Wire {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.answer.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.answer.is_empty() {
            return Ok(());
        }
        if !self.waits {
            self.stream.set_nonblocking(false)?;
            self.waits = true;
        }
        let answer = std::mem::take(&mut self.answer);
        Write::write_all(&mut self.stream, &answer)
    }
}
