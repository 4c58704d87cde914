# Configuring and building a preset. cmake runs only when there is no build yet; ninja calls it again when needed.

source scripts/dev/packages.sh

jobs() { nproc; }

# The folder that CMakePresets.json gives a preset.
build_dir() { [[ "$1" == dev ]] && echo build || echo "build-$1"; }

# build_preset PRESET [NINJA-TARGET...]
build_preset() {
  local preset="$1" dir
  shift
  dir="$(build_dir "$preset")"
  need_compiler
  if [[ ! -f "$dir/build.ninja" ]]; then
    local -a options=()
    command -v ccache >/dev/null && options=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake --preset "$preset" "${options[@]}" >&2
  fi
  ninja -C "$dir" -j "$(jobs)" "$@" >&2
}
