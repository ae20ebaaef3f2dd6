//! The dependencies follow deny.toml: licences, sources, and duplicate versions. The library has few, and those between
//! the members of the workspace are the arrows of ARCHITECTURE.md.
//!
//! cargo-deny, which checks the first sentence too, is 211 packages to build, and merely warns of exceptions and duplicates
//! that are gone. `./run test --all` asks it for known vulnerabilities where it is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use rasterscan_runner::documents::text;
use serde::Deserialize;
use spdx::{Expression, ParseMode};

/// The parts of deny.toml that are checked here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    skip: Vec<Older>,
}

/// An older version beside a newer one: `name@version`.
#[derive(Deserialize)]
struct Older {
    #[serde(rename = "crate")]
    version: String,
    reason: String,
}

fn rules() -> Rules {
    toml::from_str(include_str!("../deny.toml")).expect("deny.toml")
}

/// All dependencies, of every feature and every system. Cargo downloads missing ones.
fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .features(cargo_metadata::CargoOpt::AllFeatures)
        .other_options(vec!["--locked".into()])
        .exec()
        .expect("cargo metadata")
}

/// Returns true if one of these licences is enough for a package.
fn is_licensed(package: &Package, allowed: &[String]) -> bool {
    let Some(text) = &package.license else { return false };
    let expression = Expression::parse_mode(text, ParseMode::LAX).expect("a licence expression");
    expression.evaluate(|asked| allowed.contains(&asked.to_string()))
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let (rules, metadata) = (rules(), metadata());
    assert!(metadata.packages.len() > 100, "{} packages", metadata.packages.len());
    let mut excepted = BTreeSet::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        if is_licensed(package, &rules.licenses.allow) {
            continue;
        }
        let exception = rules.licenses.exceptions.iter().find(|exception| exception.name == name);
        assert!(
            exception.is_some_and(|exception| is_licensed(package, &exception.allow)),
            "{name} {} is licensed as {:?}, which deny.toml does not allow",
            package.version,
            package.license
        );
        excepted.insert(name);
    }
    for exception in &rules.licenses.exceptions {
        assert!(
            excepted.contains(exception.name.as_str()),
            "deny.toml: {} needs no exception",
            exception.name
        );
    }
}

#[test]
fn every_dependency_comes_from_the_registry_in_a_version_that_is_named() {
    let metadata = metadata();
    for package in &metadata.packages {
        match &package.source {
            None => {
                assert!(metadata.workspace_members.contains(&package.id), "{} is not a member", package.name)
            }
            Some(source) => assert!(source.is_crates_io(), "{} comes from {source}", package.name),
        }
    }
    for member in metadata.workspace_packages() {
        for needed in member.dependencies.iter().filter(|needed| needed.path.is_none()) {
            assert!(needed.req.to_string() != "*", "{} takes any version of {}", member.name, needed.name);
        }
    }
}

#[test]
fn no_dependency_is_there_twice_unless_deny_toml_says_why() {
    let rules = rules();
    let mut versions: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for package in metadata().packages {
        versions.entry(package.name.to_string()).or_default().push(package.version);
    }
    let mut older = BTreeSet::new();
    for (name, versions) in &mut versions {
        versions.sort();
        versions.pop();
        older.extend(versions.iter().map(|version| format!("{name}@{version}")));
    }
    let skipped: BTreeSet<String> = rules.bans.skip.iter().map(|skip| skip.version.clone()).collect();
    let unknown: Vec<_> = older.difference(&skipped).collect();
    assert!(unknown.is_empty(), "duplicates that deny.toml does not list: {unknown:?}");
    let gone: Vec<_> = skipped.difference(&older).collect();
    assert!(gone.is_empty(), "deny.toml skips packages without duplicates: {gone:?}");
    assert!(
        rules.bans.skip.iter().all(|skip| !skip.reason.is_empty()),
        "an entry of deny.toml has no reason"
    );
}

/// All packages that the library needs on this system with these features.
fn needed(features: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--package", "rasterscan", "--edges", "normal", "--prefix", "none"])
        .args(["--format", "{p}", "--features", features])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo tree");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("text");
    let names = tree.lines().filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty());
    names.filter(|name| *name != "rasterscan").map(str::to_owned).collect()
}

