//! Reception: characters come in, are read, and time out.

use super::*;

impl Uart {
    pub(super) fn receive(&mut self, value: u32, port: &mut Port) {
        if !self.rxd_selected {
            port.unmodelled("a byte received while PINSEL does not select RXD: it was lost");
            return;
        }
        let character = Character { data: self.line().word(value), errors: (value >> 8 & 7) << 2 };
        self.received.push(character, self.depth());
        self.restart_time_out(port);
    }

    pub(super) fn read_received(&mut self, port: &mut Port) -> u32 {
        let data = self.received.pop();
        self.restart_time_out(port);
        data.into()
    }

    /// The FIFO was used: the character time-out begins anew if something waits below the trigger.
    pub(super) fn restart_time_out(&mut self, port: &mut Port) {
        self.timed_out = false;
        let (waiting, trigger) = (self.received.len(), self.trigger());
        let at = (waiting > 0 && waiting < trigger).then(|| {
            let rclk = (self.line().word_length() * 7 - 2) * 8 + (trigger - waiting) as u64 * 8 + 1;
            self.line().after(port.now(), rclk)
        });
        self.set_due(TIME_OUT, at, port);
    }

    pub(super) fn clear_receive_fifo(&mut self, port: &mut Port) {
        self.received.clear();
        self.restart_time_out(port);
    }
}
