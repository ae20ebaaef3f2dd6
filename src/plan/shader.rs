//! Shader sources and their composition: `#include`, a few `#define`s, one `#version` line.

use super::{ItemType, Lanes};
use crate::device::Api;
use crate::error::Error;

/// A version of the shading language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// OpenGL 3.3: GLSL 3.30.
    Gl,
    /// OpenGL ES 3.0 and WebGL 2: GLSL ES 3.00.
    Gles30,
    /// OpenGL ES 3.2, for geometry shaders and buffers read as textures: GLSL ES 3.20.
    Gles32,
    /// OpenGL 4.3, for compute shaders: GLSL 4.30, and what the lanes need.
    Gl43(Lanes),
    /// OpenGL ES 3.1, for the same: GLSL ES 3.10.
    Gles31(Lanes),
}

impl Dialect {
    /// What the first lines of a shader say.
    fn head(self) -> String {
        let head = match self {
            Dialect::Gl43(lanes) => return format!("#version 430 core\n{}", lanes.extensions()),
            Dialect::Gles31(lanes) => {
                let precisions = "precision highp float;\nprecision highp int;\n";
                return format!("#version 310 es\n{}{precisions}", lanes.extensions());
            }
            Dialect::Gl => "#version 330 core\n",
            Dialect::Gles30 => {
                "#version 300 es\nprecision highp float;\nprecision highp int;\n\
                 precision highp sampler2D;\nprecision highp isampler2D;\nprecision highp usampler2D;\n"
            }
            Dialect::Gles32 => {
                "#version 320 es\nprecision highp float;\nprecision highp int;\n\
                 precision highp sampler2D;\nprecision highp isampler2D;\nprecision highp usampler2D;\n\
                 precision highp usamplerBuffer;\n"
            }
        };
        head.into()
    }

    /// What compute shaders are written in.
    pub fn of_compute(api: Api, lanes: Lanes) -> Dialect {
        match api {
            Api::Gl => Dialect::Gl43(lanes),
            Api::Gles => Dialect::Gles31(lanes),
        }
    }

    /// The lanes of a compute shader.
    fn lanes(self) -> Option<Lanes> {
        match self {
            Dialect::Gl43(lanes) | Dialect::Gles31(lanes) => Some(lanes),
            Dialect::Gl | Dialect::Gles30 | Dialect::Gles32 => None,
        }
    }

    /// The least that a draw needs.
    pub fn needed(api: Api, newer: bool) -> Dialect {
        match (api, newer) {
            (Api::Gl, _) => Dialect::Gl,
            (Api::Gles, false) => Dialect::Gles30,
            (Api::Gles, true) => Dialect::Gles32,
        }
    }
}

/// A stage of an algorithm: a GLSL file, and files of its own that it includes.
///
/// Inside the crate, `shader!("scan/horn/step.frag")` makes one from `glsl/`; outside, give the
/// path that errors shall name and the text. Every shader may include the crate's own files of [`COMMON`],
/// `<element>` and `<operator>`, which the pass's [`ItemType`] chooses, and in compute shaders `<lanes>`. Of two files of
/// one path, the shader's own counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shader {
    pub path: &'static str,
    pub source: &'static str,
    /// Path and text of each private include.
    pub includes: &'static [(&'static str, &'static str)],
}

impl Shader {
    pub const fn new(path: &'static str, source: &'static str) -> Shader {
        Shader { path, source, includes: &[] }
    }
}

/// A shader of this crate, by its path below `glsl/`, with its private includes after it.
macro_rules! shader {
    ($path:literal $(, $include:literal)* $(,)?) => {
        $crate::plan::Shader {
            path: $path,
            source: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/", $path)),
            includes: &[$((
                $include,
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/", $include)),
            )),*],
        }
    };
}
pub(crate) use shader;

/// Files under `glsl/`, by their paths below it.
macro_rules! common {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/", $path)))),*]
    };
}

