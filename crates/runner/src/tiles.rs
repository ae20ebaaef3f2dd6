//! The tiles of a dispatch.

use rasterscan::plan::{Access, Command, Dispatch, Plan, Slot};

/// The value of a `#define`.
pub fn define(dispatch: &Dispatch, name: &str) -> Option<usize> {
    dispatch.defines.iter().find(|(known, _)| *known == name).map(|(_, value)| *value as usize)
}

/// The items in a tile of a dispatch; `None` if it has no tiles.
pub fn tile(dispatch: &Dispatch) -> Option<usize> {
    let [tuple, rows, lanes] = ["TUPLE", "ROWS", "LANES"].map(|name| define(dispatch, name));
    let (tuple, rows, lanes) = (tuple?, rows?, lanes?);
    let vector = define(dispatch, "VECTOR")?;
    if dispatch.shader.path().ends_with("_in_series.comp") {
        return Some(rows * vector);
    }
    let width = if tuple > vector { lanes / (tuple / vector) * (tuple / vector) } else { lanes };
    Some(dispatch.invocations as usize / lanes * rows * width * vector)
}

/// Items in a tile of the caller's stream.
pub fn tile_of(plan: &Plan) -> usize {
    let mut tiles = plan.passes().iter().filter_map(|pass| match &pass.command {
        Command::Dispatch(dispatch) => tile(dispatch),
        _ => None,
    });
    tiles.next().expect("a plan in tiles")
}

/// Chunks in the ring of `sam`.
pub fn ring_of(plan: &Plan) -> Option<usize> {
    plan.passes().iter().find_map(|pass| match &pass.command {
        Command::Dispatch(dispatch) => define(dispatch, "RING"),
        _ => None,
    })
}

/// Returns true if a dispatch writes a slot.
pub fn writes(dispatch: &Dispatch, slot: Slot) -> bool {
    dispatch.bindings.iter().any(|binding| binding.slot == slot && binding.access != Access::Read)
}
