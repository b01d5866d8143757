// layout_fields [--check] FILE: writes the fields of Gluon's layout classes as TypeScript, for the
// panels, or (with --check) fails when FILE is not what it would write.
#include "GeneratedPage.h"
#include "language/types/LayoutClass.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/raw_ostream.h>

using namespace gluond::language;

namespace {

std::string page() {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << "// Generated from compiler/language/types/Layouts.def by the target layout_fields; do not "
        "edit.\n\n"
        "// The parameters of each layout class, in the order of its constructor.\n"
        "export const layoutFields = {\n";
  llvm::StringSet<> seen;
  for (const LayoutClass& cls : layoutClasses()) {
    bool isHidden = cls.family == LayoutFamily::Policy || cls.name.starts_with("_");
    if (isHidden || cls.fields.empty() || !seen.insert(cls.name).second) continue;
    os << "  " << cls.name << ": [";
    for (const LayoutField& field : cls.fields)
      os << (&field == cls.fields.begin() ? "'" : ", '") << field.name << "'";
    os << "],\n";
  }
  os << "} as const;\n";
  return out;
}

} // namespace

int main(int argc, char** argv) {
  return gluond::test::writeOrCheckPage(argc, argv, "layout_fields", page());
}