/// The crates of the program, each with its version and features.
fn of_the_program(form: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--package", "rasterscan-cli", "--edges", "normal", "--prefix", "none"])
        .args(["--format", "{p} {f}"])
        .args(form)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo tree");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("text");
    let crates = tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end());
    crates
        .filter(|line| !line.is_empty() && !line.starts_with("rasterscan-cli "))
        .map(str::to_owned)
        .collect()
}

/// Otherwise the first `./run app` after `./run demo` would compile crates again, and all that use them.
#[test]
fn the_window_changes_no_crate_that_the_program_without_it_has() {
    let (with, without) = (of_the_program(&[]), of_the_program(&["--no-default-features"]));
    assert!(without.len() > 50 && without.len() + 50 < with.len(), "{} of {}", without.len(), with.len());
    let changed: Vec<_> = without.difference(&with).collect();
    let advice = "name the missing features in crates/cli/Cargo.toml";
    assert!(changed.is_empty() || !cfg!(target_os = "linux"), "{advice}: {changed:#?}");
    assert!(!without.iter().any(|line| line.starts_with("egui")), "{without:#?}");
}

#[test]
fn the_library_has_few_dependencies() {
    for (features, most) in [("", 12), ("headless", 20)] {
        let needed = needed(features);
        println!("rasterscan with features '{features}': {} dependencies", needed.len());
        assert!(needed.len() <= most, "features '{features}': {needed:?}");
        assert!(needed.contains("glow"), "features '{features}': {needed:?}: the search is broken");
    }
    let readme = text("README.md").replace('\n', " ");
    let sentence = format!(
        "The library has {} dependencies in all without features, and {} with `headless`.",
        needed("").len(),
        needed("headless").len()
    );
    assert!(!cfg!(target_os = "linux") || readme.contains(&sentence), "README.md should say: {sentence}");
}

/// The least version of Rust that `Cargo.toml` names. That the library's own code needs no newer one, clippy says
/// (`incompatible_msrv`), and the workflow by compiling it.
#[test]
fn no_dependency_of_the_library_needs_a_newer_rust() {
    let metadata = metadata();
    let library = metadata.root_package().expect("the library is the root");
    let least = library.rust_version.clone().expect("rust-version in Cargo.toml");
    let nodes = &metadata.resolve.as_ref().expect("resolved").nodes;
    let (mut wanted, mut seen) = (vec![&library.id], BTreeSet::new());
    while let Some(id) = wanted.pop() {
        let node = nodes.iter().find(|node| node.id == *id).expect("a node for each package");
        let needed = node
            .deps
            .iter()
            .filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind != DependencyKind::Development))
            .map(|dep| &dep.pkg);
        wanted.extend(needed.filter(|id| seen.insert((*id).clone())));
    }
    assert!(seen.len() > 20, "only {} dependencies: the search is broken", seen.len());
    let newer: Vec<String> = metadata
        .packages
        .iter()
        .filter(|package| seen.contains(&package.id))
        .filter(|package| package.rust_version.as_ref().is_some_and(|version| *version > least))
        .map(|package| format!("{} needs {}", package.name, package.rust_version.as_ref().unwrap()))
        .collect();
    assert!(newer.is_empty(), "the library promises Rust {least}: {newer:?}");
}

/// A member's short name, which is that of its folder; the hosts share a row.
fn short(name: &str) -> &str {
    if name.starts_with("rasterscan-host-") {
        return "hosts";
    }
    name.strip_prefix("rasterscan-").unwrap_or("the library")
}

#[test]
fn between_members_are_the_arrows_of_the_architecture() {
    let architecture = text("ARCHITECTURE.md");
    let rows = architecture.lines().skip_while(|line| !line.starts_with("| member | uses |")).skip(2);
    let rows: BTreeMap<String, BTreeSet<String>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let line = line.replace(['`', '/'], "").replace("crates", "").replace("examples", "");
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let uses = cells[1].split(", ").filter(|name| *name != "none").map(str::to_owned);
            (cells[0].to_owned(), uses.collect())
        })
        .collect();
    let metadata = metadata();
    let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in metadata.workspace_packages() {
        let normal = package.dependencies.iter().filter(|needed| needed.kind == DependencyKind::Normal);
        let uses = normal.filter(|needed| needed.path.is_some()).map(|needed| short(&needed.name).to_owned());
        members.entry(short(&package.name).to_owned()).or_default().extend(uses);
    }
    assert_eq!(rows, members, "the table in ARCHITECTURE.md, and the dependencies in Cargo.toml");
}
