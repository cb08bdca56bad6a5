//! The server: one port, one client at a time.

use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::thread::sleep;
use std::time::Duration;

use cyclescope_engine::board::{Request, Stop};
use cyclescope_engine::error::{Error, Result};
use gdbstub::common::Signal;
use gdbstub::conn::Connection;
use gdbstub::stub::state_machine::GdbStubStateMachine as State;
use gdbstub::stub::{DisconnectReason, GdbStub, GdbStubError, MultiThreadStopReason};

use crate::connection::Wire;
use crate::debuggee::Debuggee;
use crate::host::Host;

/// Between two looks at the host while gdb is waited for.
pub const PAUSE: Duration = Duration::from_millis(50);

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// gdb has let the board go: it is to run on.
    Detached,
    /// The run has come to its end, or gdb has ended it.
    Stopped(Stop),
}

/// A port that gdb can connect to.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
}

impl Server {
    /// Listens at this address; port 0 takes a free one.
    ///
    /// # Errors
    /// A sentence when it cannot be listened at.
    pub fn bind(host: &str, port: u16) -> Result<Server> {
        let listen = || -> io::Result<TcpListener> {
            let address = (host, port).to_socket_addrs()?.next().ok_or(ErrorKind::NotFound)?;
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok(listener)
        };
        let listener = listen().map_err(|why| {
            let hint = match why.kind() {
                ErrorKind::AddrInUse => "another program has that port: choose another one",
                _ => "choose another address",
            };
            Error(format!("gdb cannot be waited for at {host}:{port} ({why}): {hint}."))
        })?;
        Ok(Server { listener })
    }

    /// The port.
    ///
    /// # Errors
    /// As of the system.
    pub fn port(&self) -> Result<u16> {
        let address = self.listener.local_addr();
        address.map(|address| address.port()).map_err(|why| Error(format!("No port: {why}.")))
    }

    /// Serves clients one after the other until one ends or leaves the run, or it comes to its end as
    /// `until` says. The board must have been reset. When a client vanishes, the board waits for another.
    ///
    /// # Errors
    /// The host's own, and a sentence when gdb has no such core.
    pub fn serve<H: Host>(
        &self,
        host: &mut H,
        until: &Request,
    ) -> std::result::Result<Ended, H::Error> {
        loop {
            let stream = self.accept(host)?;
            let mut debuggee = Debuggee::new(host, until)?;
            match session(&mut debuggee, stream) {
                Ok(ended) => return Ok(ended),
                Err(Broken::Host(error)) => return Err(error),
                Err(Broken::Vanished(why)) => {
                    let cycle = host.with_board(|board| board.cycle());
                    host.say(&format!(
                        "gdb is gone ({why}); the board stands at cycle {cycle} and waits for another gdb."
                    ))?;
                }
            }
        }
    }

    fn accept<H: Host>(&self, host: &mut H) -> std::result::Result<TcpStream, H::Error> {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => return Ok(stream),
                Err(_) => {
                    host.exchange()?;
                    sleep(PAUSE);
                }
            }
        }
    }
}

/// Why a session cannot go on.
enum Broken<E> {
    /// The host's own error.
    Host(E),
    /// The client is gone, and why.
    Vanished(String),
}

impl<E> From<GdbStubError<E, io::Error>> for Broken<E> {
    fn from(error: GdbStubError<E, io::Error>) -> Self {
        if !error.is_connection_error() {
            let unknown = || Broken::Vanished("it does not speak gdb's protocol".into());
            return error.into_target_error().map_or_else(unknown, Broken::Host);
        }
        let why = error.into_connection_error().map(|(why, _)| why);
        why.map_or_else(|| Broken::Vanished(String::new()), Broken::from)
    }
}

impl<E> From<io::Error> for Broken<E> {
    fn from(why: io::Error) -> Self {
        Broken::Vanished(match why.kind() {
            ErrorKind::UnexpectedEof => "it closed the connection".into(),
            _ => why.to_string(),
        })
    }
}

/// Serves one client, from its first byte to its last.
fn session<H: Host>(
    debuggee: &mut Debuggee<'_, H>,
    stream: TcpStream,
) -> std::result::Result<Ended, Broken<H::Error>> {
    let wire = Wire::new(stream, PAUSE)?;
    let mut machine = GdbStub::new(wire).run_state_machine(debuggee)?;
    loop {
        machine = match machine {
            State::Idle(mut idle) => {
                idle.borrow_conn().flush()?;
                match idle.borrow_conn().next(true)? {
                    Some(byte) => idle.incoming_data(debuggee, byte)?,
                    None => {
                        debuggee.host.exchange().map_err(Broken::Host)?;
                        idle.into()
                    }
                }
            }
            State::Running(mut running) => {
                running.borrow_conn().flush()?;
                match running.borrow_conn().next(false)? {
                    Some(byte) => running.incoming_data(debuggee, byte)?,
                    None => match debuggee.advance().map_err(Broken::Host)? {
                        Some(reason) => running.report_stop(debuggee, reason)?,
                        None => running.into(),
                    },
                }
            }
            State::CtrlCInterrupt(interrupt) => {
                let tid = debuggee.running().map_err(Broken::Host)?;
                let signal = Signal::SIGINT;
                let reason = MultiThreadStopReason::SignalWithThread { tid, signal };
                interrupt.interrupt_handled(debuggee, Some(reason))?
            }
            State::Disconnected(disconnected) => {
                return Ok(match (debuggee.ended.take(), disconnected.get_reason()) {
                    (Some(stop), _) => Ended::Stopped(stop),
                    (None, DisconnectReason::Kill) => {
                        Ended::Stopped(debuggee.host.with_board(|board| board.end_by_debugger()))
                    }
                    (None, _) => Ended::Detached,
                })
            }
        };
    }
}
