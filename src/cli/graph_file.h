// Pictures of graphs. DOT is written as it is; SVG is drawn by Graphviz, which need only be there when it is
// wanted.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace norn::cli {

/// Whether a graph may be written there, said before the work: nothing is overwritten without `force`, and
/// the name ends in .dot, .gv or .svg.
Status may_write_graph(const std::filesystem::path& path, bool force);

/// Writes Graphviz text to a file: drawn where its name ends in .svg, else as it is. Error: the file is there
/// and `force` is not set, has another ending, Graphviz is not installed, somebody asked to stop, or it takes
/// longer than a minute; then the text is kept beside it as FILE.svg.dot, where that may be written too.
Status write_graph(const std::filesystem::path& path, std::string_view dot, bool force);

}  // namespace norn::cli
