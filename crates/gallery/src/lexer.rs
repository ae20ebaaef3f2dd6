//! A lexer as a scan of functions: Hillis and Steele's example of a scan that is no sum.
//!
//! A lexer is an automaton: each character takes it from a state to the next one. That looks serial. But a character is a
//! function from all states to states, and functions can be composed in any grouping. With eight states of four bits a
//! function is one u32, so a scan by composition gives for each character the state after it, from whatever state the text
//! began in. A map then finds the characters at which tokens begin, and a compaction takes their places and kinds.

mod picture;

use rasterscan::operator::Definition;
use rasterscan::plan::Map;
use rasterscan::{CompactSpec, ElementType, Gpu, Moves, Operator, Plan, ScanSpec};

use crate::{Exhibit, Fact, GalleryError, Piece, beside, check};

pub const PIECE: Piece = Piece {
    name: "lexer",
    title: "A lexer as a scan",
    shows: "Above, a line of code. Each row below it begins in another state of the lexer: after a few characters all rows \
            agree. Below, the lexer's own source by the kinds of its tokens.",
    step: "An inclusive scan composes the functions of all characters before each one: an operator of its own, which does not \
           commute. A compaction takes the places at which tokens begin.",
    text: include_str!("text/lexer.txt"),
    job: "scan random:n=16,seed=1,max=9 --op affine -a horn",
    sources: &["hillis1986"],
    run,
};

/// The source that is lexed: this file.
const SOURCE: &str = include_str!("lexer.rs");
/// The line whose functions are shown.
const LINE: &str = r#"let text = "a \"scan\""; sum / 2 // 7 states"#;

const SPACE: u32 = 0;
const WORD: u32 = 1;
const NUMBER: u32 = 2;
const SIGN: u32 = 3;
const STRING: u32 = 4;
const ESCAPE: u32 = 5;
const SLASH: u32 = 6;
const COMMENT: u32 = 7;
/// A quotation mark, which would be a string's in this very text.
const QUOTE: u8 = b'\x22';
const KINDS: [&str; 8] = ["spaces", "words", "numbers", "signs", "strings", "escapes", "slashes", "comments"];

/// The automaton: the state after a character.
fn next(state: u32, character: u8) -> u32 {
    match (state, character) {
        (COMMENT, b'\n') => SPACE,
        (COMMENT, _) => COMMENT,
        (ESCAPE, _) => STRING,
        (STRING, b'\\') => ESCAPE,
        (STRING, QUOTE) => SPACE,
        (STRING, _) => STRING,
        (SLASH, b'/') => COMMENT,
        (_, b'/') => SLASH,
        (_, QUOTE) => STRING,
        (WORD | NUMBER, b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9') => state,
        (_, b'0'..=b'9') => NUMBER,
        (_, b'_' | b'a'..=b'z' | b'A'..=b'Z') => WORD,
        (_, b' ' | b'\n') => SPACE,
        _ => SIGN,
    }
}

/// The function of a character: the state after state s, in four bits from 4 s on.
fn function(character: u8) -> u32 {
    (0..8).map(|state| next(state, character) << (4 * state)).sum()
}

/// The later function of the earlier one. The identity takes each state to itself.
const COMPOSE: &str = "
Item combine(Item left, Item right) {
    Item both = 0u;
    for (int state = 0; state < 32; state += 4) {
        both |= ((right >> (((left >> state) & 7u) * 4u)) & 7u) << state;
    }
    return both;
}";
const IDENTITY: u32 = 0x7654_3210;

const FUNCTION: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    to[0] = function_at(int(from[0]));
}";

/// The kind of the token that begins at a character; 0 if none does. A slash is a comment's if another one follows.
const BEGINS: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    const uint SPACE = 0u, SIGN = 3u, STRING = 4u, ESCAPE = 5u, SLASH = 6u, COMMENT = 7u;
    uint before = source_at(index - 1) & 7u, here = from[0] & 7u, next = source_at(index + 1) & 7u;
    bool in_string = before == STRING || before == ESCAPE;
    bool begins = here != SPACE && (here != before || here == SIGN) && !in_string && here != COMMENT;
    to[0] = begins ? (here == SLASH && next == COMMENT ? COMMENT : here) : 0u;
}";

