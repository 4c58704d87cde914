// Lists and trees that a tool's answer holds beside its rows, as tables. [any thread]
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/report/document.h"
#include "core/report/words.h"

namespace stepwise::report {

/// Whether a value is a list of objects: a table of its own, no figure.
bool is_table(const Json& value);
/// Every such list of a tool's body, and of the objects in it, under a heading of its own, in the order of their keys;
/// objects with `children` are shown as a tree, by indentation. Long ones are cut, and say so: report.json has them
/// whole.
void add_lists(Lang lang, const std::string& tool, const Json& answer, Document& out);

}  // namespace stepwise::report
