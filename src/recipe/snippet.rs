//! A function of the caller's in GLSL, which makes a stream of a plan.

use super::RecipeError;
use crate::element::ElementType;
use crate::plan::Uniform;

/// A function of the caller's in GLSL.
#[derive(Debug, Clone)]
pub struct Snippet {
    /// `key` or `keep`.
    pub name: &'static str,
    pub glsl: String,
    /// The type that it returns.
    returns: String,
}

impl Snippet {
    /// Reads `TYPE key(ITEM item, int index)`, for a sort or a histogram, or `bool keep(ITEM item, int index)`, for a compaction.
    pub fn new(glsl: String) -> Result<Snippet, RecipeError> {
        let of = |name: &'static str| {
            let (before, _) = glsl.split_once(&format!("{name}("))?;
            Some((name, before.split_whitespace().last()?.to_owned()))
        };
        let no = "the GLSL has no function TYPE key(ITEM item, int index) or bool keep(ITEM item, int index)";
        let (name, returns) =
            of("key").or_else(|| of("keep")).ok_or_else(|| RecipeError::Other(no.into()))?;
        Ok(Snippet { name, glsl, returns })
    }

    /// The element that it makes.
    pub fn element(&self) -> Result<ElementType, RecipeError> {
        match self.returns.as_str() {
            "uint" | "bool" => Ok(ElementType::U32),
            "int" => Ok(ElementType::I32),
            "float" => Ok(ElementType::F32),
            "uvec2" => Ok(ElementType::U64),
            other => Err(RecipeError::Other(format!(
                "{} cannot return {other}; expected bool, uint, int, float or uvec2",
                self.name
            ))),
        }
    }

    /// The map that calls it.
    pub fn map(&self) -> Result<String, RecipeError> {
        let Snippet { name, glsl, .. } = self;
        let call = format!("{name}(source_at(index), index)");
        let store = match self.element()? {
            ElementType::F32 => format!("to[0] = floatBitsToUint({call});"),
            ElementType::U64 => format!("uvec2 words = {call}; to[0] = words.x; to[1] = words.y;"),
            _ => format!("to[0] = uint({call});"),
        };
        Ok(format!("{glsl}\nvoid map(uint from[FROM], int index, out uint to[TO]) {{ {store} }}\n"))
    }

    /// The uniforms that the text declares, as 0.
    ///
    /// Errors: types that are set by no number or pair, and arrays.
    pub fn uniforms(&self) -> Result<Vec<(String, Uniform)>, RecipeError> {
        let mut uniforms = Vec::new();
        for text in without_comments(&self.glsl).split(';') {
            let mut words = text.split_whitespace().skip_while(|word| *word != "uniform").skip(1);
            let mut of_type = words.next();
            if of_type.is_some_and(|word| ["highp", "mediump", "lowp"].contains(&word)) {
                of_type = words.next();
            }
            let Some(of_type) = of_type else { continue };
            for name in words.collect::<String>().split(',') {
                let no = || {
                    RecipeError::Other(format!(
                        "{name} is a uniform {of_type}; expected float, int, uint or ivec2, and no array"
                    ))
                };
                let values = if of_type == "ivec2" { 2 } else { 1 };
                let value = uniform(of_type, &[0.0; 2][..values]).filter(|_| !name.contains('['));
                uniforms.push((name.to_owned(), value.ok_or_else(no)?));
            }
        }
        Ok(uniforms)
    }
}

/// A uniform of this GLSL type from a number, or two for an `ivec2`.
pub fn uniform(glsl_type: &str, values: &[f64]) -> Option<Uniform> {
    Some(match (glsl_type, values) {
        ("int", [number]) => Uniform::Int(*number as i32),
        ("uint", [number]) => Uniform::Uint(*number as u32),
        ("float", [number]) => Uniform::Float(*number as f32),
        ("ivec2", [first, second]) => Uniform::Int2([*first as i32, *second as i32]),
        _ => return None,
    })
}

fn without_comments(glsl: &str) -> String {
    let mut text = String::new();
    let mut rest = glsl;
    while let Some((before, comment)) = rest.split_once("/*") {
        text += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    text += rest;
    text.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}
