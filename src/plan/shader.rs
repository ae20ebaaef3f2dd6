//! Shader sources and their composition: `#include`, a few `#define`s, one `#version` line.
//!
//! Includes are put in place under `#line` directives, so a shader that does not compile is reported as
//! `glsl/path:line`. A scan's shader includes `common/item.glsl` for the element and the operator, and
//! `common/stream.glsl` for addresses. A compaction has no operator: it includes `compact/common/values.glsl` for the
//! element. The element and the operator are files of their own, chosen when the shader is composed:
//! `common/element/u64.glsl`, `common/operator/affine.glsl`. An operator made at run time brings its `combine` as text.
//! A step that alone reads the input loads it by `common/source.glsl` or `common/source_texels.glsl`; then a map of the
//! caller's can be part of it ([`Plan::unfused`](super::Plan::unfused)).
//! No shader is written twice for a type or an operator.
//!
//! For each texture read as `u_name`, the engine sets an ivec4 `u_name_shape` (width, log2 of the width, height,
//! items), and `u_target_shape` for the first target. The log2 is -1 if the width is not a power of two, as that of a
//! result may be.
//!
//! # Rules for shaders
//!
//! Most were learned from a shader that failed on some driver.
//!
//! 1. **An `#include` stands outside of `#if`.** Shaders are composed before any `#if` is evaluated, and a file is
//!    inserted once. If its first `#include` is in a branch that is not taken, later ones are left out too, and nothing
//!    of the file is compiled. If one must be inside (`compact/blocks/ends.glsl`), include before it, outside, whatever
//!    it brings that others need too.
//! 2. **Nothing follows a `discard`.** A driver can let a discarded fragment run on for the sake of its neighbours, even
//!    past a `return`. It has no element to find, so a loop that ends when one is found would not end. Decide first, then
//!    either discard or do the rest in `else`.
//! 3. **Channels that a texture lacks read as 0, 0, 1.** A texel of one word is (x, 0, 0, 1), of two (x, y, 0, 1):
//!    clear the missing channels before you count bits in all four.
//! 4. **The condition of a `while` loop does not depend on a vector written by a dynamic index.** An NVIDIA driver
//!    (580.159.04, H200) looped forever where a mask was built as `below[word] = ...`. Compute the components at once,
//!    or pick one by its name.
//! 5. **The shape of a texture is `<sampler>_shape`.** For `.read("u_source", slot)` the engine sets `u_source` and
//!    `u_source_shape`, and for the first target `u_target_shape`. Under any other name a shape is zero, without an
//!    error. `tests/names` compares the names of all plans with those of their shaders.
//! 6. **Floats are compared by `element_less` and `element_equal`.** GLSL leaves open what `<` and `==` do with NaN and
//!    with numbers below the normal range; these functions compare the bits, as IEEE says.
//! 7. **The loops of an invocation take fewer than 65,535 iterations** in total. llvmpipe stops it there without an
//!    error. A loop that waits for another group counts too, and gives wrong sums instead of hanging. So a loop whose ends
//!    are no constants states its worst case on its first line, for any data and any length: `// at most ITEMS + 1 turns`, by
//!    `#define`s and uniforms. `in all` says that these are the turns of the invocation, however often the loop begins;
//!    `IN_FLIGHT` is the most work groups that a CPU runs at a time. `tests/turns` adds them up, over loops in loops, for the
//!    plans of every length.
//! 8. **The whole work group reaches `barrier()`, or no invocation does.** The same holds for `sync_group()`, and with
//!    `lanes=shared` for `lane_up`, `lane_down`, `lane_at` and `first_lane`. A condition on the way there has the same
//!    value for all: it comes from a uniform, or from shared memory between two barriers. A group that is not needed
//!    returns as a whole.
//! 9. **Every name in an `#if` is defined.** In GLSL ES an undefined one is an error, not 0. A `#define` that is a
//!    switch is given as 0 or 1, never left out.
//! 10. **Every wait is bounded.** No group can rely on another to run: neither the one before it nor one with a lower
//!     number. A ticket, where groups take one, proves that a group has begun. After a bounded number of looks, the group computes what is
//!     missing.
//! 11. **Products of indices stay below 2^31.** Streams have up to 2^30 items: `2 * i` fits, `3 * i` or `i * step * 2`
//!     may not.
//! 12. **`texel_at` needs a width that is a power of two.** An algorithm's own textures have one. A result can have any
//!     width: take its positions from `index_of` with `u_target_shape`, or divide.
//! 13. **The number of an invocation is shifted right as a uint.** virgl (virglrenderer 0.10) writes a shift of
//!     `int(gl_LocalInvocationIndex)` in types that do not match. The host does not compile that, and the dispatch does
//!     nothing, without an error.
//! 14. **No array is of bools, or of structs that have one.** Where a computed index reads one, zink (Mesa 22.3.6) writes a
//!     type of one bit that Vulkan does not have, and the dispatch crashes.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{ItemType, Lanes, MapTwin};
use crate::device::Api;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::SpecError;
use crate::operator::{self, Member, Operator};
use crate::shared::{Shared, Text};

