//! The document of a device's tuning, kept for later runs on it, keyed by renderer, driver and version.
//!
//! It is only a cache: only speed depends on it. A caller with files keeps it under the name [`file_name`].

use serde::{Deserialize, Serialize};

use rasterscan::Device;
use rasterscan::tools::problem;
use rasterscan::tools::registry::{self, Choice};
use rasterscan::tuning::{Best, Shape, Subject, Tuned, Tuning};

use crate::document::Form;

/// The schema of the files of this version; the number counts the forms that older programs cannot read.
const SCHEMA: &str = "rasterscan.tuning";
const FORM: u32 = 2;

/// The key of a tuning. Another driver compiles shaders differently, and another version has other shaders.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    renderer: String,
    /// `GL_VERSION`, the driver's own version and the API included.
    driver: String,
    program: String,
}

impl Key {
    fn of(device: &Device) -> Key {
        Key {
            renderer: device.renderer.clone(),
            driver: device.driver.clone(),
            program: env!("CARGO_PKG_VERSION").into(),
        }
    }

    fn file_name(&self) -> String {
        const LONGEST: usize = 40;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = self.renderer.chars().map(plain).collect();
        let words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
        let name: String = words.join("-").chars().take(LONGEST).collect();
        // The byte between two words occurs in no text.
        let words = [&self.renderer, &self.driver, &self.program];
        let number = fnv(words.into_iter().flat_map(|word| word.bytes().chain([0xFF])));
        format!("tuning-{}-{number:016x}.json", name.trim_end_matches('-'))
    }
}

/// The file name of a device: its renderer's name for people, and a hash of renderer, driver and version.
pub fn file_name(device: &Device) -> String {
    Key::of(device).file_name()
}

/// The hash FNV-1a, which is the same in every build.
fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The document of a tuning.
#[derive(Debug, Serialize, Deserialize)]
pub struct TuningDocument {
    schema: String,
    #[serde(flatten)]
    key: Key,
    ranges: Vec<TuningRow>,
}

impl TuningDocument {
    /// The tuning of a device.
    pub fn new(device: &Device, tuning: &Tuning) -> TuningDocument {
        TuningDocument {
            schema: format!("{SCHEMA}/{FORM}"),
            key: Key::of(device),
            ranges: tuning.ranges.iter().map(TuningRow::of).collect(),
        }
    }
}

/// A range of sizes.
#[derive(Debug, Serialize, Deserialize)]
struct TuningRow {
    #[serde(flatten)]
    about: About,
    from: u64,
    /// `null` if the range has no end.
    up_to: Option<u64>,
    /// `null` if the built-in default is the best.
    best: Option<Name>,
}

/// The subject of a choice, in the words of the command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// `null` for the columns of textures.
    family: Option<String>,
    /// `null` if the choice is of the algorithm itself.
    algorithm: Option<String>,
    parameter: Option<String>,
    higher_order: bool,
    tuples: bool,
}

/// A number or a name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Name {
    Number(u32),
    Algorithm(String),
}

impl About {
    /// The words for a subject and the shape of its scans.
    pub fn of(subject: Subject, shape: Shape) -> About {
        let (problem, algorithm, parameter) = match subject {
            Subject::Algorithm(problem) => (Some(problem), None, None),
            Subject::Columns => (None, None, None),
            Subject::Parameter { problem, algorithm, parameter } => {
                (Some(problem), Some(algorithm.into()), Some(parameter.into()))
            }
        };
        About {
            family: problem.map(Into::into),
            algorithm,
            parameter,
            higher_order: shape.higher_order,
            tuples: shape.tuples,
        }
    }

    /// The subject, if it exists.
    fn subject(&self) -> Option<Subject> {
        let Some(family) = &self.family else {
            return (self.algorithm.is_none() && self.parameter.is_none()).then_some(Subject::Columns);
        };
        let problem = problem::named(family)?;
        match (&self.algorithm, &self.parameter) {
            (None, None) => Some(Subject::Algorithm(problem.name)),
            (Some(algorithm), Some(parameter)) => {
                let card = registry::of(problem).find(|card| card.name == algorithm)?;
                let parameter = card.parameters.iter().find(|known| known.is_named(parameter))?;
                Some(Subject::Parameter {
                    problem: problem.name,
                    algorithm: card.name,
                    parameter: parameter.name,
                })
            }
            _ => None,
        }
    }

