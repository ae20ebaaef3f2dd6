//! Plans rebuilt with changes that no algorithm asks for, so that rare cases always happen.

use rasterscan::Plan;
use rasterscan::plan::{Command, Dispatch, Shader, Slot, Uniform};

/// The same plan with each dispatch changed.
pub fn changed(plan: &Plan, change: impl Fn(&mut Dispatch)) -> Plan {
    let mut new = Plan::new(plan.name(), plan.item().clone(), plan.slots()[0].layout);
    let inputs = plan.inputs().len();
    let mut slots: Vec<Slot> = vec![new.input()];
    for (index, slot) in plan.slots().iter().enumerate().skip(1) {
        let (name, layout) = (slot.name.clone(), slot.layout);
        slots.push(match &slot.content {
            _ if index < inputs => new.further_input(name, layout),
            Some(words) => new.constant(name, layout, words.clone()),
            None if slot.zeroed => new.zeroed(name, layout.len),
            None => new.slot(name, layout),
        });
    }
    for pass in plan.passes() {
        let Command::Dispatch(dispatch) = &pass.command else { panic!("only dispatches can be changed") };
        let mut d = dispatch.clone();
        change(&mut d);
        let mut recorder = new.dispatch(pass.phase, d.shader, d.lanes, d.invocations, d.groups);
        recorder = recorder.item(pass.item.clone()).moves(pass.cost.words_read, pass.cost.words_written);
        recorder = recorder.adds(pass.cost.adds, pass.cost.depth).at_most(pass.at_most);
        for b in d.bindings {
            let slot = slots[b.slot.index()];
            recorder = match b.load {
                Some(words) => recorder.bind_loads(b.name, slot, b.items, words),
                None => recorder.bind_part(b.name, slot, b.access, b.items),
            };
        }
        for (name, value) in d.defines {
            recorder = recorder.define(name, value);
        }
        for (name, value) in d.uniforms {
            recorder = recorder.set(name, value);
        }
        if let Some(runs) = d.first_of_runs {
            recorder = recorder.first_of_runs(runs);
        }
    }
    new.finish_with(plan.outputs().iter().map(|slot| slots[slot.index()]).collect())
}

/// Sets a `#define` if a dispatch has it.
pub fn redefine(dispatch: &mut Dispatch, name: &str, value: i64) {
    dispatch.defines.iter_mut().filter(|define| define.0 == name).for_each(|define| define.1 = value);
}

fn has(dispatch: &Dispatch, define: &str) -> bool {
    dispatch.defines.iter().any(|own| own.0 == define)
}

/// The chunks of a dispatch of `sam`.
fn chunks(dispatch: &Dispatch) -> Option<Uniform> {
    dispatch.uniforms.iter().find(|(name, _)| *name == "u_chunks").map(|(_, value)| *value)
}

/// The part of others' published values that a group sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// None in this part of the stream.
    Nothing,
    /// One tile in three.
    AThird,
    /// All except this percentage of tiles, chosen by the seed, that never publish.
    AllBut { percent: i32, seed: i32 },
}

impl Memory {
    /// The percentage of tiles that never publish, and a seed.
    fn silent(self) -> (i32, i32) {
        match self {
            Memory::Nothing => (100, 0),
            Memory::AThird => (67, 0),
            Memory::AllBut { percent, seed } => (percent, seed),
        }
    }
}

/// A plan of a single pass in which some tiles never publish, so the others must compute the missing values. Values
/// that an earlier dispatch published are available. If there are as many resident groups as chunks, each takes one, in
/// any order, so none has seen the others' values before.
pub fn forgetful(plan: &Plan, memory: Memory) -> Plan {
    changed(plan, |dispatch| {
        let has = |name: &str| has(dispatch, name);
        // A slot in the ring of `sam` holds nothing of an earlier dispatch; its carries are elsewhere.
        let known = match (has("SPINS"), has("RING"), has("BLOCK")) {
            (false, ..) => return,
            (true, true, _) => "publishes((at) % RING)",
            // The prefixes of blocks follow the sums of all tiles.
            (true, false, true) => {
                "(at) / (TUPLE) < u_first \
                 || (at) / (TUPLE) >= u_prefixes && ((at) / (TUPLE) - u_prefixes + 1) * BLOCK <= u_first \
                 || publishes((at) / (TUPLE))"
            }
            (true, false, false) => "(at) / (TUPLE) < u_first || publishes((at) / (TUPLE))",
        };
        let one_each = chunks(dispatch) == Some(Uniform::Int(dispatch.groups as i32));
        redefine(dispatch, "SPINS", 0);
        dispatch.shader = with_states(&dispatch.shader, known, one_each);
        let (percent, seed) = memory.silent();
        dispatch.uniforms.extend([("u_silent", Uniform::Int(percent)), ("u_seed", Uniform::Int(seed))]);
    })
}