/// Every file that any shader may include, for all algorithms, all compactions, all scans.
pub const COMMON: &[(&str, &str)] = common![
    "common/accesses.glsl",
    "common/element/f32.glsl",
    "common/element/i32.glsl",
    "common/element/i64.glsl",
    "common/element/u32.glsl",
    "common/element/u64.glsl",
    "common/element/one_word.glsl",
    "common/element/two_words.glsl",
    "common/fetch.glsl",
    "common/group.glsl",
    "common/item.glsl",
    "common/lanes/serial.glsl",
    "common/lanes/shared.glsl",
    "common/lanes/subgroup.glsl",
    "common/lanes/warp.glsl",
    "common/lanes/words.glsl",
    "common/operator/add.glsl",
    "common/operator/affine.glsl",
    "common/operator/and.glsl",
    "common/operator/interval.glsl",
    "common/operator/interval_pair.glsl",
    "common/operator/join.glsl",
    "common/operator/max.glsl",
    "common/operator/min.glsl",
    "common/operator/mul.glsl",
    "common/operator/or.glsl",
    "common/operator/pair.glsl",
    "common/operator/plain.glsl",
    "common/operator/xor.glsl",
    "common/record/reads.glsl",
    "common/record/shared_items.glsl",
    "common/stream.glsl",
    "common/sums/counts.glsl",
    "common/sums/items.glsl",
    "compact/common/bits.glsl",
    "compact/common/buffers.glsl",
    "compact/common/condition.glsl",
    "compact/common/keep.glsl",
    "compact/common/move.glsl",
    "compact/common/sums.glsl",
    "compact/common/values.glsl",
    "scan/common/block.glsl",
    "scan/common/block_items.glsl",
    "scan/common/look_back.glsl",
    "scan/common/states.glsl",
    "scan/common/store.glsl",
    "scan/common/sums.glsl",
    "scan/common/tile.glsl",
    "scan/common/totals.glsl",
];

/// A shader ready to compile, and how to name its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    pub source: String,
    /// File names by the source-string number that `#line` gives them.
    files: Vec<String>,
}

