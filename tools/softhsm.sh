#!/usr/bin/env bash
# Prints the path of SoftHSM's PKCS#11 library, with its tool at ../../bin from there. Where SoftHSM is not installed, its
# Debian packages are unpacked below build/, without root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly TREE=$PWD/build/softhsm
for tree in "" "$TREE"; do
    if [ -f "$tree/usr/lib/softhsm/libsofthsm2.so" ] && [ -x "$tree/usr/bin/softhsm2-util" ]; then
        echo "$tree/usr/lib/softhsm/libsofthsm2.so"
        exit
    fi
done
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
mkdir -p "$TREE"
chmod 755 "$unpacked"
if [ "$(id -u)" -eq 0 ]; then apt-get update -qq >&2 || true; fi
(cd "$unpacked" && apt-get download -qq libsofthsm2 softhsm2 >&2)
for package in "$unpacked"/*.deb; do dpkg-deb -x "$package" "$TREE"; done
echo "$TREE/usr/lib/softhsm/libsofthsm2.so"
