# The nightly form of the tests: what takes long and rarely fails, and drivers that the other forms do not try. `run`
# reads this file, whose functions use those of `run`.
# shellcheck shell=sh disable=SC2154 # variables of run

# Where drivers are that apt-get does not have, and what a driver leaves behind.
nightly_folder() { echo "$(built)/nightly"; }

# --- Drivers -------------------------------------------------------------------------------------

drivers='zink softpipe virgl angle webkit'

# What each is, and the part of the renderer's name that proves that it draws: where a driver is not found, Mesa takes
# another one.
about_driver() {
    case $1 in
    zink) echo "zink: Mesa's OpenGL over Vulkan, here over lavapipe" ;;
    softpipe) echo "softpipe: Mesa's other software renderer, without compute shaders" ;;
    virgl) echo 'virgl: the OpenGL of virtual machines, drawn by a server on this one' ;;
    angle) echo "angle: the OpenGL ES of Chromium as a native driver, over SwiftShader's Vulkan" ;;
    webkit) echo 'webkit: the page in WebKitGTK, the relative of Safari that Linux has' ;;
    esac
}

has_webkit() {
    /usr/bin/python3 -c 'import gi; gi.require_version("Gtk", "3.0"); gi.require_version("WebKit2", "4.1")' 2>/dev/null &&
        have Xvfb
}

# Whether a driver is installed; says what it lacks.
has_nightly_driver() {
    case $1 in
    zink) library 'libvulkan_lvp.so' || { echo 'mesa-vulkan-drivers' && false; } ;;
    softpipe) has_mesa || { echo 'libgl1-mesa-dri' && false; } ;;
    virgl) have virgl_test_server || { echo 'virgl-server' && false; } ;;
    angle) [ -e "$(nightly_folder)/angle/libEGL.so.1" ] || { echo 'the npm package @sparticuz/chromium' && false; } ;;
    webkit) has_webkit || { echo 'gir1.2-webkit2-4.1, python3-gi, xvfb' && false; } ;;
    esac
}

# On Debian drivers are packages, except ANGLE: an npm package with a browser has its libraries.
set_up_drivers() {
    packages=
    library 'libvulkan_lvp.so' || packages="$packages mesa-vulkan-drivers"
    have virgl_test_server || packages="$packages virgl-server"
    has_webkit || packages="$packages gir1.2-webkit2-4.1 python3-gi"
    have npm || packages="$packages npm"
    # shellcheck disable=SC2086 # a list of words
    install_for_tests $packages
    has_nightly_driver angle >/dev/null || get_angle || say 'ANGLE could not be unpacked'
}

