#include "syntax/tree/Clone.h"

#include "syntax/tree/Fields.h"

namespace gluond::syntax {
namespace {

using text::Range;

class Cloner {
public:
  Cloner(NodeArena& arena, uint32_t shift, uint32_t idShift)
      : arena_(arena), shift_(shift), idShift_(idShift) {}

  Stmts stmts(Stmts from) { return nodes<Stmt>(from); }

private:
  // Children are reached through these: each replaces a pointer or an array by its copy.
  template <typename Base> llvm::ArrayRef<const Base*> nodes(llvm::ArrayRef<const Base*> from) {
    if (from.empty()) return {};
    llvm::ArrayRef<const Base*> to = arena_.copy(from);
    for (const Base*& node : mutableRef(to))
      node = static_cast<const Base*>(this->node(node));
    return to;
  }
  template <typename T> static llvm::MutableArrayRef<T> mutableRef(llvm::ArrayRef<T> array) {
    return {const_cast<T*>(array.data()), array.size()}; // freshly copied and not shared
  }
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Name>)
  void fix(T&) {} // was copied with the node
  void fix(Range& range) { range = {range.begin + shift_, range.end + shift_}; }
  void fix(Identifier& id) { fix(id.range); }
  void fix(llvm::StringRef& text) { text = arena_.copy(text); }
  void fix(Exprs& exprs) { exprs = nodes<Expr>(exprs); }
  void fix(Stmts& stmts) { stmts = nodes<Stmt>(stmts); }
  template <typename T>
    requires std::is_base_of_v<Node, T>
  void fix(const T*& child) {
    if (child) child = static_cast<const T*>(node(child));
  }
  void fix(Keyword& keyword) { fix(keyword.name), fix(keyword.value); }
  void fix(Parameter& parameter) {
    fix(parameter.name), fix(parameter.annotation), fix(parameter.defaultValue);
  }
  void fix(DictItem& item) { fix(item.key), fix(item.value); }
  void fix(Generator& generator) {
    fix(generator.target), fix(generator.iter), fix(generator.conditions);
  }
  void fix(WithItem& item) { fix(item.context), fix(item.target); }
  void fix(ExceptHandler& handler) {
    fix(handler.type), fix(handler.name), fix(handler.body), fix(handler.range);
  }
  void fix(MatchCase& match) { fix(match.pattern), fix(match.guard), fix(match.body); }
  void fix(Alias& alias) { fix(alias.path), fix(alias.asName); }
  template <typename T>
    requires(!std::is_pointer_v<T>)
  void fix(llvm::ArrayRef<T>& items) {
    items = arena_.copy(items);
    if constexpr (!std::is_same_v<T, CompareOp>)
      for (T& item : mutableRef(items))
        fix(item);
  }

  const Node* node(const Node* from) {
    return withFields(from->kind, [&]<typename T>(FieldsOf<T>, auto... fields) -> const Node* {
      T* to = arena_.duplicate(llvm::cast<T>(from));
      to->id += idShift_;
      fix(to->range);
      (fix(to->*fields), ...);
      return to;
    });
  }

  NodeArena& arena_;
  uint32_t shift_, idShift_;
};

} // namespace

Stmts cloneShifted(Stmts stmts, NodeArena& arena, uint32_t shift, uint32_t idShift) {
  return Cloner(arena, shift, idShift).stmts(stmts);
}

} // namespace gluond::syntax
