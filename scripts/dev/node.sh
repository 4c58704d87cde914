# Node and the npm parts of all clients: one lock file, installed anew only when it has changed.

source scripts/dev/packages.sh

oldest_node=18 # what Debian 12 has

need_node() {
  has_node || need_packages "testing" "${node_packages[@]}"
  local major
  major="$(node --version | sed 's/^v\([0-9]*\).*/\1/')"
  [[ "$major" -ge "$oldest_node" ]] || die "Node $oldest_node or later is needed; $(command -v node) is $(node --version)"
}

need_npm_parts() {
  need_node
  local stamp=clients/node_modules/.stepwise-lock lock
  lock="$(sha256sum clients/package-lock.json)"
  [[ -f "$stamp" && "$(<"$stamp")" == "$lock" ]] && return 0
  stage "npm parts" npm --prefix clients ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 ||
    die "npm ci failed in clients/: is the npm registry reachable?"
  printf '%s\n' "$lock" >"$stamp"
}