    fn shape(&self) -> Shape {
        Shape { higher_order: self.higher_order, tuples: self.tuples }
    }
}

impl TuningRow {
    fn of(tuned: &Tuned) -> TuningRow {
        let Tuned { subject, shape, from, up_to, best } = *tuned;
        TuningRow {
            about: About::of(subject, shape),
            from,
            up_to: (up_to != Tuned::NO_END).then_some(up_to),
            best: match best {
                Best::BuiltIn => None,
                Best::Value(value) => Some(Name::Number(value)),
                Best::Algorithm(name) => Some(Name::Algorithm(name.into())),
            },
        }
    }

    /// The row as tuned values; an error in words if they make no sense.
    fn tuned(&self) -> Result<Tuned, String> {
        let subject = self.about.subject().ok_or("it names nothing that is tuned")?;
        let unknown = || match &self.best {
            Some(Name::Number(number)) => format!("{subject} cannot be {number}"),
            Some(Name::Algorithm(name)) => format!("{subject} cannot be {name}"),
            None => format!("{subject} cannot be nothing"),
        };
        let best = match (&self.best, subject) {
            (None, _) => Best::BuiltIn,
            (Some(Name::Algorithm(name)), Subject::Algorithm(problem)) => {
                let problem = problem::named(problem).ok_or_else(unknown)?;
                Best::Algorithm(Choice::parse(problem, name).map_err(|_| unknown())?.card.name)
            }
            (Some(Name::Number(value)), Subject::Columns) if value.is_power_of_two() => Best::Value(*value),
            (Some(Name::Number(value)), Subject::Parameter { problem, algorithm, parameter }) => {
                let text = format!("{algorithm}:{parameter}={value}");
                let problem = problem::named(problem).ok_or_else(unknown)?;
                Choice::parse(problem, &text).map_err(|_| unknown())?;
                Best::Value(*value)
            }
            _ => return Err(unknown()),
        };
        let (shape, up_to) = (self.about.shape(), self.up_to.unwrap_or(Tuned::NO_END));
        Ok(Tuned { subject, shape, from: self.from, up_to, best })
    }
}

/// Reads the document of a device's tuning.
///
/// Errors: the reason why it cannot be used, in words.
pub fn read(bytes: &[u8], device: &Device) -> Result<Tuning, String> {
    read_of(bytes, &Key::of(device))
}

