//! The trial of compute shaders and the checks of `auto`: what is found out about a driver, and kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rasterscan::operator::Definition;
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::{self, Choice};
use rasterscan::{
    CompactSpec, ElementType, Error, Gpu, Operator, ReduceSpec, ScanSpec,
    gl::{AutoChecks, ProgramCache},
    scan,
    tools::{Numbers, Request, Task, auto},
};

use super::numbers;

/// Keeps answers, and no programs.
#[derive(Debug, Default, Clone)]
struct Answers(Rc<RefCell<BTreeMap<String, Vec<u8>>>>);

impl ProgramCache for Answers {
    fn find(&self, name: &str) -> Option<Vec<u8>> {
        self.0.borrow().get(name).cloned()
    }

    fn keep(&self, name: &str, bytes: &[u8]) {
        if bytes.starts_with(b"rsanswer/") {
            self.0.borrow_mut().insert(name.into(), bytes.to_vec());
        }
    }
}

impl Answers {
    fn names(&self) -> Vec<String> {
        self.0.borrow().keys().cloned().collect()
    }

    /// Changes the last byte of those that are not among these.
    fn answer_all_but(&self, names: &[String], answer: u8) {
        let mut answers = self.0.borrow_mut();
        let others = answers.iter_mut().filter(|(name, _)| !names.contains(name));
        others.for_each(|(_, bytes)| *bytes.last_mut().unwrap() = answer);
    }

    fn gpu(&self) -> Gpu {
        let gpu = Gpu::headless().unwrap();
        gpu.set_program_cache(self.clone()).unwrap();
        gpu
    }
}

fn prepares(gpu: &Gpu, algorithm: &str) -> Result<(), Error> {
    let choice = Choice::parse(SCAN, algorithm).unwrap();
    gpu.prepare(&choice.plan(&ScanSpec::new::<u32>(5000), gpu.device())?.unwrap()).map(drop)
}

fn a_failed_trial_withdraws_what_relies_on_it() {
    let answers = Answers::default();
    let gpu = answers.gpu();
    prepares(&gpu, "packed").unwrap();
    assert!(answers.names().is_empty(), "who only draws is not tried");
    if gpu.device().compute.is_none() {
        println!("not applicable: no compute shaders");
        return;
    }
    prepares(&gpu, "harris:variant=work_efficient").unwrap();
    let shared = answers.names();
    assert_eq!(shared.len(), 1);
    prepares(&gpu, "harris").unwrap();
    let without_chains = answers.names();
    assert_eq!(without_chains.len(), 2, "padded shared memory");
    assert!(answers.0.borrow().values().all(|bytes| bytes == b"rsanswer/1\x01"), "this driver is right");
    drop(gpu);

    answers.answer_all_but(&shared, 0);
    let gpu = answers.gpu();
    prepares(&gpu, "harris:variant=work_efficient").unwrap();
    for variant in ["padded", "zero_conflict"] {
        let error = prepares(&gpu, &format!("harris:variant={variant}")).unwrap_err();
        let says = "this driver computes padded shared memory wrongly";
        assert!(matches!(&error, Error::Unsupported(why) if why.reason.contains(says)), "{error}");
    }
    for algorithm in ["sam", "look_back", "chained"] {
        prepares(&gpu, algorithm).unwrap();
    }
    assert_eq!(answers.names().len(), 3, "chains of tiles");
    drop(gpu);

    answers.answer_all_but(&without_chains, 0);
    let gpu = answers.gpu();
    for algorithm in ["sam", "look_back", "chained"] {
        let error = prepares(&gpu, algorithm).unwrap_err();
        assert!(error.to_string().contains("chains of tiles wrongly"), "{algorithm}: {error}");
    }
    prepares(&gpu, "reduce_then_scan").unwrap();
    // Damaged answers are asked again.
    answers.0.borrow_mut().values_mut().for_each(|bytes| *bytes.last_mut().unwrap() = 7);
    let gpu = answers.gpu();
    for algorithm in ["sam", "harris"] {
        prepares(&gpu, algorithm).unwrap();
    }
}