/// Composes the text that the driver compiles.
///
/// Order: `#version`, precisions (ES), `#define`s, then the shader with its includes put in place,
/// each at most once. `#line` directives let [`Expanded::locate`] name the right file and line.
pub fn expand(
    shader: &Shader,
    dialect: Dialect,
    item: ItemType,
    defines: &[(&'static str, i64)],
) -> Result<Expanded, Error> {
    expand_between(shader, dialect, item, defines, None)
}

/// As [`expand`], with a file of its own before and one behind the shader.
pub(crate) fn expand_between(
    shader: &Shader,
    dialect: Dialect,
    item: ItemType,
    defines: &[(&'static str, i64)],
    around: Option<[Shader; 2]>,
) -> Result<Expanded, Error> {
    let mut expanded = Expanded { source: dialect.head(), files: Vec::new() };
    for (name, value) in defines {
        expanded.source.push_str(&format!("#define {name} {value}\n"));
    }
    let [before, behind] = around.map_or([None, None], |around| around.map(Some));
    for part in [before, Some(*shader), behind].into_iter().flatten() {
        append(&mut expanded, shader, dialect, item, part.path, part.source)?;
    }
    Ok(expanded)
}

fn append(
    expanded: &mut Expanded,
    shader: &Shader,
    dialect: Dialect,
    item: ItemType,
    path: &str,
    text: &str,
) -> Result<(), Error> {
    let number = expanded.files.len();
    expanded.files.push(path.to_owned());
    expanded.source.push_str(&format!("#line 1 {number}\n"));
    for (index, line) in text.lines().enumerate() {
        let Some(wanted) = line.trim().strip_prefix("#include ") else {
            expanded.source.push_str(line);
            expanded.source.push('\n');
            continue;
        };
        let wanted = match wanted.trim() {
            "<element>" => format!("common/element/{}.glsl", item.element.name()),
            "<operator>" => format!("common/operator/{}.glsl", item.operator.name()),
            "<lanes>" => match dialect.lanes() {
                Some(lanes) => format!("common/lanes/{}.glsl", lanes.name()),
                None => "<lanes> of a draw".into(),
            },
            quoted => quoted.trim_matches('"').to_owned(),
        };
        if expanded.files.contains(&wanted) {
            expanded.source.push('\n');
            continue;
        }
        let found = shader.includes.iter().chain(COMMON).find(|(name, _)| *name == wanted);
        let Some((name, included)) = found else {
            return Err(Error::Include { shader: shader.path.to_owned(), include: wanted });
        };
        append(expanded, shader, dialect, item, name, included)?;
        expanded.source.push_str(&format!("#line {} {number}\n", index + 2));
    }
    Ok(())
}

impl Expanded {
    /// Rewrites a driver's log so that each message starts with `glsl/path:line`.
    ///
    /// Mesa writes `1:23(4): error`, NVIDIA `1(23) : error`, others `ERROR: 1:23:`.
    pub fn locate(&self, log: &str) -> String {
        let mut located = String::new();
        for line in log.trim_matches(['\0', '\n', ' ']).lines() {
            match self.place(line) {
                Some(place) => located.push_str(&format!("{place}: {line}\n")),
                None => located.push_str(&format!("{line}\n")),
            }
        }
        located.trim_end().to_owned()
    }

    fn place(&self, line: &str) -> Option<String> {
        let line = line.strip_prefix("ERROR: ").or(line.strip_prefix("WARNING: ")).unwrap_or(line);
        let (file, rest) = line.split_at(line.find([':', '('])?);
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit())?;
        let line: u32 = rest[1..=digits].parse().ok()?;
        let path = self.files.get(file.trim().parse::<usize>().ok()?)?;
        Some(format!("glsl/{path}:{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ElementType, Operator};

    const ITEM: ItemType = ItemType { element: ElementType::U64, operator: Operator::Add };

    #[test]
    fn includes_are_put_in_place_once_and_choose_the_item() {
        let text = "#include \"common/item.glsl\"\n#include <element>\nvoid main() {}\n";
        let expanded = expand(&Shader::new("own.frag", text), Dialect::Gles30, ITEM, &[("N", 3)]).unwrap();
        assert!(expanded.source.starts_with("#version 300 es\n"));
        assert!(expanded.source.contains("#define N 3\n"));
        assert!(expanded.files.contains(&"common/element/u64.glsl".to_owned()));
        assert_eq!(expanded.files.iter().filter(|f| f.contains("u64")).count(), 1);
    }

    #[test]
    fn a_file_of_the_shaders_own_takes_the_place_of_a_common_one() {
        let includes = &[("common/operator/add.glsl", "// other")];
        let shader = Shader { includes, ..Shader::new("own.frag", "#include \"common/item.glsl\"\n") };
        let expanded = expand(&shader, Dialect::Gl, ITEM, &[]).unwrap();
        assert!(expanded.source.contains("// other") && !expanded.source.contains("element_add(left"));
    }

    #[test]
    fn logs_name_file_and_line_in_every_dialect() {
        let expanded =
            Expanded { source: String::new(), files: vec!["a.frag".into(), "common/item.glsl".into()] };
        assert_eq!(expanded.locate("1:23(4): error: no"), "glsl/common/item.glsl:23: 1:23(4): error: no");
        assert_eq!(expanded.locate("0(7) : error C1"), "glsl/a.frag:7: 0(7) : error C1");
        assert_eq!(expanded.locate("ERROR: 0:9: 'x'"), "glsl/a.frag:9: ERROR: 0:9: 'x'");
        assert_eq!(expanded.locate("linked badly"), "linked badly");
    }

    #[test]
    fn an_unknown_include_is_an_error_that_names_both() {
        let shader = Shader::new("own.frag", "#include \"nothing.glsl\"\n");
        let error = expand(&shader, Dialect::Gl, ITEM, &[]).unwrap_err().to_string();
        assert!(error.contains("own.frag") && error.contains("nothing.glsl"), "{error}");
    }
}