/// The path of the functions of a pass's streams.
const STREAMS: &str = "streams";

/// A version of the shading language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// The first lines of a shader.
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
                 precision highp sampler2D;\nprecision highp isampler2D;\nprecision highp usampler2D;\n\
                 precision highp sampler2DArray;\nprecision highp isampler2DArray;\nprecision highp usampler2DArray;\n"
            }
            Dialect::Gles32 => {
                "#version 320 es\nprecision highp float;\nprecision highp int;\n\
                 precision highp sampler2D;\nprecision highp isampler2D;\nprecision highp usampler2D;\n\
                 precision highp sampler2DArray;\nprecision highp isampler2DArray;\nprecision highp usampler2DArray;\n\
                 precision highp usamplerBuffer;\n"
            }
        };
        head.into()
    }

    /// The version for compute shaders.
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

    /// The oldest version that a draw can use.
    pub fn needed(api: Api, newer: bool) -> Dialect {
        match (api, newer) {
            (Api::Gl, _) => Dialect::Gl,
            (Api::Gles, false) => Dialect::Gles30,
            (Api::Gles, true) => Dialect::Gles32,
        }
    }
}

/// A stage of an algorithm: a GLSL file, and files of its own that it includes. Cheap to clone.
///
/// Inside the crate, `shader!("scan/horn/step.frag")` makes a constant from `glsl/`. Outside, give the path that errors
/// name, and the text, which may come at run time. Every shader may include the crate's own files ([`common_files`]),
/// `<element>` and `<operator>`, which the pass's [`ItemType`] chooses, in compute shaders `<lanes>`, and in a caller's own
/// `<streams>`: functions that read and write the streams of its pass by index. If two files have the same path, the
/// shader's own is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shader(Shared<Sources>);

/// The files of a shader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Sources {
    /// The stage's file.
    pub main: File,
    /// The stage's own includes.
    pub includes: Shared<[File]>,
    /// The files that the stage's folder shares.
    pub library: &'static Library,
    /// What is done to the composed text.
    pub rewrite: Option<Rewrite>,
    /// True for a shader of this crate that was not changed.
    pub built_in: bool,
    /// The function of a map in Rust.
    pub twin: Option<MapTwin>,
}

/// A function on the composed text of a shader, applied before the driver sees it: a guard for text that is not trusted.
/// The text keeps its `#line` directives, and an error begins with `FILE:LINE:`, by the numbers of these directives.
///
/// Two are equal if their names are.
#[derive(Clone, Copy)]
pub struct Rewrite {
    /// The name.
    pub name: &'static str,
    /// The function.
    pub apply: fn(&str) -> Result<String, String>,
}

impl fmt::Debug for Rewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Rewrite {
    fn eq(&self, other: &Rewrite) -> bool {
        self.name == other.name
    }
}

