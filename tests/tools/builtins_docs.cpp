// builtins_docs [--check] FILE: writes the page that lists every builtin and what gluond makes of
// it, or (with --check) fails when FILE is not what it would write.
#include "GeneratedPage.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

using namespace gluond::language;

namespace {

std::string state(const Builtin& row) {
  switch (row.kind) {
  case BuiltinKind::Rule:
    return "compiled";
  case BuiltinKind::Native:
  case BuiltinKind::Layout:
  case BuiltinKind::Dtype:
  case BuiltinKind::Constant:
  case BuiltinKind::Python:
    return "evaluated";
  case BuiltinKind::Prelude:
    return "compiled, itself a jit function";
  case BuiltinKind::Class:
    return "class";
  case BuiltinKind::Property:
    return "attribute";
  case BuiltinKind::Removed:
    return "removed; use `" + row.text.str() + "`";
  case BuiltinKind::Inert:
    return "no use in programs: " + row.text.str();
  }
  return "";
}

std::string escaped(llvm::StringRef text) {
  std::string out;
  for (char c : text.split('\n').first) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string page() {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << "# Builtins\n\n"
        "<!-- Generated from compiler/language/builtins by the target builtins_docs. Do not edit. "
        "-->\n\n"
        "Every name of Gluon 3.9.0 that programs can use, by module or class, and what gluond does "
        "with it: *compiled* to IR,\n"
        "*evaluated* at compile time and on the host, or why not.\n";
  for (const BuiltinModule& module : builtinModules()) {
    llvm::SmallVector<const Builtin*> rows;
    for (const Builtin& row : builtins()) {
      // Listed once, where they are defined.
      if (row.where.split(' ').first == module.alias) rows.push_back(&row);
    }
    if (rows.empty()) continue;
    os << "\n## " << module.name << "\n\n| name | | state |\n| --- | --- | --- |\n";
    for (const Builtin* row : rows)
      os << "| `" << row->name << escaped(row->signature) << "` | " << escaped(row->doc) << " | "
         << escaped(state(*row)) << " |\n";
  }
  return out;
}

} // namespace

int main(int argc, char** argv) {
  return gluond::test::writeOrCheckPage(argc, argv, "builtins_docs", page());
}
