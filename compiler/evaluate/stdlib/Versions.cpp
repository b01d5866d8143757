// packaging.version: versions of numbers ("3.9.0", "2.9.0+cu128"). Versions with letters before the
// "+" are compared by their numbers as far as these differ, and not at all beyond that.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/stdlib/StandardModules.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

namespace {

struct VersionObject : HostObject {
  llvm::StringRef text;
  llvm::ArrayRef<int64_t> numbers;
  bool isExact = true; // nothing but numbers stands before the "+"
};
extern const HostClass versionClass;

const VersionObject* asVersion(Value value) {
  return hostAs<VersionObject>(value, versionClass);
}

int64_t part(const VersionObject& version, size_t index) {
  return index < version.numbers.size() ? version.numbers[index] : 0;
}

// Negative, zero or positive; nullopt if not known.
std::optional<int> order(const VersionObject& a, const VersionObject& b) {
  for (size_t i = 0; i < std::max(a.numbers.size(), b.numbers.size()); ++i)
    if (part(a, i) != part(b, i)) return part(a, i) < part(b, i) ? -1 : 1;
  if (!a.isExact || !b.isExact) return std::nullopt;
  return 0;
}

Value compareVersions(Interpreter&, int op, bool isCompare, Value left, Value right) {
  auto *a = asVersion(left), *b = asVersion(right);
  auto known = isCompare && a && b ? order(*a, *b) : std::nullopt;
  if (!known) return Value::unknown();
  switch (static_cast<syntax::CompareOp>(op)) {
  case syntax::CompareOp::Lt:
    return Value::boolean(*known < 0);
  case syntax::CompareOp::LtE:
    return Value::boolean(*known <= 0);
  case syntax::CompareOp::Gt:
    return Value::boolean(*known > 0);
  case syntax::CompareOp::GtE:
    return Value::boolean(*known >= 0);
  case syntax::CompareOp::Eq:
    return Value::boolean(*known == 0);
  case syntax::CompareOp::NotEq:
    return Value::boolean(*known != 0);
  default:
    return Value::unknown();
  }
}

Value versionAttribute(Interpreter& in, Value self, Name name) {
  auto* version = asVersion(self);
  llvm::StringRef text = in.text(name);
  static constexpr llvm::StringLiteral parts[] = {"major", "minor", "micro"};
  for (auto [i, each] : llvm::enumerate(parts))
    if (each == text) return Value::integer(part(*version, i));
  if (text == "release") {
    llvm::SmallVector<Value> numbers;
    for (int64_t number : version->numbers)
      numbers.push_back(Value::integer(number));
    return in.tupleOf(numbers);
  }
  if (text == "base_version" && version->isExact) return in.string(version->text.split('+').first);
  if (text == "public" && version->isExact) return in.string(version->text.split('+').first);
  return text.starts_with("__") ? Value::absent() : Value::unknown();
}

const HostClass versionClass = {
    .name = "Version",
    .attribute = versionAttribute,
    .repr = [](Interpreter&, Value self) { return asVersion(self)->text.str(); },
    .binary = compareVersions,
    .rebinding = &sharedHost};

Value parse(Interpreter& in, const CallArguments& arguments) {
  Value given = at(arguments, 0);
  if (asVersion(given)) return given;
  auto* text = given.is(ValueKind::Str) ? given.as<StrObject>() : nullptr;
  if (!text) return Value::unknown();
  constexpr size_t longest = 256;
  llvm::StringRef left = text->text.trim();
  if (left.size() > longest) return Value::unknown();
  left.consume_front("v");
  llvm::SmallVector<int64_t, 4> numbers;
  int64_t number;
  while (!left.consumeInteger(10, number) && number >= 0) {
    numbers.push_back(number);
    if (left.size() < 2 || left[0] != '.' || !llvm::isDigit(left[1])) break;
    left = left.drop_front();
  }
  if (numbers.empty()) return Value::unknown();
  auto* version = in.heap().make<VersionObject>();
  version->cls = &versionClass;
  version->text = in.heap().copy(text->text);
  version->numbers = in.heap().copyArray(llvm::ArrayRef<int64_t>(numbers));
  version->isExact = left.empty() || left[0] == '+';
  return Value::object(ValueKind::Host, version);
}

constexpr NativeRow rows[] = {{"Version", parse}, {"parse", parse}};

} // namespace

llvm::ArrayRef<NativeRow> versionFunctions() {
  return rows;
}

} // namespace gluond::evaluate
