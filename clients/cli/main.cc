// stepwise: the program.
#include "clients/cli/program.h"

int main(int argc, char** argv) { return stepwise::cli::run_program(argc, argv, {}); }
