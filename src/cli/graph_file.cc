#include "cli/graph_file.h"

#include <string>

#include "base/file.h"
#include "base/process.h"
#include "base/scratch.h"
#include "cli/interrupt.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;
constexpr double drawing_limit = 60;  ///< seconds
constexpr int not_found = 127;        ///< what a shell says of a program that is not there

/// Draws the file to FILE.svg. What was asked to stop already is the work that is drawn: only what is asked
/// from now on ends the drawing too.
Status draw(const fs::path& file) {
  const std::stop_token asked = interruption();
  const auto code = run_command("dot -Tsvg -O", file.string(), drawing_limit,
                                asked.stop_requested() ? std::stop_token() : asked);
  if (code && *code == 0) return {};
  if (code && *code == not_found)
    return fail(Error::Kind::not_found, "Graphviz is not installed (there is no program dot)", {},
                "install graphviz, or draw the text elsewhere");
  if (!code && code.error().kind == Error::Kind::timeout)
    return fail(Error::Kind::timeout, "dot did not draw the graph within a minute: it is too large", {},
                "draw the text with sfdp -Tsvg -Goverlap=prism");
  if (!code && is_spent(code.error())) return std::unexpected(code.error());
  return fail(Error::Kind::io, "dot could not draw the graph", {}, "look at the text");
}

/// The graph as SVG.
Result<std::string> drawn(std::string_view dot) {
  const Scratch scratch;
  const fs::path source = scratch.folder() / "graph.dot";
  if (!scratch.ok()) return fail(Error::Kind::io, "there is nowhere to draw a graph", {}, "set TMPDIR");
  NORN_CHECK(write_file(source, dot));
  NORN_CHECK(draw(source));
  return read_file(source.string() + ".svg");
}

/// What could not be drawn is kept as text beside the picture, where nothing of somebody else's is; the error
/// says where.
Error kept_as_text(Error why, const fs::path& picture, std::string_view dot, bool force) {
  const fs::path text = picture.string() + ".dot";
  const bool kept = may_write(text, force) && write_file(text, dot);
  why.where = kept ? text.string() : picture.string();
  if (!kept) why.advice = "its text would be kept as " + text.string() + ", which may not be written";
  return why;
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
  const Result<std::string> picture = drawn(dot);
  if (!picture) return std::unexpected(kept_as_text(picture.error(), path, dot, force));
  return write_file(path, *picture);
}

}  // namespace norn::cli
