# Runs rasterscan, or its tests, on Windows. ".\run.ps1 help" says how.
param(
    [Parameter(Position = 0)] [string] $Command = 'help',
    [Parameter(Position = 1, ValueFromRemainingArguments)] [string[]] $Arguments = @()
)

$ErrorActionPreference = 'Stop'
$root = $PSScriptRoot

function Stop-With([string] $message) {
    [Console]::Error.WriteLine("run: $message")
    exit 1
}

# Rust of the version that the project needs, with its linker.
function Test-Rust {
    $line = (Select-String -Path (Join-Path $root 'Cargo.toml') -Pattern '^rust-version = "([0-9.]+)"')
    $needed = [version] $line.Matches[0].Groups[1].Value
    if (-not (Get-Command cargo -ErrorAction SilentlyContinue)) {
        Stop-With "Rust $needed or newer is needed: winget install Rustlang.Rustup"
    }
    $found = [version] (((& rustc --version) -split ' ')[1] -replace '-.*', '')
    if ($found -lt $needed) {
        Stop-With "Rust $needed or newer is needed, and this is ${found}: rustup update"
    }
}

function Invoke-Cargo {
    & cargo @args
    if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
}

function Invoke-Rasterscan([string[]] $words) {
    # The program names itself in hints; this is how it was called.
    $env:RASTERSCAN_CALLED = '.\run.ps1'
    # Without the window, the build takes less than half of the time. Once the window is built, it stays.
    $window = @($words | Where-Object { $_ -in 'app', 'completions', 'man' }).Count -gt 0
    $built = Test-Path (Join-Path $root 'target/release/deps/librasterscan_app-*.rlib')
    $form = if ($window -or $built) { @() } else { @('--no-default-features') }
    Invoke-Cargo run --release --locked --quiet @form --manifest-path (Join-Path $root 'Cargo.toml') `
        --package rasterscan-cli --bin rasterscan '--' @words
}

switch ($Command) {
    'help' {
        @'
.\run.ps1 demo [ARGS]  every scan and compaction on the bundled image, each result verified
.\run.ps1 app [ARGS]   the visual app: algorithms at work, pass by pass, and a tour
.\run.ps1 test         the tests that need no GPU, and two minutes of conformance on this one
.\run.ps1 help         this text
.\run.ps1 ANY [ARGS]   rasterscan ANY [ARGS]: info, list, scan ...; ".\run.ps1 --help" shows them all

Rust and the C++ build tools of Visual Studio are needed, and the graphics driver of the GPU's maker.
'@
    }
    'test' {
        Test-Rust
        Push-Location $root
        try {
            Invoke-Cargo test --locked --workspace --lib --bins --test plans --test glsl
            Invoke-Rasterscan @('selftest', '--seconds', '120')
        } finally {
            Pop-Location
        }
    }
    default {
        Test-Rust
        Invoke-Rasterscan (@($Command) + $Arguments)
    }
}
