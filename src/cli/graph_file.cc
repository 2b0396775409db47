#include "cli/graph_file.h"

#include "base/file.h"
#include "base/process.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;
constexpr double drawing_limit = 60;  ///< seconds
constexpr int not_found = 127;        ///< what a shell says of a program that is not there

/// Draws `source` to `source`.svg. An error names the source, which is there to be drawn otherwise.
Status draw(const fs::path& source) {
  const auto code = run_command("dot -Tsvg -O", source.string(), drawing_limit);
  if (code && *code == 0) return {};
  if (code && *code == not_found)
    return fail(Error::Kind::not_found, "Graphviz is not installed (there is no program dot)",
                source.string(), "install graphviz, or draw that file elsewhere");
  if (!code && code.error().kind == Error::Kind::timeout)
    return fail(Error::Kind::timeout, "dot did not draw the graph within a minute: it is too large",
                source.string(), "draw that file with sfdp -Tsvg -Goverlap=prism");
  return fail(Error::Kind::io, "dot could not draw the graph", source.string(), "look at that file");
}

}  // namespace

Status may_write_graph(const fs::path& path, bool force) {
  const fs::path ending = path.extension();
  if (ending != ".dot" && ending != ".gv" && ending != ".svg")
    return fail(Error::Kind::bad_input, "is no name for a graph", path.string(),
                "it ends in .svg (drawn), .dot or .gv");
  return may_write(path, force);
}

Status write_graph(const fs::path& path, std::string_view dot, bool force) {
  NORN_CHECK(may_write_graph(path, force));
  if (path.extension() != ".svg") return write_file(path, dot);
  const fs::path source = fs::absolute(path).string() + ".dot";  // absolute: never taken for an option
  const fs::path drawn = source.string() + ".svg";
  NORN_CHECK(write_file(source, dot));
  const Status status = draw(source);
  std::error_code error, ignored;
  if (!status) return fs::remove(drawn, ignored), status;
  fs::rename(drawn, path, error);
  fs::remove(source, ignored);
  if (error) return fail(Error::Kind::io, "cannot be written: " + error.message(), path.string());
  return {};
}

}  // namespace norn::cli
