// Reports diagnostics, in every room: emit(Id, place, arguments...). The arguments are checked
// against the table at compile time.
//
//   Reporter emit(diagnostics, file);
//   emit(Id::LayoutMismatch, range, "x", xLayout, "y", yLayout)
//       .related(NoteId::LayoutFrom, {file, origin}, xLayout)
//       .fix(FixId::InsertConvertLayout, {{range, "gl.convert_layout(y, ...)"}}, yLayout);
//
// A wrong number or type of arguments does not compile. A Reporter appends to a vector that the
// caller owns and serves one thread; after `limit` diagnostics it only counts, so that a file full
// of mistakes stays cheap.
#pragma once

#include "diagnostics/Table.h"

#include <llvm/ADT/Twine.h>

#include <concepts>
#include <type_traits>
#include <utility>

namespace gluond::diagnostics {

enum class ArgumentKind : uint8_t { Text, Integer, List };

// One argument, borrowed for the duration of a call.
class Argument {
public:
  Argument(llvm::StringRef text) : kind_(ArgumentKind::Text), text_(text) {}
  Argument(const char* text) : Argument(llvm::StringRef(text)) {}
  Argument(const std::string& text) : Argument(llvm::StringRef(text)) {}
  template <std::integral T>
  Argument(T value) : kind_(ArgumentKind::Integer), integer_(static_cast<int64_t>(value)) {}
  Argument(llvm::ArrayRef<std::string> list) : kind_(ArgumentKind::List), list_(list) {}
  Argument(const std::vector<std::string>& list) : Argument(llvm::ArrayRef<std::string>(list)) {}