impl Eq for Rewrite {}

impl Hash for Rewrite {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The directives of a text: what follows `#` in lines that begin with it. Every pass of every plan looks at its texts, so
/// only these lines are read.
pub(super) fn directives(text: &str) -> impl Iterator<Item = &str> {
    let begins =
        |at: usize| text[..at].trim_end_matches([' ', '\t']).bytes().last().is_none_or(|last| last == b'\n');
    let signs = text.match_indices('#').map(|(at, _)| at).filter(move |at| begins(*at));
    signs.map(|at| text[at + 1..].split('\n').next().unwrap_or_default().trim_end())
}

/// A path and a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct File {
    /// The path below `glsl/`.
    pub path: Text,
    /// The GLSL text.
    pub text: Text,
}

impl Shader {
    /// A stage of this text; errors name it by `path`.
    pub fn new(path: impl Into<Text>, source: impl Into<Text>) -> Shader {
        let main = File { path: path.into(), text: source.into() };
        Shader::counted(Sources {
            main,
            includes: Shared::Constant(&[]),
            library: &Library::NONE,
            rewrite: None,
            built_in: false,
            twin: None,
        })
    }

    /// The same shader with another text.
    pub fn with_source(&self, source: impl Into<Text>) -> Shader {
        let main = File { path: self.0.main.path.clone(), text: source.into() };
        Shader::counted(Sources { main, built_in: false, twin: None, ..(*self.0).clone() })
    }

    /// The same shader, whose composed text is rewritten before it is compiled.
    pub fn rewritten(&self, rewrite: Rewrite) -> Shader {
        Shader::counted(Sources { rewrite: Some(rewrite), built_in: false, ..(*self.0).clone() })
    }

    /// What is done to the composed text.
    pub fn rewrite(&self) -> Option<Rewrite> {
        self.0.rewrite
    }

    /// The same shader with a further include, which replaces one of the same path.
    pub fn with_include(&self, path: impl Into<Text>, text: impl Into<Text>) -> Shader {
        let file = File { path: path.into(), text: text.into() };
        let others = self.0.includes.iter().filter(|other| other.path != file.path).cloned();
        let includes = others.chain([file.clone()]).collect();
        let includes = Shared::Counted(includes);
        Shader::counted(Sources { includes, built_in: false, twin: None, ..(*self.0).clone() })
    }

    /// The same shader of a map, whose function has a twin.
    pub(super) fn with_twin(&self, twin: Option<MapTwin>) -> Shader {
        Shader::counted(Sources { twin, ..(*self.0).clone() })
    }

    /// The same shader, for which `#include <streams>` stands for this text.
    pub(super) fn with_streams(&self, text: String) -> Shader {
        let Sources { built_in, twin, .. } = (*self.0).clone();
        Shader::counted(Sources { built_in, twin, ..(*self.with_include(STREAMS, text).0).clone() })
    }

    /// The name of the caller's function, if it is the shader of a map.
    pub(super) fn map_name(&self) -> Option<&str> {
        let is_map = ["copy/map.frag", "copy/map.comp"].contains(&self.path());
        self.includes().map(|(path, _)| path).find(|path| is_map && path.starts_with("map "))
    }

    /// Returns true if the text of a file is part of the composed one.
    pub(super) fn includes_file(&self, path: &str) -> bool {
        let mut known: Vec<&str> = Vec::new();
        let mut left = vec![self.source()];
        while let Some(text) = left.pop() {
            for quoted in directives(text).filter_map(|line| line.strip_prefix("include \"")) {
                let wanted = quoted.trim_end_matches('"');
                if wanted == path {
                    return true;
                }
                if !known.contains(&wanted) {
                    known.push(wanted);
                    left.extend(self.included(wanted));
                }
            }
        }
        false
    }

    /// The function of a map in Rust, if it has one and the text was not changed since.
    pub fn twin(&self) -> Option<&MapTwin> {
        self.0.twin.as_ref()
    }

