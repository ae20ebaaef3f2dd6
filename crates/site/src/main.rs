//! Makes the folder of the page from the module that cargo built for wasm32-unknown-unknown, and serves it.
//!
//! The folder is static: any file server can serve it, below any path, without a network of its own. `./run web` calls
//! this program.

#![deny(unsafe_code)]

mod serve;

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

/// The files beside the module, as they are.
const PAGE: [(&str, &[u8]); 13] = [
    ("index.html", include_bytes!("../page/index.html")),
    ("page.css", include_bytes!("../page/page.css")),
    ("page.js", include_bytes!("../page/page.js")),
    ("compare.html", include_bytes!("../page/compare.html")),
    ("compare.js", include_bytes!("../page/compare.js")),
    ("measure.js", include_bytes!("../page/measure.js")),
    ("figure.js", include_bytes!("../page/figure.js")),
    ("worker.js", include_bytes!("../page/worker.js")),
    ("lessons/scans.toml", include_bytes!("../../lesson/lessons/scans.toml")),
    ("lessons/compaction.toml", include_bytes!("../../lesson/lessons/compaction.toml")),
    ("lessons/gallery.toml", include_bytes!("../../lesson/lessons/gallery.toml")),
    ("languages/de.toml", include_bytes!("../../lesson/languages/de.toml")),
    ("lecture.html", include_bytes!("../../../docs/lecture.html")),
];

/// Makes the folder of the page, and serves it
#[derive(Parser)]
struct Options {
    /// The module that cargo built: rasterscan_web.wasm
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// The files that are put beside the module, instead of the app's
    #[arg(long, value_name = "FILE", requires = "module", num_args = 1..)]
    beside: Vec<PathBuf>,
    /// The folder to make or to serve
    #[arg(long, value_name = "FOLDER", default_value = "dist")]
    folder: PathBuf,
    /// Serve the folder to this machine, until interrupted. Other machines get no answer: for them, any file server can
    /// serve the folder
    #[arg(long)]
    serve: bool,
    /// The port to serve on; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 8000, requires = "serve")]
    port: u16,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if let Some(module) = &options.module {
        make(module, &options)?;
    }
    if options.serve {
        serve::serve(&options.folder, options.port)?;
    }
    Ok(())
}

/// Writes the folder: the module with its glue, and the files beside it.
fn make(module: &Path, options: &Options) -> Result<()> {
    let (folder, beside) = (options.folder.as_path(), options.beside.as_slice());
    let read = |file: &PathBuf| {
        let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok((file.file_name().context("a file has a name")?.to_owned(), content))
    };
    let files = match beside {
        [] => PAGE.map(|(name, content)| (name.into(), content.to_vec())).to_vec(),
        files => files.iter().map(read).collect::<Result<Vec<(OsString, _)>>>()?,
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.generate(folder).with_context(|| format!("cannot read {}", module.display()))?;
    let name = module.file_stem().context("the module has a name")?.to_string_lossy();
    let made = folder.join(format!("{name}_bg.wasm"));
    let wasm = fs::read(&made)?;
    for (name, mut content) in files {
        let file = folder.join(name);
        if file.ends_with("index.html") {
            content = String::from_utf8(content)?.replace("MODULE_BYTES", &wasm.len().to_string()).into();
        }
        fs::create_dir_all(file.parent().context("a file lies in a folder")?)?;
        fs::write(file, content)?;
    }
    let packed = gzipped(&wasm)?;
    eprintln!(
        "{}: {:.2} MB of wasm, {:.2} MB gzipped",
        folder.display(),
        mega(wasm.len()),
        mega(packed.len())
    );
    if beside.is_empty() {
        let glue = folder.join(format!("{name}.js"));
        fs::write(glue.with_extension("js.gz"), gzipped(&fs::read(glue)?)?)?;
        fs::write(made.with_extension("wasm.gz"), packed)?;
    }
    Ok(())
}

fn mega(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

fn gzipped(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?)
}
