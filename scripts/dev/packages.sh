# Debian packages: one dpkg-query finds what is missing, and only then is apt touched.

# need_packages REASON PACKAGE...
need_packages() {
  local reason="$1"
  shift
  if ! command -v dpkg-query >/dev/null; then
    say "dev: this is not a Debian system, so packages are not checked. For $reason you need: $*"
    return 0
  fi
  local missing
  missing="$(comm -23 <(printf '%s\n' "$@" | sort) <(installed_of "$@" | sort))"
  [[ -z "$missing" ]] && return 0
  # shellcheck disable=SC2086 # one word for each package
  install_packages "$reason" $missing
}

installed_of() {
  dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true
}

install_packages() {
  local reason="$1"
  shift
  local -a become=()
  if [[ $EUID -ne 0 ]]; then
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      become=(sudo)
    else
      say "dev: $reason needs Debian packages that are missing, and there is neither root nor sudo to install them."
      say "     As root, run:  apt-get install $*"
      exit 1
    fi
  fi
  local log=out/packages.log
  mkdir -p out
  say "dev: installing for $reason: $*"
  say "     (what apt says goes to $log)"
  run_apt() {
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --yes -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1 && return 0
    tail -n 20 "$log" >&2
    die "apt-get $1 failed; all of it: $log"
  }
  : >"$log"
  stage "package lists" run_apt update
  stage "packages" run_apt install --no-install-recommends "$@"
}

compiler_packages=(
  g++ cmake ninja-build mold pkg-config
  nlohmann-json3-dev libsimdjson-dev libspdlog-dev libfmt-dev libboost1.74-dev libcli11-dev
  catch2 libxxhash-dev libfast-float-dev libisal-dev zlib1g-dev libsqlite3-dev libre2-dev libcpp-httplib-dev libssl-dev
)
node_packages=(nodejs npm) # only where no other Node is there

need_compiler() { need_packages "building" "${compiler_packages[@]}"; }
need_clang_format() { need_packages "formatting" clang-format; }
need_clang_fuzzer() { need_packages "fuzzing" clang libclang-rt-14-dev; }
need_clang_tidy() { need_packages "linting" clang-tidy; }

has_node() { command -v node >/dev/null && command -v npm >/dev/null; }
need_compiler_and_node() {
  if has_node; then need_compiler; else need_packages "building and testing" "${compiler_packages[@]}" "${node_packages[@]}"; fi
}
