# What the developer sees: one line for each stage, with its seconds. Colours only on a terminal.

if [[ -t 2 && -z "${NO_COLOR:-}" ]]; then
  ui_bold=$'\e[1m' ui_red=$'\e[31m' ui_off=$'\e[0m'
else
  ui_bold='' ui_red='' ui_off=''
fi

say() { printf '%s\n' "$*" >&2; }

die() {
  printf '%s%s%s\n' "$ui_red" "dev: $*" "$ui_off" >&2
  exit 1
}

# stage TITLE COMMAND...: runs it and tells how long it took. The command's exit code is returned.
stage() {
  local title="$1" began=$SECONDS code=0
  shift
  say "${ui_bold}== ${title}${ui_off}"
  "$@" || code=$?
  say "== ${title}: $((SECONDS - began)) s"
  return "$code"
}
