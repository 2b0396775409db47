// How the fields of JSON from outside are read: all of them in a row, and what is wrong is asked for once.
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "base/json_depth.h"
#include "formats/json_values.h"

namespace norn {
namespace {

/// The integer in `value`, if it is one and fits; 12.0 is one too, as some languages write nothing else.
std::optional<std::int32_t> small_int(const JsonIn& value) {
  constexpr double low = std::numeric_limits<std::int32_t>::min(),
                   high = std::numeric_limits<std::int32_t>::max();
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  if (!(number >= low && number <= high) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int32_t>(number);
}

}  // namespace

Fields::Fields(const JsonIn& value, std::string_view what) : what_(what) {
  if (value.is_object())
    object_ = &value;
  else
    error_ = Error{
        Error::Kind::bad_input, fmt::format("{} must be an object, not {}", what, value.type_name()), {}, {}};
}

const JsonIn* Fields::find(const char* name) const {
  if (object_ == nullptr) return nullptr;
  const auto it = object_->find(name);
  return it == object_->end() || it->is_null() ? nullptr : &*it;
}

Fields& Fields::refuse(const char* name, std::string_view wanted) {
  if (!error_)
    error_ =
        Error{Error::Kind::bad_input, fmt::format("\"{}\" of {} must be {}", name, what_, wanted), {}, {}};
  return *this;
}

Fields& Fields::keep(const Status& status) {
  if (!status && !error_) error_ = status.error();
  return *this;
}

Status Fields::status() const {
  if (error_) return std::unexpected(*error_);
  return {};
}

Fields& Fields::text(const char* name, std::string& out) {
  const JsonIn* value = find(name);
  if (value == nullptr) return *this;
  if (!value->is_string()) return refuse(name, "a text");
  out = value->get_ref<const std::string&>();
  return *this;
}

Fields& Fields::number(const char* name, std::int32_t& out) {
  const JsonIn* value = find(name);
  if (value == nullptr) return *this;
  const auto number = small_int(*value);
  if (!number) return refuse(name, "a whole number below 2^31");
  out = *number;
  return *this;
}

Fields& Fields::number(const char* name, double& out) {
  const JsonIn* value = find(name);
  if (value == nullptr) return *this;
  if (!value->is_number()) return refuse(name, "a number");
  out = value->get<double>();
  return *this;
}

Fields& Fields::flag(const char* name, bool& out) {
  const JsonIn* value = find(name);
  if (value == nullptr) return *this;
  if (!value->is_boolean()) return refuse(name, "true or false");
  out = value->get<bool>();
  return *this;
}

Fields& Fields::point(const char* name, Point& out) {
  const JsonIn* value = find(name);
  if (value == nullptr) return *this;
  if (!value->is_array() || value->size() != 2) return refuse(name, "[x,y]");
  const auto x = small_int((*value)[0]), y = small_int((*value)[1]);
  if (!x || !y) return refuse(name, "[x,y] in whole pixels");
  out = {*x, *y};
  return *this;
}

Fields& Fields::target(const char* name, Target& out) {
  const JsonIn* value = find(name);
  if (value == nullptr) return *this;
  auto read = target_from(*value);
  if (!read) return keep(std::unexpected(read.error()));
  out = *std::move(read);
  return *this;
}

Fields& Fields::texts(const char* name, std::vector<std::string>& out) {
  const JsonIn* value = find(name);
  if (value == nullptr) return *this;
  if (!value->is_array()) return refuse(name, "a list of texts");
  for (const JsonIn& item : *value) {
    if (!item.is_string()) return refuse(name, "a list of texts");
    out.push_back(item.get<std::string>());
  }
  return *this;
}

Result<JsonIn> parse_json(std::string_view text, std::string_view where) {
  NORN_CHECK(check_json_depth(text, where));
  JsonIn value = JsonIn::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded())
    return fail(Error::Kind::bad_input, fmt::format("this is no JSON: {}", std::string(text.substr(0, 40))),
                std::string(where));
  return value;
}

std::string dump_line(const JsonOut& value) {
  return value.dump(-1, ' ', false, JsonOut::error_handler_t::replace);
}

}  // namespace norn
