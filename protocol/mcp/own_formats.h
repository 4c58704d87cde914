// What is read, as Markdown: kinds of profiles, and which table comes from which kind of file, out of the declarations
// that the readers themselves go by.
#pragma once

#include <string>

namespace stepwise::mcp {

std::string formats_page();

}  // namespace stepwise::mcp
