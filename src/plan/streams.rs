//! The functions by which a shader of the caller's reads and writes items by their index: `#include <streams>`.
//!
//! The text is made from the pass: for each stream the functions of its layout. `docs/library.md` lists them.

use std::fmt::Write;

use super::map::BUFFERS;
use super::shader::directives;
use super::{Access, Binding, Command, Draw, Layout, Pass, Plan, Shader, SlotInfo, Storage};
use crate::element::Channel;

impl Plan {
    /// Gives the shaders that include `<streams>` the functions of their passes' streams.
    pub(super) fn offer_streams(&mut self) {
        for pass in &mut self.passes {
            pass.offer_streams(&self.slots);
        }
    }
}

impl Pass {
    /// Gives the shaders that include `<streams>` their text.
    pub(super) fn offer_streams(&mut self, slots: &[SlotInfo]) {
        let wants = |shader: &Shader| {
            let asks = |text: &str| directives(text).any(|line| line == "include <streams>");
            asks(shader.source()) || shader.includes().any(|(_, text)| asks(text))
        };
        if !self.shaders().into_iter().any(wants) {
            return;
        }
        // A pass that a map is part of has names of its own for its other streams.
        let alone = self.fused.is_none();
        match &mut self.command {
            Command::Draw(draw) => {
                let reads = read_text(draw, slots);
                let target = draw.writes.first().map(|slot| slots[slot.index()].layout);
                let target = target.filter(|layout| alone && layout.storage == Storage::Texture);
                let of_vertex = target.map(|layout| point_text(&layout)).unwrap_or_default();
                let of_fragment = target.map(|layout| index_text(&layout)).unwrap_or_default();
                let stages = &mut draw.stages;
                let vertices = [Some(&mut stages.vertex), stages.geometry.as_mut()];
                for shader in vertices.into_iter().flatten().filter(|shader| wants(shader)) {
                    *shader = shader.with_streams(format!("{reads}{of_vertex}"));
                }
                for shader in stages.fragment.iter_mut().filter(|shader| wants(shader)) {
                    *shader = shader.with_streams(format!("{reads}{of_fragment}"));
                }
            }
            Command::Dispatch(dispatch) => {
                let layout = |binding: &Binding| slots[binding.slot.index()].layout;
                let bindings = dispatch.bindings.iter().filter(|b| alone || BUFFERS.contains(&b.name));
                let streams = bindings.map(|binding| buffer_text(binding, &layout(binding)));
                let text =
                    streams.fold("#include \"common/group.glsl\"\n".to_owned(), |all, text| all + &text);
                dispatch.shader = dispatch.shader.with_streams(text);
            }
        }
    }
}

/// The words of an item as GLSL has them.
struct Words {
    count: u32,
    channel: Channel,
}

impl Words {
    fn of(layout: &Layout) -> Words {
        Words { count: layout.element.words() * layout.arity, channel: layout.element.channel() }
    }

    /// The type of an item of up to four words: a number, or a vector of them.
    fn item(&self) -> Option<String> {
        let (number, vector) = match self.channel {
            Channel::U32 => ("uint", "uvec"),
            Channel::I32 => ("int", "ivec"),
            Channel::F32 => ("float", "vec"),
        };
        match self.count {
            1 => Some(number.into()),
            2..=4 => Some(format!("{vector}{}", self.count)),
            _ => None,
        }
    }

    /// The prefix of the types of samplers and vectors.
    fn prefix(&self) -> &'static str {
        match self.channel {
            Channel::U32 => "u",
            Channel::I32 => "i",
            Channel::F32 => "",
        }
    }

    /// The bits of a number, and a number of bits.
    fn bits(&self, number: &str) -> String {
        match self.channel {
            Channel::U32 => number.into(),
            Channel::I32 => format!("uint({number})"),
            Channel::F32 => format!("floatBitsToUint({number})"),
        }
    }

    fn of_bits(&self, bits: &str) -> String {
        match self.channel {
            Channel::U32 => bits.into(),
            Channel::I32 => format!("int({bits})"),
            Channel::F32 => format!("uintBitsToFloat({bits})"),
        }
    }

    /// Word `word` of an item of up to four.
    fn word(&self, item: &str, word: u32) -> String {
        self.bits(&if self.count == 1 { item.into() } else { format!("{item}[{word}]") })
    }
}