  void append(std::string& out) const; // always valid UTF-8, whatever the argument holds

private:
  ArgumentKind kind_;
  llvm::StringRef text_;
  int64_t integer_ = 0;
  llvm::ArrayRef<std::string> list_;
};

// Returns the template with its arguments inserted: the first name takes the first, and so on.
std::string format(std::string_view messageTemplate, llvm::ArrayRef<Argument> arguments);

namespace detail {
template <typename T>
inline constexpr ArgumentKind kindOf =
    std::integral<std::remove_cvref_t<T>> ? ArgumentKind::Integer
    : std::convertible_to<T, llvm::StringRef> || std::convertible_to<T, std::string>
        ? ArgumentKind::Text
        : ArgumentKind::List;

// Never defined: calling one in a constant expression causes the compile-time error.
void wrongNumberOfArguments();
void wrongTypeOfArgument();
void noSuchArgument();

// The kind of a template's placeholder; a repeated name stands for the same argument.
constexpr ArgumentKind kindOfPlaceholder(std::string_view name) {
  return name.ends_with(":int")    ? ArgumentKind::Integer
         : name.ends_with(":list") ? ArgumentKind::List
                                   : ArgumentKind::Text;
}
// Calls visit(begin, end, argument, name) for each; returns the number of arguments.
template <typename Visit> constexpr size_t forEachPlaceholder(std::string_view text, Visit visit) {
  constexpr size_t most = 16;
  std::string_view names[most];
  size_t count = 0;
  for (size_t at = 0; (at = text.find('{', at)) != std::string_view::npos;) {
    size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    std::string_view name = text.substr(at + 1, end - at - 1);
    size_t argument = 0;
    while (argument < count && names[argument] != name)
      ++argument;
    if (argument == count && count < most) names[count++] = name;
    visit(at, end + 1, argument, name);
    at = end + 1;
  }
  return count;
}

template <typename... Args> consteval void check(std::string_view text) {
  constexpr ArgumentKind kinds[] = {kindOf<Args>..., ArgumentKind::Text};
  size_t count =
      forEachPlaceholder(text, [&](size_t, size_t, size_t argument, std::string_view name) {
        if (argument >= sizeof...(Args))
          wrongNumberOfArguments();
        else if (kinds[argument] != kindOfPlaceholder(name))
          wrongTypeOfArgument();
      });
  if (count != sizeof...(Args)) wrongNumberOfArguments();
}
} // namespace detail

// An Id (NoteId, FixId) that is known to take arguments of these types.
template <typename... Args> struct IdFor {
  Id id;
  consteval IdFor(Id id) : id(id) {
    detail::check<Args...>(messageTemplates[static_cast<unsigned>(id)]);
  }
};
template <typename... Args> struct NoteFor {
  NoteId id;
  consteval NoteFor(NoteId id) : id(id) {
    detail::check<Args...>(noteTemplates[static_cast<unsigned>(id)]);
  }
};
template <typename... Args> struct FixFor {
  FixId id;
  consteval FixFor(FixId id) : id(id) {
    detail::check<Args...>(fixTemplates[static_cast<unsigned>(id)]);
  }
};
template <typename... Args>
std::string note(NoteFor<std::type_identity_t<const Args&>...> id, const Args&... args) {
  return format(noteTemplates[static_cast<unsigned>(id.id)], {Argument(args)...});
}

template <typename... Args>
FixTitle fixTitle(FixFor<std::type_identity_t<const Args&>...> id, const Args&... args) {
  auto row = static_cast<unsigned>(id.id);
  return {format(fixTemplates[row], {Argument(args)...}), applicabilities[row]};
}

// The result of emit(): adds to the diagnostic just emitted. Use it in the same full expression.
class InFlight {
public:
  explicit InFlight(Diagnostic* diagnostic) : diagnostic_(diagnostic) {}
  template <typename... Args>
  InFlight& related(NoteFor<std::type_identity_t<const Args&>...> id, Location location,
                    const Args&... args) {
    if (diagnostic_)
      diagnostic_->related.push_back(
          {location, format(noteTemplates[static_cast<unsigned>(id.id)], {Argument(args)...})});
    return *this;
  }
  template <typename... Args>
  InFlight& fix(FixFor<std::type_identity_t<const Args&>...> title, std::vector<text::Edit> edits,
                const Args&... args) {
    if (diagnostic_)
      diagnostic_->fixes.push_back({fixTitle<Args...>(title, args...), std::move(edits)});
    return *this;
  }
  InFlight& severity(Severity severity) {
    if (diagnostic_) diagnostic_->severity = severity;
    return *this;
  }
  Diagnostic* get() { return diagnostic_; } // null after the limit

private:
  Diagnostic* diagnostic_;
};

// A diagnostic of this row, with its message, without related places and fixes.
Diagnostic describe(Id id, Severity severity, Location location,
                    llvm::ArrayRef<Argument> arguments);

// The position of a placeholder in the message of a row. A name that the row does not have does not
// compile.
struct ArgumentOf {
  Id id;
  size_t index = 0;
  consteval ArgumentOf(Id id, std::string_view name) : id(id) {
    bool isFound = false;
    detail::forEachPlaceholder(messageTemplates[static_cast<unsigned>(id)],
                               [&](size_t, size_t, size_t argument, std::string_view each) {
                                 if (each.substr(0, each.find(':')) != name) return;
                                 index = argument;
                                 isFound = true;
                               });
    if (!isFound) detail::noSuchArgument();
  }
};
// Empty if the diagnostic is of another row, or has no arguments.
llvm::StringRef argument(const Diagnostic& diagnostic, ArgumentOf which);

// Sorts by file and place; diagnostics at one place keep their order.
void sortByPlace(std::vector<Diagnostic>& diagnostics);

class Reporter {
public:
  // `file` is the file of ranges that name none.
  Reporter(std::vector<Diagnostic>& out, FileId file, size_t limit = 1000)
      : out_(out), file_(file), limit_(limit) {}

  template <typename... Args>
  InFlight operator()(IdFor<std::type_identity_t<const Args&>...> id, Location location,
                      const Args&... args) {
    return emit(id.id, location, {Argument(args)...});
  }
  template <typename... Args>
  InFlight operator()(IdFor<std::type_identity_t<const Args&>...> id, text::Range range,
                      const Args&... args) {
    return emit(id.id, {file_, range}, {Argument(args)...});
  }
  // For rows chosen at run time from a table that was checked when it was made.
  InFlight emit(Id id, Location location, llvm::ArrayRef<Argument> arguments);

  FileId file() const { return file_; }
  size_t count() const { return count_; } // number emitted, kept or not

private:
  std::vector<Diagnostic>& out_;
  FileId file_;
  size_t limit_;
  size_t count_ = 0;
};

} // namespace gluond::diagnostics
