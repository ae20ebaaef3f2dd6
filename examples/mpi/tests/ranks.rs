//! The program in several ranks of this machine: its results, and what is left of a job that goes wrong.
//!
//! `RASTERSCAN_KILLS` is the number of jobs in which a rank dies at a random moment; 10 if it is not set.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Seconds that ranks wait for each other here, and the longest that a broken job may take beyond them: to ask (1 s), in
/// turns (2 s), and until `mpirun` has ended the others (Open MPI gives them 5 s).
const DEADLINE: u64 = 4;
const TO_END: Duration = Duration::from_secs(DEADLINE + 10);

/// A folder of a test. Tests take turns: they count processes.
struct Job {
    folder: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

impl Job {
    fn new(name: &str) -> Job {
        static TURNS: Mutex<()> = Mutex::new(());
        let turn = TURNS.lock().unwrap_or_else(|broken| broken.into_inner());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Job { folder, _turn: turn }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, words: &[u32]) {
        fs::write(self.path("in"), words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
            .unwrap();
    }

    /// The words of the result; `None` if there is none.
    fn result(&self) -> Option<Vec<u32>> {
        let bytes = fs::read(self.path("out")).ok()?;
        Some(bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
    }

    fn command(&self, ranks: usize, level: &str, arguments: &str, of_mpirun: &[&str]) -> Command {
        // A job that does not end is ended, and so fails.
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", "60", "mpirun", "-n", &ranks.to_string(), "--oversubscribe"]);
        command.args(of_mpirun).arg(env!("CARGO_BIN_EXE_rasterscan-mpi"));
        command.args(arguments.split_whitespace()).args(["--deadline", &DEADLINE.to_string()]);
        if !arguments.starts_with("scaling") {
            command.args(["--in", "in", "--out", "out"]);
        }
        command.current_dir(&self.folder).env("RASTERSCAN_API", level);
        // More ranks than cores, perhaps as root in a container.
        command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
        command.envs([("LP_NUM_THREADS", "1"), ("OMPI_MCA_mpi_yield_when_idle", "1")]);
        command.env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
        // Without it mpirun may wait for a lock in shared memory that a dead rank holds (PMIx 4.2).
        command.env("PMIX_MCA_gds", "hash");
        // hwloc looks for GPUs through X servers, and mpirun ends with one that does.
        command.env("HWLOC_COMPONENTS", "-gl");
        // Both ways of Open MPI: a chain, and doubling.
        command.env("OMPI_MCA_coll_libnbc_iexscan_algorithm", if ranks == 4 { "2" } else { "1" });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, ranks: usize, level: &str, arguments: &str) -> Output {
        self.command(ranks, level, arguments, &[]).output().expect("mpirun")
    }

    /// Checks that a job has failed as it should: with one of these lines, in time, with nothing left.
    fn assert_failed(&self, output: &Output, began: Instant, lines: &[&str]) {
        let said = said(output);
        assert!(!output.status.success(), "{said}");
        assert!(lines.iter().any(|line| said.contains(line)), "none of {lines:?}: {said}");
        assert!(began.elapsed() < TO_END, "{:?}: {said}", began.elapsed());
        // A rank whose mpirun has ended already ends by itself.
        while began.elapsed() < TO_END && !processes(&self.folder).is_empty() {
            sleep(Duration::from_millis(10));
        }
        self.assert_nothing_left();
        assert_eq!(self.result(), None, "{said}");
    }

    /// No process of this job, and no file but input and the unfinished output.
    fn assert_nothing_left(&self) {
        let left = processes(&self.folder);
        assert!(left.is_empty(), "processes are left: {left:?}");
        for entry in fs::read_dir(&self.folder).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(["in", "out", "out.part"].iter().any(|known| name == *known), "{name:?} is left");
        }
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// The ranks that work in a folder, by rank, each with its process.
fn processes(folder: &Path) -> Vec<(usize, u32)> {
    let of = |entry: fs::DirEntry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        let is_rank = fs::read_link(entry.path().join("cwd")).ok()? == fs::canonicalize(folder).ok()?;
        let environment = fs::read(entry.path().join("environ")).ok()?;
        let environment = String::from_utf8_lossy(&environment).into_owned();
        let rank = environment.split('\0').find_map(|set| set.strip_prefix("OMPI_COMM_WORLD_RANK="))?.parse();
        is_rank.then_some((rank.ok()?, process))
    };
    let mut found: Vec<_> = fs::read_dir("/proc").unwrap().flatten().filter_map(of).collect();
    found.sort_unstable();
    found
}

/// Waits for a rank of a job, and kills it after a while. The output of the job.
fn kill(job: &Job, mut child: Child, rank: usize, after: Duration) -> (Output, Instant) {
    while child.try_wait().unwrap().is_none() {
        if let Some((_, process)) = processes(&job.folder).into_iter().find(|(found, _)| *found == rank) {
            sleep(after);
            let _ = Command::new("sh").args(["-c", &format!("kill -KILL {process}")]).status();
            break;
        }
    }
    let began = Instant::now();
    (child.wait_with_output().unwrap(), began)
}

fn numbers(count: u32) -> Vec<u32> {
    (0..count).map(|i| (i + 1).wrapping_mul(2_654_435_761).rotate_left(i % 32)).collect()
}

#[test]
fn scans_are_those_of_the_reference() {
    let job = Job::new("scans");
    // Items of 1, 2 and 4 words, in pieces that no rank fills.
    let data = numbers(12_012);
    job.write(&data);
    for (ranks, level) in [(1, "gl"), (3, "gl"), (4, "gl"), (3, "gles3.0")] {
        for operator in ["add", "max", "affine", "matrix", "segmented"] {
            for kind in ["", "--exclusive yes"] {
                let output = job.run(
                    ranks,
                    level,
                    &format!("scan --operator {operator} {kind} --piece 1000 --verify yes"),
                );
                let said = said(&output);
                assert!(
                    output.status.success() && said.contains("verified: 12012 words"),
                    "{operator} {kind}: {said}"
                );
            }
        }
    }
    job.run(4, "gl", "scan");
    let sums: Vec<u32> = data
        .iter()
        .scan(0u32, |sum, word| {
            *sum = sum.wrapping_add(*word);
            Some(*sum)
        })
        .collect();
    assert_eq!(job.result(), Some(sums));
    job.assert_nothing_left();
}

/// Fewer elements than ranks, none, and more than a round exchanges; kept and sorted.
#[test]
fn compactions_and_sorts_are_right() {
    let job = Job::new("moves");
    let mut equal = vec![7; 3000];
    equal[1000..1100].fill(1 << 31);
    for data in [numbers(10_000), equal, numbers(3), Vec::new()] {
        job.write(&data);
        for (ranks, level) in [(4, "gl"), (2, "gles3.0")] {
            for (command, above) in
                [("compact --above 2147483647", 1u64 << 31), ("compact --above 6", 7), ("sort", 0)]
            {
                let mut expected = data.clone();
                expected.retain(|word| u64::from(*word) >= above);
                if command == "sort" {
                    expected.sort_unstable();
                }
                let output = job.run(ranks, level, &format!("{command} --message 300"));
                assert!(output.status.success(), "{command} of {}: {}", data.len(), said(&output));
                assert!(job.result() == Some(expected), "{command} of {} in {ranks} ranks", data.len());
            }
        }
    }
}

#[test]
fn the_scaling_is_a_table() {
    let output = Job::new("scaling").run(3, "gl", "scaling --items 2^14 --rounds 4");
    let said = said(&output);
    for row in
        ["| strong | 1 | 16384 |", "| strong | 3 | 16384 |", "| weak | 2 | 32768 |", "| weak | 3 | 49152 |"]
    {
        assert!(output.status.success() && said.contains(row), "{row}: {said}");
    }
}

/// Ranks that die at random moments. One that dies after all is written leaves the whole result.
#[test]
fn a_rank_that_dies_ends_the_job() {
    let job = Job::new("dies");
    job.write(&numbers(100_000));
    job.run(3, "gl", "scan");
    let whole = job.result().expect("a result");
    // Most moments are within the job, however fast the machine is; it is timed when its shaders are compiled.
    let began = Instant::now();
    job.run(3, "gl", "scan --piece 400");
    let moments = began.elapsed().mul_f64(0.9).as_micros() as u64;
    let kills = std::env::var("RASTERSCAN_KILLS").map_or(10, |kills| kills.parse().expect("a number"));
    let mut died = 0;
    for number in 0..kills {
        for name in ["out", "out.part"] {
            let _ = fs::remove_file(job.path(name));
        }
        let random = RandomState::new().hash_one(number);
        let (rank, after) = ((random % 3) as usize, Duration::from_micros(random / 3 % moments));
        let child = job.command(3, "gl", "scan --piece 400", &[]).spawn().expect("mpirun");
        let (output, began) = kill(&job, child, rank, after);
        if job.result().is_some() {
            assert!(job.result().as_ref() == Some(&whole), "rank {rank} after {after:?}");
            job.assert_nothing_left();
        } else {
            died += 1;
            // mpirun sees it, as a rule; if not, the ranks do. Before MPI has begun, mpirun may have no number of a rank.
            let [seen, missed] = [format!("process rank {rank} with"), format!("no answer from rank {rank}")];
            let unnamed = if job.path("out.part").exists() { &seen } else { "1 process returned" };
            job.assert_failed(&output, began, &[&seen, &missed, unnamed]);
        }
    }
    assert!(died * 2 >= kills, "{died} of {kills} died in time");
}

/// A rank that stops before a call of MPI: each kind of call, with the rank that stops there, and how many calls of it come
/// before. `stop.c` stands between the program and MPI.
#[test]
fn a_rank_that_stops_is_named() {
    let job = Job::new("stops");
    job.write(&numbers(10_000));
    let library = job.folder.with_extension("so");
    let mut compiler = Command::new("mpicc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library);
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stop.c");
    assert!(compiler.arg(source).status().expect("mpicc").success());
    for (command, call, nth, rank) in [
        ("scan", "MPI_Comm_split_type", 1, 1),
        ("scan", "MPI_File_read_at", 1, 2),
        ("scan", "MPI_Iexscan", 1, 0),
        ("scan", "MPI_File_write_at", 1, 1),
        ("compact --above 1", "MPI_Iallreduce", 1, 0),
        ("compact --above 1 --message 300", "MPI_Ialltoallv", 3, 1),
        ("sort", "MPI_Iallgather", 1, 2),
        ("sort", "MPI_Ialltoall", 1, 0),
        ("sort --message 300", "MPI_Ialltoallv", 1, 2),
        ("sort", "MPI_File_sync", 1, 0),
        ("sort", "MPI_Ibarrier", 2, 1),
        ("scaling --rounds 4", "MPI_Comm_split", 2, 0),
        ("scaling --rounds 4", "MPI_Iexscan", 1, 0),
        ("sort", "MPI_Finalize", 1, 1),
    ] {
        let mut mpirun = job.command(3, "gl", command, &["-x", &format!("LD_PRELOAD={}", library.display())]);
        mpirun.env("STOP_IN", call).env("STOP_AT", nth.to_string()).env("STOP_RANK", rank.to_string());
        let began = Instant::now();
        let output = mpirun.output().expect("mpirun");
        // MPI itself does not say which.
        let is_own = !["MPI_Comm_split_type", "MPI_Comm_split", "MPI_Finalize"].contains(&call);
        let named =
            if is_own { format!("no answer from rank {rank}") } else { "no answer from a rank".into() };
        // All was written before the end.
        assert_eq!(job.result().is_some(), call == "MPI_Finalize", "{command}, {call}: {}", said(&output));
        for name in ["out", "out.part"] {
            let _ = fs::remove_file(job.path(name));
        }
        println!("{command}, {call}");
        job.assert_failed(&output, began, &[&named]);
    }
}

/// Ranks of a host take its devices in turns.
#[test]
fn ranks_take_devices_in_turns() {
    let job = Job::new("devices");
    job.write(&numbers(1000));
    for (ranks, devices, rank) in [(3, "0,0,99", 2), (4, "0,0,0,99", 3), (3, "0,99", 1), (1, "99,0", 0)] {
        let began = Instant::now();
        let output = job.run(ranks, "gl", &format!("scan --devices {devices}"));
        job.assert_failed(
            &output,
            began,
            &[&format!("rank {rank}: no usable OpenGL: there is no device 99")],
        );
    }
    assert!(job.run(3, "gl", "scan --devices 0,0,0,99").status.success());
}

#[test]
fn a_full_disk_is_named() {
    let job = Job::new("full");
    job.write(&numbers(1000));
    for command in ["scan", "compact --above 1", "sort"] {
        // A device on which nothing has room.
        let _ = fs::remove_file(job.path("out.part"));
        std::os::unix::fs::symlink("/dev/full", job.path("out.part")).unwrap();
        let began = Instant::now();
        job.assert_failed(
            &job.run(3, "gl", command),
            began,
            &["out.part: cannot be written: MPI_ERR_IO: input/output error; No space left on device"],
        );
    }
}

#[test]
fn an_input_that_ends_early_is_named() {
    let job = Job::new("early");
    job.write(&numbers(1000));
    for command in ["scan", "compact --above 1", "sort"] {
        let began = Instant::now();
        let output = job.run(4, "gl", &format!("{command} --items 1300"));
        job.assert_failed(&output, began, &["rank 3: in: ends after 4000 bytes, 5200 expected"]);
    }
    let began = Instant::now();
    fs::write(job.path("in"), [0; 15]).unwrap();
    job.assert_failed(&job.run(2, "gl", "scan"), began, &["not a whole number of items"]);
}