/// The functions that read a stream, from that which loads the words of an item that there is.
fn reading(name: &str, words: &Words, load: &str) -> String {
    let count = words.count;
    let mut text = format!("int {name}_len() {{\n    return u_{name}_shape.w;\n}}\n\n");
    // The function of the words, or of the item as it is, is the one that loads.
    match words.item() {
        Some(item) => {
            let _ = write!(
                text,
                "{item} {name}_at(int index, {item} outside) {{\n    \
                     if (index < 0 || index >= {name}_len()) {{\n        return outside;\n    }}\n{load}}}\n\n\
                 {item} {name}_at(int index) {{\n    return {name}_at(index, {item}(0));\n}}\n\n\
                 void {name}_words(int index, out uint words[{count}]) {{\n    {item} item = {name}_at(index);\n"
            );
            (0..count).for_each(|word| {
                let _ = writeln!(text, "    words[{word}] = {};", words.word("item", word));
            });
            text.push_str("}\n\n");
        }
        None => {
            let _ = write!(
                text,
                "void {name}_words(int index, out uint words[{count}]) {{\n    \
                     if (index < 0 || index >= {name}_len()) {{\n        \
                         for (int i = 0; i < {count}; i++) {{\n            words[i] = 0u;\n        }}\n        \
                         return;\n    }}\n{load}}}\n\n"
            );
        }
    }
    text
}

/// The function that finds a texel of a texture of this width.
fn texel_by_index(layout: &Layout) -> &'static str {
    if layout.width_log2().is_some() { "texel_at" } else { "texel_in" }
}

/// The streams that a draw reads.
fn read_text(draw: &Draw, slots: &[SlotInfo]) -> String {
    let mut text = String::from("#include \"common/fetch.glsl\"\n\n");
    for (sampler, slot) in &draw.reads {
        let layout = &slots[slot.index()].layout;
        let (name, words) = (
            sampler.strip_prefix('u').and_then(|name| name.strip_prefix('_')).unwrap_or(sampler),
            Words::of(layout),
        );
        let (count, prefix) = (words.count, words.prefix());
        let (kind, load) = match layout.storage {
            Storage::Buffer => {
                let numbers = (0..count).map(|word| words.of_bits(&format!("words[{word}]")));
                let item = words.item().unwrap_or_default();
                let load = format!(
                    "    RECORD_READ(index, u_{name}_shape);\n    uvec4 words = texelFetch(u_{name}, index);\n    \
                     return {item}({});\n",
                    numbers.collect::<Vec<_>>().join(", ")
                );
                ("usamplerBuffer".to_owned(), load)
            }
            Storage::Texture if layout.planes() > 1 => {
                let word = words.bits("texel[i % 4]");
                let load = format!(
                    "    ivec2 at = {}(index, u_{name}_shape);\n    \
                     RECORD_READ(index_of(at, u_{name}_shape), u_{name}_shape);\n    \
                     for (int i = 0; i < {count}; i++) {{\n        \
                         {prefix}vec4 texel = texelFetch(u_{name}, ivec3(at, i / 4), 0);\n        \
                         words[i] = {word};\n    }}\n",
                    texel_by_index(layout)
                );
                (format!("{prefix}sampler2DArray"), load)
            }
            Storage::Texture => {
                let items = layout.items_per_texel;
                let texel = if items > 1 { format!("index / {items}") } else { "index".into() };
                let found = match (items, count) {
                    (1, count) => format!("texel.{}", &"xyzw"[..count as usize]),
                    // By choices, since an index that is not constant costs much more.
                    (2, 1) => "(index & 1) == 0 ? texel.x : texel.y".into(),
                    (2, 2) => "(index & 1) == 0 ? texel.xy : texel.zw".into(),
                    (_, 1) => "(index & 2) == 0 ? ((index & 1) == 0 ? texel.x : texel.y) : \
                               ((index & 1) == 0 ? texel.z : texel.w)"
                        .into(),
                    (items, _) => {
                        let first = format!("index % {items} * {count}");
                        let numbers = (0..count).map(|word| format!("texel[{first} + {word}]"));
                        let item = words.item().unwrap_or_default();
                        format!("{item}({})", numbers.collect::<Vec<_>>().join(", "))
                    }
                };
                let load = format!(
                    "    {prefix}vec4 texel = fetch(u_{name}, {}({texel}, u_{name}_shape), u_{name}_shape);\n    \
                     return {found};\n",
                    texel_by_index(layout)
                );
                (format!("{prefix}sampler2D"), load)
            }
        };
        let _ = write!(
            text,
            "uniform {kind} u_{name};\nuniform ivec4 u_{name}_shape;\n\n{}",
            reading(name, &words, &load)
        );
    }
    text
}

