//! Copies of memory by several threads. One thread moves some 5 GB/s on a server, where the bus moves 50; and where the
//! memory is new, it waits for the system to give it each page.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The most threads, and the bytes of a transfer from which on there are several.
const MOST: usize = 8;
const SHARED: usize = 2 << 20;

/// Threads that copy, for the time of a transfer.
pub struct Crew {
    jobs: Vec<Sender<Piece>>,
    done: Receiver<()>,
}

/// Bytes to copy.
struct Piece {
    from: *const u8,
    to: *mut u8,
    bytes: usize,
}

// SAFETY: `Crew::copy` sends it, and waits until it is copied; by its contract nothing else touches the memory.
unsafe impl Send for Piece {}

impl Crew {
    /// Runs `transfer`, of so many bytes, with a crew for it.
    pub fn with<R>(bytes: usize, transfer: impl FnOnce(&Crew) -> R) -> R {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // On one core there is nothing to share.
        let threads = if bytes < SHARED || cores == 1 { 0 } else { cores.min(MOST) };
        let (copied, done) = channel();
        thread::scope(|scope| {
            let jobs = (0..threads).map(|_| {
                let (job, parts) = channel::<Piece>();
                let copied = copied.clone();
                scope.spawn(move || {
                    for Piece { from, to, bytes } in parts {
                        // SAFETY: by the promise of `copy`, which waits for this.
                        unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
                        // The receiver is gone if the transfer has failed.
                        let _ = copied.send(());
                    }
                });
                job
            });
            let crew = Crew { jobs: jobs.collect(), done };
            transfer(&crew)
        })
    }

    /// Copies bytes.
    ///
    /// # Safety
    ///
    /// Both ranges must be valid, must not overlap, and must not be touched meanwhile.
    pub unsafe fn copy(&self, from: *const u8, to: *mut u8, bytes: usize) {
        let part = bytes.div_ceil(self.jobs.len().max(1)).next_multiple_of(4096).clamp(1, bytes.max(1));
        let mut sent = 0;
        for (number, start) in (0..bytes).step_by(part).enumerate() {
            let len = part.min(bytes - start);
            // SAFETY: the range lies in that of the caller.
            let part = unsafe { Piece { from: from.add(start), to: to.add(start), bytes: len } };
            match self.jobs.get(number) {
                Some(job) if job.send(part).is_ok() => sent += 1,
                // SAFETY: by the caller's promise.
                _ => unsafe { std::ptr::copy_nonoverlapping(from.add(start), to.add(start), len) },
            }
        }
        // A thread that copies does not end before its crew.
        for _ in 0..sent {
            let _ = self.done.recv();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_copied_once() {
        for bytes in [0, 1, 4095, 4097, SHARED, SHARED + 1, 5 * SHARED + 12_345] {
            let from: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
            let mut to = vec![255; bytes + 1];
            // SAFETY: two allocations of ours.
            Crew::with(bytes, |crew| unsafe { crew.copy(from.as_ptr(), to.as_mut_ptr(), bytes) });
            assert!(to[..bytes] == from && to[bytes] == 255, "{bytes} bytes");
        }
    }

    #[test]
    fn a_crew_copies_piece_after_piece() {
        let from: Vec<u8> = (0..SHARED).map(|i| (i % 253) as u8).collect();
        let mut to = vec![0; SHARED];
        Crew::with(SHARED, |crew| {
            for start in (0..SHARED).step_by(100_000) {
                let bytes = 100_000.min(SHARED - start);
                // SAFETY: two allocations of ours, of which these are parts.
                unsafe { crew.copy(from.as_ptr().add(start), to.as_mut_ptr().add(start), bytes) };
            }
        });
        assert!(to == from);
    }
}
