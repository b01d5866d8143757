#include "lsp/protocol/TypeScript.h"

#include "lsp/protocol/Extensions.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/TypeName.h>

namespace gluond::lsp {

namespace {

template <typename T> std::string nameOf() {
  llvm::StringRef name = llvm::getTypeName<T>();
  return name.substr(name.rfind(':') + 1).str();
}

// Types that are plain JSON in the C++ structs and have a known shape.
struct OpenField {
  const char *owner, *field, *type;
};
constexpr OpenField openFields[] = {
    {"WorkspaceEdit", "changes", "Record<string, TextEdit[]>"},
    {"LayoutMapResult", "map", "LinearMap"},
    {"Command", "arguments", "unknown[]"},
};
constexpr const char* linearMap = R"(
// What `gluond layout --format json` prints: one coordinate vector for each bit of each input.
export interface LinearMap {
  shape: number[];
  dtype?: string | null;
  dims: string[];
  bases: Record<string, number[][]>;
  replication: Record<string, number>;
}
)";

class Writer {
public:
  template <typename T> std::string type(const char* owner, const char* fieldName) {
    if constexpr (std::is_same_v<T, Json>) {
      for (const OpenField& open : openFields)
        if (owner == std::string_view(open.owner) && fieldName == std::string_view(open.field))
          return open.type;
      return "unknown";
    } else if constexpr (codec::isOptional<T>::value) {
      return type<typename T::value_type>(owner, fieldName);
    } else if constexpr (std::is_same_v<T, bool>) {
      return "boolean";
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      return "number";
    } else if constexpr (std::is_same_v<T, std::string>) {
      return "string";
    } else if constexpr (codec::isVector<T>::value) {
      return type<typename T::value_type>(owner, fieldName) + "[]";
    } else {
      declare<T>();
      return nameOf<T>();
    }
  }

  template <Described T> void declare() {
    std::string name = nameOf<T>();
    if (!declared_.insert(name).second) return;
    std::string body;
    auto add = [&]<typename S, typename M>(Field<S, M> field) {
      constexpr bool mayLack = codec::isOptional<M>::value || std::is_same_v<M, Json>;
      addField(body, name, field.name, mayLack, type<M>(name.c_str(), field.name));
    };
    std::apply([&](auto... fields) { (add(fields), ...); }, T::fields());
    text_ += "\nexport interface " + name + " {\n" + body + "}\n";
  }

  std::string take() { return std::move(text_); }

private:
  static void addField(std::string& body, const std::string& owner, const char* field, bool mayLack,
                       const std::string& type) {
    for (const OpenField& open : openFields)
      if (owner == open.owner && std::string_view(field) == open.field) mayLack = false;
    body += std::string("  ") + field + (mayLack ? "?: " : ": ") + type + ";\n";
  }

  llvm::StringSet<> declared_;
  std::string text_;
};

} // namespace

std::string typeScript() {
  Writer writer;
  std::string methods;
  writer.declare<TextEdit>();
  forEachExtension([&]<typename Params, typename Result>(const char* method, Params*, Result*) {
    methods += std::string("  '") + method + "': { params: " + writer.type<Params>("", "") +
               "; result: " + writer.type<Result>("", "") + " };\n";
  });
  return "// Generated from lsp/protocol by build/bin/protocol_types; do not edit. "
         "docs/lsp-extensions.md explains the "
         "fields.\n" +
         std::string(linearMap) + writer.take() +
         "\n// Every method of gluond's own.\nexport interface Methods {\n" + methods + "}\n";
}

} // namespace gluond::lsp
