#include "layout/named/Spelling.h"

#include "layout/named/GluonFields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/Twine.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::layout {

namespace {

template <typename List> std::string list(const List& values) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  os << "]";
  return text;
}

std::string text(int64_t value) {
  return std::to_string(value);
}
std::string text(bool value) {
  return value ? "True" : "False";
}
std::string text(llvm::StringLiteral value) {
  return (llvm::Twine("\"") + value + "\"").str();
}
std::string text(const Numbers& values) {
  return list(values);
}
std::string text(const Bases& bases) {
  return list(llvm::map_range(bases, [](const Coordinates& basis) { return list(basis); }));
}
std::string text(const Layout& layout) {
  return spelling(layout);
}

std::string text(const GluonField& field) {
  return std::visit([](const auto& value) { return text(value); }, field.value);
}

void compare(const Layout& left, const Layout& right, llvm::StringRef path,
             llvm::SmallVectorImpl<FieldDifference>& result) {
  if (left == right) return;
  auto prefixed = [&](llvm::StringRef name) {
    return path.empty() ? name.str() : (llvm::Twine(path) + "." + name).str();
  };
  if (!left || !right || left.kind() != right.kind()) {
    result.push_back({path.str(), spelling(left), spelling(right)});
    return;
  }
  // Both have the fields of one class. Those that only one of them writes come last.
  GluonObject a = gluonObject(left), b = gluonObject(right);
  auto add = [&](const GluonField& x, const GluonField& y) {
    const auto *from = std::get_if<Layout>(&x.value), *to = std::get_if<Layout>(&y.value);
    if (from && to && *from && *to) return compare(*from, *to, prefixed(x.name), result);
    std::string l = x.isDefault ? "default" : text(x), r = y.isDefault ? "default" : text(y);
    if (l != r) result.push_back({prefixed(x.name), l, r});
  };
  for (bool isOnlyRight : {false, true})
    for (auto [x, y] : llvm::zip_equal(a.fields, b.fields))
      if (x.isDefault == isOnlyRight) add(x, y);
}

} // namespace

llvm::StringRef gluonClass(const Layout& layout) {
  return layout ? gluonObject(layout).cls : llvm::StringRef("None");
}

std::string spelling(const Layout& layout) {
  if (!layout) return "None";
  GluonObject object = gluonObject(layout);
  std::string result = (llvm::Twine(object.space) + object.cls + "(").str();
  llvm::raw_string_ostream os(result);
  llvm::ListSeparator comma;
  for (auto [i, field] : llvm::enumerate(object.fields)) {
    if (field.isDefault) continue;
    os << comma;
    if (i >= object.positional) os << field.name << "=";
    os << text(field);
  }
  os << ")";
  return result;
}

llvm::SmallVector<FieldDifference, 4> differences(const Layout& left, const Layout& right) {
  llvm::SmallVector<FieldDifference, 4> result;
  compare(left, right, "", result);
  return result;
}

} // namespace gluond::layout
