#!/usr/bin/env bash
# Makes .venv and node_modules from the two locks. Run again it does nothing until a lock changes.
# Needs Python 3.11 or newer; needs no root. PYTHON=/path/to/python chooses the interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly VENV=.venv STAMPS=.venv/.setup OLDEST_NODE=20
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PYTHONNOUSERSITE=1

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

works() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# A stamp holds what its step was made from: the folder, the interpreter and the digests of the named files.
state_of() {
    pwd
    readlink -f "$VENV/bin/python"
    cat "$@" | sha256sum
}
is_fresh() { [ -f "$STAMPS/$1" ] && [ "$(state_of "${@:2}")" = "$(cat "$STAMPS/$1")" ]; }
stamp() {
    mkdir -p "$STAMPS"
    state_of "${@:2}" >"$STAMPS/$1.new"
    mv "$STAMPS/$1.new" "$STAMPS/$1"
}

# Scripts in an environment hold the path of its folder: one that was moved here is of no use.
venv_stands() {
    works "$VENV/bin/python" || return 1
    if [ -f "$STAMPS/python" ]; then
        [ "$(head -n 1 "$STAMPS/python")" = "$PWD" ]
    else
        "$VENV/bin/python" -m pip --version >/dev/null 2>&1
    fi
}

find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if works "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    die "Python 3.11 or newer was expected on PATH, found $(python3 --version 2>/dev/null || echo none)." \
        "Install it (Debian 12 or later: apt-get install python3) or name it: make PYTHON=/path/to/python3"
}

# Debian keeps pip's seed in a package of its own, python3-venv. Without it the venv is made bare and pip brought in.
make_venv() {
    local python=$1
    rm -rf "$VENV"
    say "making $VENV with $python"
    if "$python" -c 'import ensurepip' 2>/dev/null && "$python" -m venv "$VENV"; then return; fi
    rm -rf "$VENV"
    if "$python" -m venv --without-pip "$VENV" 2>/dev/null && seed_pip "$python"; then return; fi
    rm -rf "$VENV"
    if "$python" -m virtualenv "$VENV" >/dev/null 2>&1; then return; fi
    rm -rf "$VENV"
    die "$python cannot make a virtual environment. As root: apt-get install python3-venv; then run make again"
}

# Tries, without root: a pip that is there already, a pip wheel on this disk, Debian's pip wheel package.
seed_pip() {
    local python=$1 site wheel unpacked
    site=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    if "$python" -m pip install -qq --target "$site" pip 2>/dev/null; then return; fi
    wheel=$(find /usr/share/python-wheels -name 'pip-*.whl' 2>/dev/null | head -n 1)
    if [ -z "$wheel" ] && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
        unpacked=$(mktemp -d)
        # shellcheck disable=SC2064 # the folder's name is wanted as it is now
        trap "rm -rf '$unpacked'" EXIT
        if [ "$(id -u)" -eq 0 ]; then apt-get update -qq || true; fi
        (cd "$unpacked" && apt-get download -qq python3-pip-whl && dpkg-deb -x python3-pip-whl_*.deb .) \
            >/dev/null 2>&1 || true
        wheel=$(find "$unpacked" -name 'pip-*.whl' | head -n 1)
    fi
    if [ -z "$wheel" ]; then return 1; fi
    say "bringing pip into $VENV from $(basename "$wheel")"
    "$VENV/bin/python" "$wheel/pip" install -q --no-index "$wheel"
}

install_python_packages() {
    say "installing the pinned Python packages"
    local other
    for other in opencv-python-headless opencv-contrib-python; do
        # Another build of the same module shares its files with the pinned one: both go, the pinned one comes back.
        if "$VENV/bin/python" -m pip show -q "$other" >/dev/null 2>&1; then
            "$VENV/bin/python" -m pip uninstall -q -y "$other" opencv-python 2>/dev/null
        fi
    done
    "$VENV/bin/python" -m pip install -qq --require-hashes --no-deps --only-binary :all: -r requirements.lock
    if ! opencv_loads; then install_opencv_libraries; fi
}

opencv_loads() { "$VENV/bin/python" -c 'import cv2' >/dev/null 2>&1; }

# OpenCV with windows needs libGL and glib from the system. Root installs them; without root the build of OpenCV without
# windows takes its place, which needs neither and lacks only the preview window.
install_opencv_libraries() {
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        say "installing libGL and glib, which OpenCV needs"
        (export DEBIAN_FRONTEND=noninteractive
         apt-get update -qq && apt-get install -y -qq --no-install-recommends libgl1 libglib2.0-0) >/dev/null 2>&1 || true
        if opencv_loads; then return; fi
    fi
    say "OpenCV finds no libGL or glib here: installing its build without windows" \
        "(for camera windows, as root: apt-get install libgl1 libglib2.0-0)"
    "$VENV/bin/python" -m pip uninstall -q -y opencv-python
    "$VENV/bin/python" -m pip install -qq --require-hashes --no-deps --only-binary :all: -r requirements-headless.lock
    local trouble
    if ! trouble=$("$VENV/bin/python" -c 'import cv2' 2>&1); then
        die "OpenCV was installed but does not load: ${trouble##*$'\n'}." \
            "Install the system package that holds the library named here (Debian: apt-get install libstdc++6 zlib1g)"
    fi
}

install_project() {
    say "installing cardcert itself, as it lies here"
    "$VENV/bin/python" -m pip install -qq --no-index --no-deps --no-build-isolation -e .
}

node_is_enough() {
    local major
    command -v node >/dev/null && command -v npm >/dev/null || return 1
    major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p')
    [ -n "$major" ] && [ "$major" -ge "$OLDEST_NODE" ]
}

install_allure() {
    if ! node_is_enough; then
        PATH=$PWD/$VENV/bin:$PATH
        hash -r
        if ! node_is_enough; then
            say "no Node.js $OLDEST_NODE or newer with npm on PATH: installing the pinned one into $VENV"
            "$VENV/bin/python" -m pip install -qq --require-hashes --no-deps --only-binary :all: -r requirements-node.lock
            hash -r
        fi
    fi
    say "installing the pinned Allure with $(command -v node)"
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
}

main() {
    local python
    if command -v flock >/dev/null; then
        mkdir -p build
        exec 9>build/setup.lock
        flock 9
    fi
    if ! venv_stands; then
        python=$(find_python)
        make_venv "$python"
    fi
    if ! is_fresh python requirements.lock requirements-headless.lock; then
        install_python_packages
        stamp python requirements.lock requirements-headless.lock
    fi
    if ! is_fresh project pyproject.toml; then
        install_project
        stamp project pyproject.toml
    fi
    if [ ! -d node_modules/allure ] || ! is_fresh allure package.json package-lock.json requirements-node.lock; then
        install_allure
        stamp allure package.json package-lock.json requirements-node.lock
    fi
}

main "$@"