    fn counted(sources: Sources) -> Shader {
        Shader(Shared::Counted(Arc::new(sources)))
    }

    pub(crate) const fn constant(sources: &'static Sources) -> Shader {
        Shader(Shared::Constant(sources))
    }

    /// Returns true for a shader of this crate as it stands in `glsl/`, with the functions of its pass's streams or without;
    /// false for a caller's own, and for one with another text, further includes or a rewrite.
    pub fn is_built_in(&self) -> bool {
        self.0.built_in
    }

    /// The path that errors name.
    pub fn path(&self) -> &str {
        &self.0.main.path
    }

    /// The stage's text, with its includes not expanded.
    pub fn source(&self) -> &str {
        &self.0.main.text
    }

    /// Path and text of each private include.
    pub fn includes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.includes.iter().map(|file| (&*file.path, &*file.text))
    }

    /// The same shader, which may also include the files of a library.
    pub fn with_library(&self, library: &'static Library) -> Shader {
        Shader::counted(Sources { library, built_in: false, twin: None, ..(*self.0).clone() })
    }

    /// The text of a file that the shader may include: its own one of this path, else its library's, else the crate's.
    pub fn included(&self, path: &str) -> Option<&str> {
        let own = self.includes().find(|(own, _)| *own == path).map(|(_, text)| text);
        let common = || common_files().find(|(common, _)| *common == path).map(|(_, text)| text);
        own.or_else(|| self.0.library.text(path)).or_else(common)
    }
}

/// The files that the shaders of one problem share: those of scans, of compactions, of reductions.
#[derive(Debug)]
pub struct Library {
    files: &'static [(&'static str, &'static str)],
    others: &'static [&'static Library],
}

impl Library {
    /// A library without files.
    pub(crate) const NONE: Library = Library::new(&[], &[]);

    /// Paths below `glsl/` and texts, and the libraries whose files may be included, too.
    pub(crate) const fn new(
        files: &'static [(&'static str, &'static str)],
        others: &'static [&'static Library],
    ) -> Library {
        Library { files, others }
    }

    /// The path below `glsl/` and the text of each file, without those of other libraries.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.files.iter().copied()
    }

    /// The text of a file with this path.
    fn text(&self, path: &str) -> Option<&'static str> {
        let own = self.files().find(|(own, _)| *own == path).map(|(_, text)| text);
        own.or_else(|| self.others.iter().find_map(|other| other.text(path)))
    }
}

/// A path belongs to one file of the crate, so libraries of the same paths are equal.
impl PartialEq for Library {
    fn eq(&self, other: &Library) -> bool {
        self.files().map(|(path, _)| path).eq(other.files().map(|(path, _)| path))
            && self.others == other.others
    }
}

impl Eq for Library {}

impl Hash for Library {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.files.len().hash(state);
    }
}

/// A shader of this crate, by its path below `glsl/`, with its private includes after it; `in` the library that it
/// may include from, if any.
macro_rules! shader {
    ($($path:literal),* $(,)?) => { $crate::plan::shader!(in $crate::plan::Library::NONE, $($path),*) };
    (in $library:path, $path:literal $(, $include:literal)* $(,)?) => {{
        static SOURCES: $crate::plan::Sources = $crate::plan::Sources {
            library: &$library,
            main: $crate::plan::shader!(@file $path),
            includes: $crate::shared::Shared::Constant(&[$($crate::plan::shader!(@file $include)),*]),
            rewrite: None,
            built_in: true,
            twin: None,
        };
        $crate::plan::Shader::constant(&SOURCES)
    }};
    (@file $path:literal) => {
        $crate::plan::File {
            path: $crate::shared::Shared::Constant($path),
            text: $crate::shared::Shared::Constant(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/glsl/",
                $path
            ))),
        }
    };
}
pub(crate) use shader;

/// Files under `glsl/`, by their paths below it.
macro_rules! glsl_files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/", $path)))),*]
    };
}

pub(crate) use glsl_files;

