//! Work that keeps a device busy while other runs are compared with each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use rasterscan_lab::measure::Yardstick;

use crate::device::DeviceOptions;

/// Work in threads of its own, which ends when this is dropped.
pub struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Copies in a context of its own; `None` if there is none.
    pub fn copies(device: &DeviceOptions) -> Option<Load> {
        let stop = Arc::new(AtomicBool::new(false));
        let (device, ends, (begun, begins)) = (device.clone(), stop.clone(), mpsc::channel());
        let copies = thread::spawn(move || {
            let Ok(gpu) = device.open_untuned() else { return };
            let Ok(mut yardstick) = Yardstick::new(&gpu) else { return };
            let _ = begun.send(());
            while !ends.load(Ordering::Relaxed) && yardstick.read().is_ok() {}
        });
        let load = Load { threads: vec![copies], stop };
        begins.recv().is_ok().then_some(load)
    }

    /// A loop on each core: two contexts of a software renderer that draw at once may crash.
    pub fn loops() -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let spins = |_| {
            let stop = stop.clone();
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        };
        let cores = thread::available_parallelism().map_or(1, Into::into);
        Load { threads: (0..cores).map(spins).collect(), stop }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_core_loops_until_the_load_is_dropped() {
        let load = Load::loops();
        let cores = thread::available_parallelism().unwrap().get();
        let stop = load.stop.clone();
        assert_eq!(Arc::strong_count(&stop), 2 + cores);
        drop(load);
        assert_eq!(Arc::strong_count(&stop), 1);
    }
}
