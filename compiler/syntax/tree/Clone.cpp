#include "syntax/tree/Clone.h"

#include "syntax/tree/Fields.h"

namespace gluond::syntax {
namespace {

using text::Range;

class Cloner {
public:
  Cloner(NodeArena& arena, Shift shift) : arena_(arena), after_(shift) {}
  Cloner(NodeArena& arena, const Splice& splice)
      : arena_(arena), splice_(&splice), firstAfter_(splice.firstId), before_(splice.before),
        after_(splice.after) {}

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
  void fix(T&, Shift) {} // was copied with the node
  void fix(Range& range, Shift shift) {
    range = {range.begin + shift.bytes, range.end + shift.bytes};
  }
  void fix(Identifier& id, Shift shift) { fix(id.range, shift); }
  void fix(llvm::StringRef& text, Shift) { text = arena_.copy(text); }
  void fix(Exprs& exprs, Shift) { exprs = nodes<Expr>(exprs); }
  void fix(Stmts& stmts, Shift) {
    stmts = splice_ && !stmts.empty() && stmts.data() == splice_->block.data() ? spliced()
                                                                               : nodes<Stmt>(stmts);
  }
  template <typename T>
    requires std::is_base_of_v<Node, T>
  void fix(const T*& child, Shift) {
    if (child) child = static_cast<const T*>(node(child));
  }
  void fix(Keyword& keyword, Shift shift) { fix(keyword.name, shift), fix(keyword.value, shift); }
  void fix(Parameter& parameter, Shift shift) {
    fix(parameter.name, shift), fix(parameter.annotation, shift),
        fix(parameter.defaultValue, shift);
  }
  void fix(DictItem& item, Shift shift) { fix(item.key, shift), fix(item.value, shift); }
  void fix(Generator& generator, Shift shift) {
    fix(generator.target, shift), fix(generator.iter, shift), fix(generator.conditions, shift);
  }
  void fix(WithItem& item, Shift shift) { fix(item.context, shift), fix(item.target, shift); }
  void fix(ExceptHandler& handler, Shift shift) {
    fix(handler.type, shift), fix(handler.name, shift), fix(handler.body, shift),
        fix(handler.range, shift);
  }
  void fix(MatchCase& match, Shift shift) {
    fix(match.pattern, shift), fix(match.guard, shift), fix(match.body, shift);
  }
  void fix(Alias& alias, Shift shift) { fix(alias.path, shift), fix(alias.asName, shift); }
  template <typename T>
    requires(!std::is_pointer_v<T>)
  void fix(llvm::ArrayRef<T>& items, Shift shift) {
    items = arena_.copy(items);
    if constexpr (!std::is_same_v<T, CompareOp>)
      for (T& item : mutableRef(items))
        fix(item, shift);
  }

  const Node* node(const Node* from) {
    bool isOwner = splice_ && depth_ < splice_->owners.size() && from == splice_->owners[depth_];
    depth_ += isOwner;
    return withFields(from->kind, [&]<typename T>(FieldsOf<T>, auto... fields) -> const Node* {
      T* to = arena_.duplicate(llvm::cast<T>(from));
      Shift shift = isOwner || from->id < firstAfter_ ? before_ : after_;
      fix(to->range, shift);
      to->id += isOwner ? after_.ids : shift.ids; // owners are made after their blocks
      if (isOwner) to->range.end = endOf(*from);
      (fix(to->*fields, shift), ...);
      return to;
    });
  }

  text::Offset endOf(const Node& owner) const {
    bool endsWithBlock = splice_->to == splice_->block.size() &&
                         owner.range.end == splice_->owners.back()->range.end;
    return endsWithBlock ? splice_->end : owner.range.end + after_.bytes;
  }
  Stmts spliced() {
    llvm::SmallVector<const Stmt*, 64> result;
    auto keep = [&](Stmts part) {
      for (const Stmt* stmt : part)
        result.push_back(static_cast<const Stmt*>(node(stmt)));
    };
    keep(splice_->block.take_front(splice_->from));
    result.append(splice_->put.begin(), splice_->put.end());
    keep(splice_->block.drop_front(splice_->to));
    return arena_.copy(result);
  }

  NodeArena& arena_;
  const Splice* splice_ = nullptr;
  uint32_t firstAfter_ = 0;
  Shift before_, after_;
  size_t depth_ = 0; // how many of the splice's owners are around
};

} // namespace

Stmts cloneShifted(Stmts stmts, NodeArena& arena, Shift shift) {
  return Cloner(arena, shift).stmts(stmts);
}

Stmts cloneSpliced(Stmts stmts, NodeArena& arena, const Splice& splice) {
  return Cloner(arena, splice).stmts(stmts);
}

} // namespace gluond::syntax