/// Every file that any shader may include, by its path below `glsl/`.
pub fn common_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    COMMON.iter().chain(operator::FILES).copied()
}

/// The files of `common/`, except the operators', and those of the plan's own passes.
const COMMON: &[(&str, &str)] = glsl_files![
    "common/accesses.glsl",
    "common/element/f32.glsl",
    "common/element/i32.glsl",
    "common/element/i64.glsl",
    "common/element/u32.glsl",
    "common/element/u64.glsl",
    "common/element/one_word.glsl",
    "common/element/two_words.glsl",
    "common/bound_length.glsl",
    "common/fetch.glsl",
    "common/group.glsl",
    "common/item.glsl",
    "common/item_planes.glsl",
    "common/item_texels.glsl",
    "common/lanes/serial.glsl",
    "common/lanes/shared.glsl",
    "common/lanes/subgroup.glsl",
    "common/lanes/warp.glsl",
    "common/lanes/words.glsl",
    "common/length.glsl",
    "common/loads.glsl",
    "common/operator/first.glsl",
    "common/operator/join.glsl",
    "common/operator/members.glsl",
    "common/operator/pair.glsl",
    "common/operator/plain.glsl",
    "common/operator/segmented.glsl",
    "common/operator/several.glsl",
    "common/operator/words.glsl",
    "common/mask_loads.glsl",
    "common/mask_texels.glsl",
    "common/planes.glsl",
    "common/record/reads.glsl",
    "common/record/shared_items.glsl",
    "common/source.glsl",
    "common/source_texels.glsl",
    "common/stream.glsl",
    "common/sums/counts.glsl",
    "common/sums/items.glsl",
    "common/sums/of_lanes.glsl",
    "common/target.glsl",
    "common/values.glsl",
    "copy/items.glsl",
    "copy/items_in_buffers.glsl",
    "copy/map.glsl",
    "copy/map_function.glsl",
    "copy/mapped_loads.glsl",
    "copy/mapped_mask_loads.glsl",
    "copy/mapped_mask_texels.glsl",
    "copy/mapped_texels.glsl",
];

/// Lines are numbered by `#line`: those of file 0 from 1 on, those of file 1 from `LINES + 1` on. Mesa tells the line of every
/// fault, but the file of some only.
const LINES: usize = 100_000;

/// A shader ready to compile, with a map of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// The text for the driver.
    pub source: String,
    /// Names of files by the number that `#line` gives them: `glsl/path`, or `operator NAME`.
    files: Vec<String>,
}