# The version is one that was tried.
get_angle() {
    have npm && have node || return 1
    angle=$(nightly_folder)/angle
    mkdir -p "$angle"
    (
        cd "$angle" && npm pack --silent @sparticuz/chromium@147.0.0 >&2 && tar -xzf ./*.tgz package/bin/swiftshader.tar.br &&
            node -e 'const { createReadStream } = require("fs"); const { createBrotliDecompress } = require("zlib");
                createReadStream(process.argv[1]).pipe(createBrotliDecompress()).pipe(process.stdout)' \
                package/bin/swiftshader.tar.br | tar -x --no-same-owner && rm -r ./*.tgz package && ln -sf libEGL.so libEGL.so.1 &&
            ln -sf libGLESv2.so libGLESv2.so.2
    )
}

# The seconds for which a driver's conformance is checked, the longest that one job may take, and the length of a long stream.
selftest_seconds=120
job_seconds=900
long=2^20

# Checks the program with a driver: $1 is part of its renderer's name, which proves that no other driver draws; the rest is
# its environment.
check_driver() {
    renderer=$1
    shift
    driver_log=$(mktemp)
    if ! run_on "$driver_log" info "$@" || ! grep -q "^device .*$renderer" "$driver_log"; then
        cat "$driver_log" >&2
        rm "$driver_log"
        say "$renderer does not draw here"
        return 1
    fi
    grep '^device ' "$driver_log"
    wrong=
    while read -r job; do
        job_began=$(date +%s)
        if run_on "$driver_log" "$job" "$@"; then job_outcome=right; else
            job_outcome="exit $?"
            wrong=yes
            tail -n 20 "$driver_log" >&2
        fi
        printf '%s\n' "   $job: $job_outcome, $(($(date +%s) - job_began)) s"
    done <<JOBS
scan values:5,6,7 -a all
scan values:5,6,7 -a all --exclusive
compact random:n=70001,seed=1,keep=0.01 -a all
reduce random:n=70001,seed=1 -a all
scan random:n=$long,seed=1 -a all
compact random:n=$long,seed=1,keep=0.00001
reduce random:n=$long,seed=1
demo
selftest --seconds $selftest_seconds
JOBS
    rm "$driver_log"
    [ -z "$wrong" ]
}

# Writes to the file $1 what the program says to the words $2, with the rest as its environment.
run_on() {
    run_log=$1
    run_words=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    timeout "$job_seconds" env RASTERSCAN_CACHE=off "$@" "$(built)/debug/rasterscan" $run_words </dev/null >"$run_log" 2>&1
}

check_zink() {
    check_driver zink MESA_LOADER_DRIVER_OVERRIDE=zink LIBGL_ALWAYS_SOFTWARE=1 RASTERSCAN_DEVICE=software
}

# It uses one core. In a shell of its own, for a shorter stream.
check_softpipe() (
    long=2^16
    check_driver softpipe GALLIUM_DRIVER=softpipe LIBGL_ALWAYS_SOFTWARE=1 RASTERSCAN_DEVICE=software
)

# In a shell of its own, which ends the server. The server must not have the client's GALLIUM_DRIVER: it would call itself. The
# socket is the one that both have by default: older clients know no other.
check_virgl() (
    socket=/tmp/.virgl_test
    rm -f "$socket"
    env -u GALLIUM_DRIVER -u MESA_LOADER_DRIVER_OVERRIDE virgl_test_server --use-egl-surfaceless >&2 &
    server=$!
    trap 'kill $server 2>/dev/null' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ ! -S "$socket" ] || break
        sleep 1
    done
    check_driver virgl GALLIUM_DRIVER=virpipe RASTERSCAN_DEVICE=software
)

# It lists no devices: the program takes its default display.
check_angle() {
    angle=$(nightly_folder)/angle
    check_driver ANGLE RASTERSCAN_API=gles LD_LIBRARY_PATH="$angle" ANGLE_DEFAULT_PLATFORM=swiftshader \
        VK_ICD_FILENAMES="$angle/vk_swiftshader_icd.json"
}

# In a shell of its own, which ends the servers.
check_webkit() (
    folder=$(mktemp -d)
    trap 'kill $servers 2>/dev/null; rm -r "$folder"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    Xvfb -displayfd 1 -screen 0 1280x800x24 >"$folder/display" 2>/dev/null &
    servers=$!
    "$(built)/debug/rasterscan-site" --serve --port 0 --folder "$(built)/site" >"$folder/url" &
    servers="$servers $!"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ ! -s "$folder/display" ] || [ ! -s "$folder/url" ] || break
        sleep 1
    done
    DISPLAY=":$(cat "$folder/display")" /usr/bin/python3 tests/nightly/webkit.py "$(cat "$folder/url")"
)

# --- All of it -----------------------------------------------------------------------------------

fuzz_seconds=600

describe_nightly() {
    cat <<TEXT
== the nightly form covers
   each reader of files: damaged files for $fuzz_seconds s
   each shader: changes that results do not show, and those that kernels do not notice, are counted, and judged by a person
   OpenGL ES 3.0: the matrix of all scans; the largest plans' proofs, the longest runs beside kernels, all shaders at all levels
   the costs that plans state: every length to 4,096
   as far as a compiler tells: the program on macOS, the app without a window, what cargo would publish
   the code of other projects in peers/, with its dependencies
   Windows: the program is built, and runs under Wine
   ranks of MPI: 100 jobs in which one dies at a random moment
   the Python package: 2,000 random calls beside numpy, and a wheel from the source package alone, whose README runs
TEXT
    not_covered=
    for driver in $drivers; do
        if lack=$(has_nightly_driver "$driver"); then
            printf '   %s\n' "$(about_driver "$driver")"
        else
            not_covered="$not_covered $driver"
            printf '   NOT COVERED: %s; it needs %s\n' "$(about_driver "$driver")" "$lack"
        fi
    done
}

# Under four hours on two cores, from the build of the full form.
nightly_steps() {
    set_up_test_programs
    set_up_drivers
    set_up_web
    set_up_python
    set_up_mpi
    set_up_target "$macos"
    set_up_windows
    have wine || install_for_tests wine wine64
    describe_nightly
    step 'fuzzers' env RASTERSCAN_FUZZ_SECONDS=$fuzz_seconds cargo test --locked --workspace --no-fail-fast \
        --lib --bins --test lesson -- fuzz damaged_files
    step 'costs of every length' env RASTERSCAN_EVERY_LENGTH=1 cargo test --locked --workspace --test costs
    step 'thresholds of every length' env RASTERSCAN_EVERY_LENGTH=1 cargo test --locked --workspace --test gl -- --level all thresholds
    step 'kernels beside other levels' cargo test --locked --workspace --test kernels -- --level gl33,gles,gles30
    step 'kernels of long runs' cargo test --locked --workspace --test kernels -- --level native \
        single_pass::select single_pass::in_parts recording::
    step 'proofs of the largest plans' cargo test --locked --workspace --test gl -- --level native,gl33 proof::sam proof::tuples
    step 'every shader compiles at every level' cargo test --locked --workspace --test gl -- --level all every_expanded_shader
    step 'turns of more lengths' env RASTERSCAN_EVERY_LENGTH=1 cargo test --locked --workspace --test turns
    step 'OpenGL ES 3.0' cargo test --locked --workspace --test gl -- --level gles30 conformance
    step 'clippy, app without a window' clippy --package rasterscan-app --lib
    step 'peers' check_peers
    step 'macOS, as far as a compiler tells' check_macos
    step 'the program for Windows' build_for_windows
    step 'the program for Windows, under Wine' test_under_wine
    step 'the packages compile' check_packages
    step 'the program' cargo test --locked --workspace --test cli --no-run
    step 'the page' make_site_to_test
    step 'the npm package' make_npm_pages_to_test
    step 'the npm package, with a million splats' env RASTERSCAN_SPLATS=1000000 RASTERSCAN_PATIENCE=600 RASTERSCAN_SITE="$(built)/site" \
        cargo test --locked --workspace --test page npm:: -- --test-threads 1 --include-ignored --nocapture
    step 'the page, 2,000 cases of conformance' env RASTERSCAN_PAGE_CASES=2000 RASTERSCAN_SITE="$(built)/site" \
        cargo test --locked --workspace --test page the_cases_of_conformance
    for driver in $drivers; do
        case " $not_covered " in
        *" $driver "*) ;;
        *) step "driver: $driver" "check_$driver" ;;
        esac
    done
    step 'the Python package' make_wheel
    RASTERSCAN_KILLS=100 step 'ranks of MPI, 100 jobs' check_mpi
    RASTERSCAN_CALLS=2000 step 'the Python package, 2,000 calls' test_wheel
    step 'the Python package, from its source' build_sdist
    step 'mutants, by results' cargo test --locked --workspace --test mutants
    step 'mutants, by kernels' cargo test --locked --workspace --test mutants -- --kernels
    all_passed
    if [ -n "$not_covered" ]; then
        printf '%s\n' "== passed, but NOT COVERED:$not_covered"
    else
        printf '%s\n' '== all passed: the nightly form'
    fi
}