/// The functions of a vertex stage that places points in the target.
fn point_text(target: &Layout) -> String {
    if target.items_per_texel > 1 {
        return String::new();
    }
    format!(
        "uniform ivec4 u_target_shape;\n\n\
         int target_len() {{\n    return u_target_shape.w;\n}}\n\n\
         void target_point(int index) {{\n    \
             gl_PointSize = 1.0;\n    gl_Position = NOWHERE;\n    \
             if (index >= 0 && index < target_len()) {{\n        \
                 vec2 place = vec2({}(index, u_target_shape)) + 0.5;\n        \
                 gl_Position = position_at(place, u_target_shape);\n    }}\n}}\n\n",
        texel_by_index(target)
    )
}

/// The functions of a fragment stage.
fn index_text(target: &Layout) -> String {
    format!(
        "uniform ivec4 u_target_shape;\n\n\
         int target_len() {{\n    return u_target_shape.w;\n}}\n\n\
         int target_index() {{\n    \
             return index_of(ivec2(gl_FragCoord.xy), u_target_shape) * {};\n}}\n\n",
        target.items_per_texel
    )
}

/// A buffer that a dispatch binds.
fn buffer_text(binding: &Binding, layout: &Layout) -> String {
    let (name, bound, words) = (binding.name.to_lowercase(), binding.name, Words::of(layout));
    let count = words.count;
    let qualifier = match binding.access {
        Access::Read => "readonly ",
        Access::Write => "writeonly ",
        Access::Update => "",
    };
    let mut text = format!("uniform ivec4 u_{name}_shape;\n\n");
    let buffer = format!(
        "layout(std430, binding = {bound}) {qualifier}buffer Buffer_{name} {{ uint b_{name}[]; }};\n"
    );
    if binding.access == Access::Write {
        let _ = write!(text, "{buffer}\nint {name}_len() {{\n    return u_{name}_shape.w;\n}}\n\n");
    } else {
        let _ = match binding.load {
            Some(1) => write!(
                text,
                "#ifdef TEXEL_LOADS\nuniform usamplerBuffer u_{name};\nuniform int u_{name}_first;\n\
                 uint {name}_word(int word) {{\n    \
                     return texelFetch(u_{name}, u_{name}_first + READ_AT({bound}, word, 1)).x;\n}}\n\
                 #else\n{buffer}\
                 uint {name}_word(int word) {{\n    return b_{name}[READ_AT({bound}, word, 1)];\n}}\n#endif\n\n"
            ),
            _ => write!(
                text,
                "{buffer}uint {name}_word(int word) {{\n    return b_{name}[READ_AT({bound}, word, 1)];\n}}\n\n"
            ),
        };
        let load = match words.item() {
            Some(item) => {
                let numbers = (0..count)
                    .map(|word| words.of_bits(&format!("{name}_word(index * {count} + {word})")))
                    .collect::<Vec<_>>();
                format!("    return {item}({});\n", numbers.join(", "))
            }
            None => format!(
                "    for (int i = 0; i < {count}; i++) {{\n        words[i] = {name}_word(index * {count} + i);\n    }}\n"
            ),
        };
        text.push_str(&reading(&name, &words, &load));
    }
    if binding.access == Access::Read {
        return text;
    }
    let _ = write!(
        text,
        "void {name}_put_words(int index, uint words[{count}]) {{\n    \
             if (index < 0 || index >= {name}_len()) {{\n        return;\n    }}\n    \
             for (int i = 0; i < {count}; i++) {{\n        \
                 b_{name}[WRITE_AT({bound}, index * {count} + i, 1)] = words[i];\n    }}\n}}\n\n"
    );
    if let Some(item) = words.item() {
        let _ = writeln!(text, "void {name}_put(int index, {item} item) {{\n    uint words[{count}];");
        (0..count).for_each(|word| {
            let _ = writeln!(text, "    words[{word}] = {};", words.word("item", word));
        });
        let _ = write!(text, "    {name}_put_words(index, words);\n}}\n\n");
    }
    text
}