/// Composes the text that the driver compiles.
///
/// Order: `#version`, precisions (ES), `#define`s, then the shader with its includes put in place, each at most once.
/// `#line` directives let [`Expanded::locate`] name the right file and line.
pub fn expand(
    shader: &Shader,
    dialect: Dialect,
    item: &ItemType,
    defines: &[(&'static str, i64)],
) -> Result<Expanded, Error> {
    expand_between(shader, dialect, item, defines, None)
}

/// As [`expand`], with one file before the shader and one after it.
pub(crate) fn expand_between(
    shader: &Shader,
    dialect: Dialect,
    item: &ItemType,
    defines: &[(&'static str, i64)],
    around: Option<[Shader; 2]>,
) -> Result<Expanded, Error> {
    let expanded = Expanded { source: dialect.head(), files: Vec::new() };
    let mut composer = Composer {
        shader,
        dialect,
        element: item.element,
        operator: &item.operator,
        included: Vec::new(),
        expanded,
    };
    for (name, value) in defines {
        composer.expanded.source.push_str(&format!("#define {name} {value}\n"));
    }
    let [before, after] = around.as_ref().map_or([None, None], |[before, after]| [Some(before), Some(after)]);
    for part in [before, Some(shader), after].into_iter().flatten() {
        composer.append(in_glsl(part.path()), part.source())?;
    }
    let mut expanded = composer.expanded;
    if let Some(rewrite) = shader.rewrite() {
        expanded.source = (rewrite.apply)(&expanded.source)
            .map_err(|log| Error::Shader { shader: in_glsl(shader.path()), log: expanded.locate(&log) })?;
    }
    Ok(expanded)
}

/// The name of a file below `glsl/`.
fn in_glsl(path: &str) -> String {
    format!("glsl/{path}")
}

/// A shader whose includes are being expanded.
struct Composer<'a> {
    shader: &'a Shader,
    dialect: Dialect,
    element: ElementType,
    operator: &'a Operator,
    /// The names of the files so far; each is included once.
    included: Vec<String>,
    expanded: Expanded,
}

/// The names that a shader knows an operator's items by, and those of the inner one where items have flags.
const OF_INNER: [(&str, &str); 10] = [
    ("Item", "Inner"),
    ("ITEM_WORDS", "INNER_WORDS"),
    ("Words", "InnerWords"),
    ("WORD", "INNER_WORD"),
    ("item_of", "inner_of"),
    ("put_item", "put_inner"),
    ("words_of_item", "words_of_inner"),
    ("item_of_words", "inner_of_words"),
    ("identity", "inner_identity"),
    ("combine", "combine_inner"),
];

/// The text of an operator under the names that it has where its items are values. Its own values, if it has flags, too,
/// get the number of their depth.
fn as_inner(text: &str) -> String {
    let of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(of_name) {
        let (before, name) = rest.split_at(start);
        let (name, after) = name.split_at(name.find(|c| !of_name(c)).unwrap_or(name.len()));
        changed.push_str(before);
        changed.push_str(&inner_name(name));
        rest = after;
    }
    changed + rest
}

fn inner_name(name: &str) -> Cow<'_, str> {
    if let Some((_, inner)) = OF_INNER.iter().find(|(own, _)| *own == name) {
        return (*inner).into();
    }
    let (inner, depth) = match name.rsplit_once('_').map(|(inner, depth)| (inner, depth.parse::<u32>())) {
        Some((inner, Ok(depth))) => (inner, depth),
        _ => (name, 1),
    };
    match OF_INNER.iter().any(|(_, known)| *known == inner) {
        true => format!("{inner}_{}", depth + 1).into(),
        false => name.into(),
    }
}

impl<'a> Composer<'a> {
    fn append(&mut self, name: String, text: &str) -> Result<(), Error> {
        let number = self.expanded.files.len();
        self.included.push(name.clone());
        self.expanded.files.push(name);
        let first = number * LINES;
        self.expanded.source.push_str(&format!("#line {} {number}\n", first + 1));
        for (next, line) in (2..).zip(text.lines()) {
            let Some(wanted) = line.trim().strip_prefix("#include ") else {
                self.expanded.source.push_str(line);
                self.expanded.source.push('\n');
                continue;
            };
            self.include(wanted.trim())?;
            self.expanded.source.push_str(&format!("#line {} {number}\n", first + next));
        }
        Ok(())
    }

    fn include(&mut self, wanted: &str) -> Result<(), Error> {
        match wanted {
            "<element>" => self.file(&format!("common/element/{}.glsl", self.element.name())),
            "<operator>" => self.operator(),
            "<streams>" => self.file(STREAMS),
            "<lanes>" => match self.dialect.lanes() {
                Some(lanes) => self.file(&format!("common/lanes/{}.glsl", lanes.name())),
                None => self.file("<lanes> of a draw"),
            },
            quoted => self.file(quoted.trim_matches('"')),
        }
    }

    /// Inserts a file, unless it was inserted already.
    fn file(&mut self, path: &str) -> Result<(), Error> {
        let name = in_glsl(path);
        if self.included.contains(&name) {
            return Ok(());
        }
        let shader = self.shader;
        match shader.included(path) {
            Some(text) => self.append(name, text),
            None => Err(Error::Include { shader: shader.path().to_owned(), include: path.to_owned() }),
        }
    }

    fn operator(&mut self) -> Result<(), Error> {
        let operator = self.operator;
        if operator.is_built_in() {
            return self.file(&format!("common/operator/{}.glsl", operator.name()));
        }
        if let Some(values) = operator.values() {
            return self.segmented(values);
        }
        self.own_operator()
    }

    /// The operator on values, under other names, and what makes segments of it.
    fn segmented(&mut self, values: &'a Operator) -> Result<(), Error> {
        let name = in_glsl("common/operator/segmented.glsl");
        if self.included.contains(&name) {
            return Ok(());
        }
        let (start, included) = (self.expanded.source.len(), self.included.len());
        let items = std::mem::replace(&mut self.operator, values);
        let composed = self.operator();
        self.operator = items;
        composed?;
        // The files of values can be included again for items.
        self.included.truncate(included);
        let text = as_inner(&self.expanded.source.split_off(start));
        self.expanded.source.push_str(&text);
        self.file("common/operator/segmented.glsl")
    }

    /// A caller's operator, which has no file: the layout of its items in a texel, its identity, and its text.
    fn own_operator(&mut self) -> Result<(), Error> {
        let (element, operator) = (self.element, self.operator);
        let name = format!("operator {operator}");
        if self.included.contains(&name) {
            return Ok(());
        }
        let identity = operator.identity_words(element);
        let identity = identity.ok_or_else(|| SpecError::OperatorElement(operator.clone(), element))?;
        match operator.arity() {
            _ if !operator.members().is_empty() => self.members()?,
            1 => self.file("common/operator/plain.glsl")?,
            2 => self.file("common/operator/pair.glsl")?,
            arity => {
                self.expanded.source.push_str(&format!("#define ARITY {arity}\n"));
                self.file("common/operator/several.glsl")?;
            }
        }
        let words = put_words(identity.iter().map(|word| format!("{word}u")));
        let text =
            format!("Item identity() {{\n    Words words;\n{words}    return item_of_words(words);\n}}\n");
        self.append(format!("identity of {operator}"), &text)?;
        self.append(name, operator.glsl())
    }

    /// The items of an operator whose members have names and types: a struct, and its words.
    fn members(&mut self) -> Result<(), Error> {
        let operator = self.operator;
        self.expanded.source.push_str(&format!("#define ITEM_WORDS {}\n", operator.arity()));
        self.file("common/operator/words.glsl")?;
        let (mut fields, mut words, mut taken) = (String::new(), Vec::new(), String::new());
        for Member { name, element, .. } in operator.members() {
            let first = words.len();
            let (kind, of_words, in_words) = match element {
                ElementType::U32 => ("uint", "", ""),
                ElementType::I32 => ("int", "int", "uint"),
                ElementType::F32 => ("float", "uintBitsToFloat", "floatBitsToUint"),
                ElementType::U64 | ElementType::I64 => ("uvec2", "uvec2", ""),
            };
            match element.words() {
                1 => words.push(format!("{in_words}(item.{name})")),
                _ => words.extend([format!("item.{name}.x"), format!("item.{name}.y")]),
            }
            let own: Vec<String> =
                (first..words.len()).map(|number| format!("WORD(words, {number})")).collect();
            fields.push_str(&format!("    {kind} {name};\n"));
            taken.push_str(&format!("    item.{name} = {of_words}({});\n", own.join(", ")));
        }
        let words = put_words(words);
        let text = format!(
            "struct Item {{\n{fields}}};\n\
             Words words_of_item(Item item) {{\n    Words words;\n{words}    return words;\n}}\n\
             Item item_of_words(Words words) {{\n    Item item;\n{taken}    return item;\n}}\n"
        );
        self.append(format!("members of {operator}"), &text)?;
        self.file("common/operator/members.glsl")
    }
}

/// Statements that give words to an item's `words`. A vector has words past the item's.
fn put_words(words: impl IntoIterator<Item = String>) -> String {
    let mut words: Vec<String> = words.into_iter().collect();
    words.resize(words.len().max(4), "0u".into());
    words.iter().enumerate().map(|(number, word)| format!("    WORD(words, {number}) = {word};\n")).collect()
}

impl Expanded {
    /// Rewrites a driver's log so that each message starts with `glsl/path:line`, or `operator NAME:line`.
    ///
    /// Mesa writes `1:100023(4): error`, NVIDIA `1(100023) : error`, others `ERROR: 1:100023:`.
    pub fn locate(&self, log: &str) -> String {
        let mut located = String::new();
        for line in log.trim_matches(['\0', '\n', ' ']).lines() {
            match self.place(line) {
                Some((place, message)) => located.push_str(&format!("{place}: {message}\n")),
                None => located.push_str(&format!("{line}\n")),
            }
        }
        located.trim_end().to_owned()
    }

    /// The file and line of a message, and the rest of it.
    fn place<'l>(&self, line: &'l str) -> Option<(String, &'l str)> {
        let line = line.strip_prefix("ERROR: ").or(line.strip_prefix("WARNING: ")).unwrap_or(line);
        let (source, rest) = line.split_at(line.find([':', '('])?);
        let end = 1 + rest[1..].find(|c: char| !c.is_ascii_digit())?;
        let (_, number): (u32, usize) = (source.trim().parse().ok()?, rest[1..end].parse().ok()?);
        let file = self.files.get(number / LINES)?;
        // Mesa has the column, too.
        let rest = &rest[end..];
        let column = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let message = column.map_or(rest, |(_, message)| message).trim_start_matches([')', ':', ' ']);
        Some((format!("{file}:{}", number % LINES), message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ElementType, Operator};

    const ITEM: ItemType = ItemType { element: ElementType::U64, operator: Operator::ADD };

    #[test]
    fn includes_are_put_in_place_once_and_choose_the_item() {
        let text = "#include \"common/item.glsl\"\n#include <element>\nvoid main() {}\n";
        let expanded = expand(&Shader::new("own.frag", text), Dialect::Gles30, &ITEM, &[("N", 3)]).unwrap();
        assert!(expanded.source.starts_with("#version 300 es\n"));
        assert!(expanded.source.contains("#define N 3\n"));
        assert!(expanded.files.contains(&"glsl/common/element/u64.glsl".to_owned()));
        assert_eq!(expanded.files.iter().filter(|f| f.contains("u64")).count(), 1);
    }

    #[test]
    fn a_file_of_the_shaders_own_takes_the_place_of_a_common_one() {
        let shader = Shader::new("own.frag", "#include \"common/item.glsl\"\n")
            .with_include("common/operator/add.glsl", "// other");
        let expanded = expand(&shader, Dialect::Gl, &ITEM, &[]).unwrap();
        assert!(expanded.source.contains("// other") && !expanded.source.contains("element_add(left"));
    }

    #[test]
    fn logs_name_file_and_line_in_every_dialect() {
        let expanded = Expanded {
            source: String::new(),
            files: vec!["glsl/a.frag".into(), "glsl/common/item.glsl".into()],
        };
        assert_eq!(expanded.locate("1:100023(4): error: no"), "glsl/common/item.glsl:23: error: no");
        // Mesa has no files of what it finds after parsing.
        assert_eq!(expanded.locate("0:100023(4): error: no"), "glsl/common/item.glsl:23: error: no");
        assert_eq!(expanded.locate("0(7) : error C1"), "glsl/a.frag:7: error C1");
        assert_eq!(expanded.locate("ERROR: 0:9: 'x'"), "glsl/a.frag:9: 'x'");
        assert_eq!(expanded.locate("linked badly"), "linked badly");
    }

    #[test]
    fn an_unknown_include_is_an_error_that_names_both() {
        let shader = Shader::new("own.frag", "#include \"nothing.glsl\"\n");
        let error = expand(&shader, Dialect::Gl, &ITEM, &[]).unwrap_err().to_string();
        assert!(error.contains("own.frag") && error.contains("nothing.glsl"), "{error}");
    }
}
