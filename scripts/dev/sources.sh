# The C and C++ files of the repository: what git would see, without needing git.
cxx_sources() {
  find clients core plugins protocol sandbox tests -name node_modules -prune -o -type f \
    \( -name '*.h' -o -name '*.hpp' -o -name '*.cc' -o -name '*.c' \) -print0 | sort -z
}
