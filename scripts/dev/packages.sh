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
  say "dev: installing for $reason: $*"
  run_apt() { "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2; }
  run_apt update || die "apt-get update failed: is the network reachable?"
  run_apt install --yes --no-install-recommends "$@" || die "apt-get could not install: $*"
}

need_compiler() {
  need_packages "building" \
    g++ cmake ninja-build mold pkg-config \
    nlohmann-json3-dev libsimdjson-dev libspdlog-dev libfmt-dev libboost1.74-dev libcli11-dev \
    catch2 libxxhash-dev libfast-float-dev zlib1g-dev
}

need_clang_format() { need_packages "formatting" clang-format; }
need_clang_tidy() { need_packages "linting" clang-tidy; }
