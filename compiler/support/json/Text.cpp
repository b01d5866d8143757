#include "support/json/Text.h"

#include "support/json/Depth.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>
#include <vector>

namespace gluond::json {

namespace {

// Makes the document from the parser's events.
class DocumentBuilder : public nlohmann::json_sax<nlohmann::ordered_json> {
  using Json = nlohmann::ordered_json;

public:
  explicit DocumentBuilder(Json& root) : root_(root) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; } // no part of JSON's text
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool key(string_t& name) override {
    members().emplace_back(std::move(name), nullptr);
    return true;
  }
  bool end_object() override {
    removeDuplicates(members());
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

private:
  using Members = Json::object_t;
  Members& members() { return open_.back()->get_ref<Members&>(); }

  // The place of the next value: after its key, at the end of its array, or at the root.
  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back()->is_object()) return members().back().second = std::move(value);
    auto& items = open_.back()->get_ref<Json::array_t&>();
    items.push_back(std::move(value));
    return items.back();
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back(&place(std::move(value)));
    return true;
  }

  static bool hasDuplicates(const Members& members) {
    constexpr std::size_t few = 16;
    if (members.size() <= few) {
      for (auto a = members.begin(); a != members.end(); ++a)
        for (auto b = members.begin(); b != a; ++b)
          if (a->first == b->first) return true;
      return false;
    }
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const auto& member : members)
      names.push_back(member.first);
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
  }
  static void removeDuplicates(Members& members) {
    if (!hasDuplicates(members)) return;
    Members kept;
    std::unordered_map<std::string, std::size_t> places;
    for (auto& [name, value] : members) {
      auto [it, isNew] = places.try_emplace(name, kept.size());
      if (isNew)
        kept.emplace_back(name, std::move(value));
      else
        std::next(kept.begin(), static_cast<std::ptrdiff_t>(it->second))->second = std::move(value);
    }
    members = std::move(kept);
  }

  Json& root_;
  std::vector<Json*> open_; // objects and arrays around the next value; they stay where they are
};

} // namespace

static std::optional<nlohmann::ordered_json> parseStrictly(std::string_view text) {
  nlohmann::ordered_json json;
  DocumentBuilder builder(json);
  if (!nlohmann::ordered_json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return json;
}

// Returns the number of the escape "\uXXXX" at a place, or 0.
static unsigned unitAt(std::string_view text, std::size_t at) {
  unsigned unit = 0;
  if (at + 6 > text.size() || text.substr(at, 2) != "\\u") return 0;
  const char* digits = text.data() + at + 2;
  auto [end, error] = std::from_chars(digits, digits + 4, unit, 16);
  return error == std::errc() && end == digits + 4 ? unit : 0;
}

// Halves of a surrogate pair are grammatical escapes, and JavaScript's strings may have them: each
// becomes U+FFFD, which has as many UTF-16 units. Returns nullopt if there are none.
static std::optional<std::string> withoutLoneSurrogates(std::string_view text) {
  std::optional<std::string> result;
  for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    unsigned unit = unitAt(text, at), next = unitAt(text, at + 6);
    if (unit >= 0xD800 && unit < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
      at += 12;
    } else if (unit >= 0xD800 && unit < 0xE000) {
      if (!result) result.emplace(text);
      result->replace(at, 6, "\\ufffd");
      at += 6;
    } else {
      at += 2;
    }
  }
  return result;
}

std::optional<nlohmann::ordered_json> parse(std::string_view text, unsigned deepest) {
  if (isNestedDeeper(text, deepest)) return std::nullopt;
  auto json = parseStrictly(text);
  if (json) return json;
  auto mended = withoutLoneSurrogates(text);
  return mended ? parseStrictly(*mended) : std::nullopt;
}

static std::string written(const nlohmann::ordered_json& json, int indent, bool isAscii) {
  return json.dump(indent, ' ', isAscii, nlohmann::ordered_json::error_handler_t::replace);
}

std::string compact(const nlohmann::ordered_json& json) {
  return written(json, -1, false);
}

std::string indented(const nlohmann::ordered_json& json, int indent) {
  return written(json, indent, false);
}

std::string quoted(std::string_view text, bool isAscii) {
  return written(nlohmann::ordered_json(text), -1, isAscii);
}

} // namespace gluond::json
