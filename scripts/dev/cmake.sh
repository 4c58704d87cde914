# Configuring and building a preset. cmake runs only when there is no build yet; ninja calls it again when needed.

source scripts/dev/packages.sh

jobs() { nproc; }

# The folder that CMakePresets.json gives a preset.
build_dir() { [[ "$1" == dev ]] && echo build || echo "build-$1"; }

# Where ccache is at hand, all clones and work trees of this machine share what it holds: the paths of one are left out
# of the key. (This is in the build's own rules, so that a plain ninja finds the same objects.)
ccache_options() {
  command -v ccache >/dev/null || return 0
  local language
  for language in C CXX; do
    printf -- '-DCMAKE_%s_COMPILER_LAUNCHER=env;CCACHE_BASEDIR=%s;CCACHE_NOHASHDIR=1;ccache\n' "$language" "$PWD"
  done
}

# build_preset PRESET [NINJA-TARGET...]
build_preset() {
  local preset="$1" dir
  shift
  dir="$(build_dir "$preset")"
  need_compiler
  if [[ ! -f "$dir/build.ninja" ]]; then
    local -a options
    mapfile -t options < <(ccache_options)
    cmake --preset "$preset" "${options[@]}" >&2
  fi
  ninja -C "$dir" -j "$(jobs)" "$@" >&2
}
