// A chart as inline SVG: bars that take the width there is, with their names and figures as text beside them, so that
// nothing overlaps at any width and a screen reader has the words. [any thread]
#pragma once

#include <string>

#include "core/report/document.h"

namespace stepwise::report {

std::string html_of(const Chart& chart);

}  // namespace stepwise::report