fn read_of(bytes: &[u8], key: &Key) -> Result<Tuning, String> {
    let damaged = |error: serde_json::Error| format!("the file is damaged ({error})");
    match Form::of(bytes, SCHEMA, FORM).map_err(damaged)? {
        Form::Expected => {}
        Form::Newer(_) => return Err("it was written by a newer version of this program".into()),
        Form::Older(_) => return Err("it was written by an older version of this program".into()),
        Form::Other(found) => return Err(format!("it is not a tuning: its schema is {found}")),
    }
    let file: TuningDocument = serde_json::from_slice(bytes).map_err(damaged)?;
    if file.key != *key {
        let Key { renderer, driver, program } = file.key;
        return Err(format!(
            "it is for another device or version ({renderer}, {driver}, rasterscan {program})"
        ));
    }
    let ranges =
        file.ranges.iter().map(|row| row.tuned().map_err(|reason| format!("the file is damaged ({reason})")));
    Ok(Tuning { ranges: ranges.collect::<Result<_, String>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key::of(&Device::gl43())
    }

    #[test]
    fn each_device_driver_and_version_has_its_file() {
        let name = |key: &Key| key.file_name();
        let own = name(&key());
        assert!(own.starts_with("tuning-a-plain-opengl-4-3-") && own.ends_with(".json"), "{own}");
        assert_eq!(own, name(&key()));
        for other in [
            Key { renderer: "another".into(), ..key() },
            Key { driver: "another".into(), ..key() },
            Key { program: "another".into(), ..key() },
            // The same letters, divided elsewhere.
            Key { renderer: key().renderer + &key().driver, driver: String::new(), ..key() },
        ] {
            assert_ne!(name(&other), own);
        }
        let odd = Key { renderer: format!("../{}\u{1F600}", "x".repeat(300)), ..key() };
        assert!(name(&odd).len() < 80 && !name(&odd).contains(['/', '\u{1F600}']), "{}", name(&odd));
        assert!(name(&Key { renderer: "/".into(), ..key() }).starts_with("tuning--"));
        assert_eq!(fnv("foobar".bytes()), 0x8594_4171_f739_67e8, "as published with FNV-1a");
    }

    #[test]
    fn fuzz() {
        let document = serde_json::json!({
            "schema": "rasterscan.tuning/2",
            "renderer": key().renderer, "driver": key().driver, "program": key().program,
            "ranges": [
                {"family": "scan", "algorithm": "sam", "parameter": "vectors", "higher_order": false, "tuples": true,
                 "from": 0, "up_to": 100, "best": 8},
                {"family": "compact", "algorithm": null, "parameter": null, "higher_order": false, "tuples": false,
                 "from": 9, "up_to": null, "best": "packed"},
                {"family": null, "algorithm": null, "parameter": null, "higher_order": true, "tuples": false,
                 "from": 1, "up_to": 2, "best": 1024},
            ],
        });
        let corpus = vec![document.to_string().into_bytes()];
        let words = ["null", "\"best\":", "\"horn\"", "\"lanes\"", "true", "\"up_to\":", ",", "}"];
        rasterscan_fuzz::Fuzz { name: "cache", corpus, words: &words, repair: |_| {}, cases: 3000 }.run(
            |bytes| {
                let tuning = match read_of(bytes, &key()) {
                    Ok(tuning) => tuning,
                    Err(reason) => return reason,
                };
                // A device with this tuning still builds plans.
                let device = Device { tuning, ..Device::gl43() };
                let request = rasterscan::tools::Request::new(rasterscan::ScanSpec::new::<u32>(1 << 17));
                format!("{:?}", registry::auto(&request, &device).err())
            },
        );
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        let own = serde_json::json!({
            "schema": "rasterscan.tuning/2",
            "renderer": key().renderer, "driver": key().driver, "program": key().program,
            "ranges": [{
                "family": "scan", "algorithm": "sam", "parameter": "vectors", "higher_order": false, "tuples": false,
                "from": 0, "up_to": 100, "best": 8,
            }],
        });
        let why = |value: &serde_json::Value| read_of(value.to_string().as_bytes(), &key()).unwrap_err();
        let with = |path: &str, value: serde_json::Value| {
            let mut changed = own.clone();
            *changed.pointer_mut(path).unwrap() = value;
            changed
        };
        assert!(read_of(own.to_string().as_bytes(), &key()).is_ok());

        for cut in [0, 1, 40, own.to_string().len() - 1] {
            let reason = read_of(&own.to_string().as_bytes()[..cut], &key()).unwrap_err();
            assert!(reason.contains("damaged"), "{cut}: {reason}");
        }
        for rows in [serde_json::json!(0), 65.into(), (-1).into(), "8".into(), 1e300.into(), "sam".into()] {
            assert!(why(&with("/ranges/0/best", rows)).contains("damaged"));
        }
        for (field, value) in [
            ("family", "sort"),
            ("family", "compact"),
            ("algorithm", "sum"),
            ("parameter", "row"),
            ("from", "0"),
            ("higher_order", "no"),
        ] {
            let reason = why(&with(&format!("/ranges/0/{field}"), value.into()));
            assert!(reason.contains("damaged"), "{field}={value}: {reason}");
        }
        assert!(why(&with("/ranges/0/parameter", serde_json::Value::Null)).contains("damaged"));
        assert!(why(&with("/schema", "rasterscan.tuning/3".into())).contains("newer"));
        assert!(why(&with("/schema", "rasterscan.tuning/1".into())).contains("older"));
        assert!(why(&with("/schema", "rasterscan.scan/1".into())).contains("not a tuning"));
        for field in ["/renderer", "/driver", "/program"] {
            assert!(why(&with(field, "another".into())).contains("another device or version"), "{field}");
        }
    }
}
