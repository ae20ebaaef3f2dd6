//! The tour's progress, in the cache folder from start to start.

use std::fs;

use rasterscan_app::App;

use crate::cache::Cache;

/// The file in the folder.
const FILE: &str = "tour.txt";
/// The most bytes that are read: more is no progress.
const MOST: usize = 1 << 16;

/// The app with the progress that was kept, and a place for later ones. Without a cache nothing is kept.
pub fn with_progress(app: App) -> App {
    let cache = Cache::from_environment();
    let Some(folder) = cache.folder().map(std::path::Path::to_path_buf) else { return app };
    let text = fs::read_to_string(folder.join(FILE)).ok().filter(|text| text.len() <= MOST);
    let keep = move |progress: &str| {
        // Progress that cannot be kept is no error: the tour begins again.
        let whole = fs::create_dir_all(&folder).is_ok();
        if whole && let Err(error) = rasterscan::tools::output::write(&folder.join(FILE), progress.as_bytes())
        {
            tracing::debug!("the progress of the tour is not kept: {error}");
        }
    };
    app.with_progress(&text.unwrap_or_default(), Box::new(keep))
}