fn auto_keeps_what_it_has_checked() {
    let answers = Answers::default();
    let data = numbers(5000);
    let spec = ScanSpec::new::<u32>(data.len());
    let (request, expected) = (Request::from(&spec), scan::sequential(&spec, &data).unwrap());
    let choose =
        |gpu: &Gpu| auto::choose(gpu, &request, None, || panic!("checked again")).unwrap().choice.to_string();
    let gpu = answers.gpu();
    assert!(gpu.device().is_known());
    gpu.scan(&data).unwrap();
    let tried = answers.names();
    gpu.set_auto_checks(AutoChecks::Always);
    assert_eq!(gpu.scan(&data).unwrap(), expected);
    assert_eq!(answers.names().len(), tried.len() + 1, "one check");
    let first = choose(&gpu);
    assert_eq!(first, registry::auto(&request, gpu.device()).unwrap().choice.to_string());
    let gpu = answers.gpu();
    gpu.set_auto_checks(AutoChecks::Always);
    assert_eq!(choose(&gpu), first);
    // A plan that was made is taken as it is.
    let mut made = registry::auto(&request, gpu.device()).unwrap();
    made.plan = made.plan.map(|plan| plan.task("made before"));
    let chosen = auto::choose(&gpu, &request, Some(made.clone()), || panic!("checked again")).unwrap();
    assert_eq!(chosen.plan, made.plan);
    // Another length is another question; a wrong answer leads to another algorithm.
    assert_eq!(gpu.scan(&data[..1000]).unwrap(), expected[..1000]);
    answers.answer_all_but(&tried, 0);
    let gpu = answers.gpu();
    gpu.set_auto_checks(AutoChecks::Always);
    assert_eq!(gpu.scan(&data).unwrap(), expected);
    assert_ne!(choose(&gpu), first);
    gpu.set_auto_checks(AutoChecks::Never);
    assert_eq!(choose(&gpu), first);
}

/// An operator whose text and twin differ makes every algorithm wrong; one without a twin is compared between two.
fn auto_checks_operators_of_the_callers() {
    let gpu = rasterscan_runner::gpu();
    gpu.set_auto_checks(AutoChecks::Always);
    let data = numbers(3000);
    let text = "Item combine(Item left, Item right) { return max(left, right); }";
    let own = |name: &'static str| Definition::new(name, text).identity(ElementType::U32, &[0]);
    let choose = |definition: Definition| {
        let spec = ScanSpec::new::<u32>(data.len()).operator(Operator::new(definition).unwrap());
        let request = Request::from(&spec);
        let task = || Task::new(&request, [Numbers::of(&data)]);
        let auto = registry::auto(&request, gpu.device()).unwrap().choice.to_string();
        (auto::choose(&gpu, &request, None, task).unwrap().choice.to_string(), auto)
    };
    let (chosen, auto) = choose(own("no_twin"));
    assert_eq!(chosen, auto);
    let (chosen, auto) =
        choose(own("a_twin").twin(|_, left, right, result| result[0] = left[0].max(right[0])));
    assert_eq!(chosen, auto);
    let (chosen, _) =
        choose(own("another_twin").twin(|_, left, right, result| result[0] = left[0] | right[0]));
    assert_eq!(chosen, "sequential");
}

/// A request is prepared before its numbers are there: the check has numbers of its own, which suit every input.
fn auto_prepares_and_checks_every_kind_of_request() {
    let gpu = rasterscan_runner::gpu();
    gpu.set_auto_checks(AutoChecks::Always);
    let (scan, compact) = (ScanSpec::new::<u32>(700), CompactSpec::new::<f32>(700));
    let requests: Vec<Request> = vec![
        (&scan.operator(Operator::AFFINE).reversed()).into(),
        (&scan.segmented()).into(),
        (&scan.segmented_by_offsets(90)).into(),
        (&scan.tuple(7).with_seed().with_total()).into(),
        (&scan.order(3).columns(35)).into(),
        (&scan.with_len(0)).into(),
        (&compact.masked()).into(),
        (&compact.with_gpu_length()).into(),
        (&ReduceSpec::new::<i64>(700).with_gpu_length()).into(),
    ];
    for request in requests {
        match gpu.prepare_auto(request.clone()) {
            Ok(prepared) => assert_eq!(prepared.plan().inputs().len(), request.inputs().len(), "{request}"),
            Err(error) => assert!(matches!(error, Error::Unsupported(_)), "{request}: {error}"),
        }
    }
    let mut scan = gpu.prepare_auto(&scan.exclusive().with_len(4)).unwrap();
    let input = scan.upload(&[3u32, 1, 7, 0]).unwrap();
    assert_eq!(scan.run(&input).unwrap().read::<u32>().unwrap(), [0, 3, 4, 11]);
}

crate::tests![
    auto_prepares_and_checks_every_kind_of_request,
    a_failed_trial_withdraws_what_relies_on_it,
    auto_keeps_what_it_has_checked,
    auto_checks_operators_of_the_callers,
];