/// A plan of a single pass in which the group with a part's first tile is held up, between its ticket and all else, until
/// the others have taken all tickets, or without tickets until the last tile has published something, and some time longer.
pub fn held_up(plan: &Plan) -> Plan {
    changed(plan, |dispatch| {
        if !has(dispatch, "SPINS") {
            return;
        }
        if dispatch.defines.contains(&("TICKETS", 0)) {
            dispatch.shader = holding_first_group(&dispatch.shader);
            return;
        }
        let tickets = chunks(dispatch).unwrap_or(Uniform::Int(dispatch.groups as i32));
        dispatch.shader = with_tickets(
            &dispatch.shader,
            "
uniform int u_tickets;
int take_ticket(int part) {
    int ticket = draw_ticket(part);
    int place = ticket_at(u_run, part);
    int taken = 0; // looks that found all tickets taken
    for (int look = 0; ticket == 0 && look < 20000 && taken < 5000; look++) {
        taken += int(int(b_states[place].x) >= u_tickets);
    }
    return ticket;
}
",
        );
        dispatch.uniforms.push(("u_tickets", tickets));
    })
}

const STATES: &str = "scan/common/states.glsl";

/// The shader with this after the states of tiles, whose function for tickets is `draw_ticket` now.
fn with_tickets(shader: &Shader, further: &str) -> Shader {
    const TICKET: &str = "int take_ticket(";
    let text = shader.included(STATES).expect("the states of tiles");
    assert!(text.contains(TICKET), "the states have other names");
    shader.with_include(STATES, format!("{}{further}", text.replace(TICKET, "int draw_ticket(")))
}

/// The shader without tickets in which the first group is held up.
fn holding_first_group(shader: &Shader) -> Shader {
    const LOOK_BACK: &str = "scan/common/look_back.glsl";
    const TILE: &str = "int tile = group_index();";
    let text = shader.included(LOOK_BACK).expect("look-back");
    assert!(text.contains(TILE), "look-back has other names");
    let held = format!(
        "{TILE}
    int last = (u_first + u_groups - 1) * TUPLE * SUM_WORDS;
    int seen = 0; // looks that found a state of the last tile
    for (int look = 0; tile == 0 && look < 20000 && seen < 5000; look++) {{
        seen += int(b_states[last].x != 0u);
    }}"
    );
    shader.with_include(LOOK_BACK, text.replace(TILE, &held))
}

/// The shader with states in which a published value is found only if `known` accepts its number. With `one_each`, a
/// group gets one ticket.
fn with_states(shader: &Shader, known: &str, one_each: bool) -> Shader {
    const LOOK: &str = "uint look_at(";
    let text = shader.included(STATES).expect("the states of tiles");
    assert!(text.contains(LOOK), "the states have other names");
    let shader = shader.with_include(STATES, text.replace(LOOK, "uint find("));
    // An unknown number was never published.
    let further = format!(
        "
uniform int u_silent, u_seed;
bool publishes(int tile) {{
    uint mixed = uint(tile) * 0x9E3779B9u + uint(u_seed) * 0x85EBCA6Bu;
    mixed = (mixed ^ mixed >> 16) * 0x7FEB352Du;
    mixed = (mixed ^ mixed >> 15) * 0x846CA68Bu;
    return int((mixed ^ mixed >> 16) % 100u) >= u_silent;
}}
uint look_at_what_is(int at, out Sum sum, bool known) {{
    uint status = find(at, sum);
    if (!known) {{
        sum = sum_of_words(uvec4(0x9E3779B9u));
        status = NOTHING;
    }}
    return status;
}}
#define look_at(at, sum) look_at_what_is(at, sum, {known})
bool t_has_a_ticket = false;
int take_ticket(int part) {{
    int ticket = t_has_a_ticket && {one_each} ? 0x7FFFFFFF : draw_ticket(part);
    t_has_a_ticket = true;
    return ticket;
}}
"
    );
    with_tickets(&shader, &further)
}
