//! Scans, compacts and sorts files of u32 by MPI: each rank its share, on a GPU of its host. `README.md` says how it starts.

mod command;
mod file;
mod operators;
mod options;
mod ranks;
mod scaling;

use std::process::ExitCode;

use mpi::topology::{Communicator, SimpleCommunicator};
use options::Options;
use ranks::{Ranks, within};
use rasterscan::gl::DeviceChoice;
use rasterscan::{Gpu, HeadlessOptions};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            // One of the ranks says it: mpirun and srun tell each its number.
            if std::env::var("PMIX_RANK").map_or(true, |rank| rank == "0") {
                eprintln!("rasterscan-mpi: {error}");
            }
            return ExitCode::from(2);
        }
    };
    // Open MPI's own MPI-IO leaves files beside the input when a rank dies, for file pointers that nothing shares here; ROMIO,
    // which it has, too, does not.
    // SAFETY: there is no other thread yet.
    unsafe { std::env::set_var("OMPI_MCA_io", "^ompio") };
    let start = || {
        let universe = mpi::initialize()?;
        let world = universe.world();
        let on_host = world.split_shared(world.rank()).rank() as usize;
        Some((universe, on_host))
    };
    let Some((universe, on_host)) = within(options.deadline, "the start of MPI", start) else {
        return ExitCode::FAILURE;
    };
    let ranks = Ranks::new(universe.world(), on_host, options.deadline, options.message as usize);
    // A panic would finalise MPI, and wait for the others there.
    std::panic::set_hook(Box::new(|panic| ranks::abort(&SimpleCommunicator::world(), &panic.to_string())));
    let done = match &options.command[..] {
        "scaling" => scaling::scaling(&options, &ranks),
        _ => command::run(&options, &ranks),
    };
    if let Err(error) = done {
        ranks.abort(&error.to_string());
    }
    ranks.barrier();
    drop(ranks);
    within(options.deadline, "the end of MPI", || drop(universe));
    ExitCode::SUCCESS
}

/// A GPU of the host for each rank there, in turns; or that of RASTERSCAN_DEVICE.
fn gpu(options: &Options, ranks: &Ranks) -> Result<Gpu> {
    let with = |index: usize| -> Result<Gpu> {
        let device = DeviceChoice::Index(index);
        Ok(Gpu::headless_with(&HeadlessOptions { device, ..HeadlessOptions::from_env()? })?)
    };
    let mut devices = options.devices.clone();
    if devices.is_empty() && std::env::var_os("RASTERSCAN_DEVICE").is_none() {
        let hardware = |index: &usize| with(*index).is_ok_and(|gpu| !gpu.device().software);
        devices = (0..Gpu::device_count()?).filter(hardware).collect();
    }
    match devices.len() {
        0 => Ok(Gpu::headless_with(&HeadlessOptions::from_env()?)?),
        count => with(devices[ranks.on_host % count]),
    }
}
