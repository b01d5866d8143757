#include "releases/Rules.h"

namespace gluond::releases {

namespace {

consteval Release release(std::string_view name) {
  if (name == "3.6") return Release::Triton36;
  if (name == "3.7") return Release::Triton37;
  if (name == "3.8") return Release::Triton38;
  throw "not a release before the newest one";
}

constexpr RuleRow rows[] = {
#define RULE(name, first, last, text) {Rule::name, release(first), release(last), text},
#include "releases/tables/Rules.def"
};

} // namespace

llvm::ArrayRef<RuleRow> rules() {
  return rows;
}

bool holdsEarlier(Rule rule, Release release) {
  const RuleRow& row = rows[static_cast<size_t>(rule)];
  return row.first <= release && release <= row.last;
}

} // namespace gluond::releases