/// The scanned functions of all characters, and the token of each: where it begins, and its kind.
type Lexed = (Vec<u32>, Vec<(u32, u32)>);

fn lex(gpu: &Gpu, text: &[u8]) -> Result<Lexed, GalleryError> {
    let compose = Definition::new("compose", COMPOSE)
        .identity(ElementType::U32, &[IDENTITY])
        .sample(ElementType::U32, &[function(b'/')])
        .sample(ElementType::U32, &[function(QUOTE)])
        .sample(ElementType::U32, &[function(b'a')])
        .twin(|_, left, right, both| {
            both[0] = (0..32).step_by(4).map(|s| (right[0] >> ((left[0] >> s & 7) * 4) & 7) << s).sum();
        });
    let scan = gpu.plan_auto(&ScanSpec::new::<u32>(text.len()).operator(Operator::new(compose)?))?;
    let tokens = gpu.plan_auto(&CompactSpec::new::<u32>(text.len()).moves(Moves::Both))?;

    let characters = *scan.layout(scan.input());
    let mut plan = Plan::new("lexer", scan.item().clone(), characters);
    let table = beside(gpu.device(), &characters, ElementType::U32, 1, 256)?;
    let table = plan.further_input("functions", table);
    let function_of = Map::new(FUNCTION).stream("function", table, 1);
    let functions = plan.map(plan.input(), "function", function_of, characters)?;
    let composed = plan.append_plan(&scan, &[functions])?[0];
    let begins = plan.map(composed, "begins", Map::new(BEGINS).reads(3), *plan.layout(composed))?;
    let mut results = plan.append_plan(&tokens, &[begins])?;
    results.push(composed);
    let mut lexer = gpu.prepare(&plan.finish_with(results))?;

    let functions: Vec<u32> = (0..=255).map(function).collect();
    let inputs = [lexer.upload_bytes(0, text)?, lexer.upload_input(1, &functions)?];
    let results = lexer.run(&inputs)?;
    let count = u64::from(results["count"].read::<u32>()?[0]);
    let kinds = results["values"].read_first::<u32>(count)?;
    let places = results["indices"].read_first::<u32>(count)?;
    Ok((results[3].read()?, places.into_iter().zip(kinds).collect()))
}

/// A lexer as one writes it by hand: token by token, without an automaton.
fn lexed_by_hand(text: &[u8]) -> Vec<(u32, u32)> {
    let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        let (kind, len) = match rest[0] {
            b' ' | b'\n' => (SPACE, 1),
            b'/' if rest.starts_with(b"//") => {
                (COMMENT, rest.split(|c| *c == b'\n').next().map_or(0, <[u8]>::len))
            }
            b'/' => (SLASH, 1),
            QUOTE => {
                let mut end = 1;
                while rest.get(end).is_some_and(|c| *c != QUOTE) {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                (STRING, end + 1)
            }
            c if is_word(&c) => {
                let kind = if c.is_ascii_digit() { NUMBER } else { WORD };
                (kind, rest.iter().take_while(|c| is_word(c)).count())
            }
            _ => (SIGN, 1),
        };
        if kind != SPACE {
            tokens.push((at as u32, kind));
        }
        at += len;
    }
    tokens
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let (functions, of_line) = lex(gpu, LINE.as_bytes())?;
    let (_, tokens) = lex(gpu, SOURCE.as_bytes())?;
    for (text, tokens) in [(LINE, &of_line), (SOURCE, &tokens)] {
        let expected = lexed_by_hand(text.as_bytes());
        check(*tokens == expected, || format!("{} tokens, expected {}", tokens.len(), expected.len()))?;
    }
    let of_kind = |kind: &u32| tokens.iter().filter(|(_, of)| of == kind).count();
    let mut facts = vec![Fact::count("characters", SOURCE.len()), Fact::count("tokens", tokens.len())];
    let kinds = [WORD, NUMBER, SIGN, STRING, SLASH, COMMENT];
    facts.extend(kinds.map(|kind| Fact::count(KINDS[kind as usize], of_kind(&kind))));
    Ok(Exhibit { facts, picture: picture::picture(&functions, &tokens) })
}
