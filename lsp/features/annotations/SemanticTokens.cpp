#include "lsp/features/annotations/SemanticTokens.h"

#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

using namespace syntax;
namespace lang = gluond::language;
using codegen::FactKind;

llvm::ArrayRef<llvm::StringLiteral> tokenTypeNames() {
  static constexpr llvm::StringLiteral names[] = {
      "namespace",        "class",    "type",   "function", "method",       "property",
      "parameter",        "variable", "kernel", "tensor",   "sharedMemory", "tensorMemory",
      "tensorDescriptor", "layout"};
  return names;
}

llvm::ArrayRef<llvm::StringLiteral> tokenModifierNames() {
  static constexpr llvm::StringLiteral names[] = {"declaration", "readonly", "defaultLibrary",
                                                  "constexpr"};
  return names;
}

namespace {

struct Look {
  TokenType type;
  uint8_t modifiers = 0;
};

Look lookOf(const lang::Builtin& row) {
  switch (row.kind) {
  case lang::BuiltinKind::Layout:
    return {TokenType::Layout, DefaultLibrary};
  case lang::BuiltinKind::Dtype:
    return {TokenType::Type, DefaultLibrary};
  case lang::BuiltinKind::Class:
    return {TokenType::Class, DefaultLibrary};
  case lang::BuiltinKind::Property:
    return {TokenType::Property, DefaultLibrary};
  case lang::BuiltinKind::Constant:
    return {TokenType::Property, DefaultLibrary | Readonly};
  default: {
    // Triton's classes for host code are rows by their constructors.
    if (llvm::isUpper(row.name.front())) return {TokenType::Class, DefaultLibrary};
    bool isMethod = !row.parameters.empty() && row.parameters.front().name == "self";
    return {isMethod ? TokenType::Method : TokenType::Function, DefaultLibrary};
  }
  }
}

Look lookOf(const codegen::TypeFact& type, Look otherwise) {
  switch (type.kind) {
  case FactKind::Tensor:
  case FactKind::Accumulator:
    return {TokenType::Tensor};
  case FactKind::MemoryDescriptor:
    return {type.isTensorMemory ? TokenType::TensorMemory : TokenType::SharedMemory};
  case FactKind::TensorDescriptor:
    return {TokenType::TensorDescriptor};
  case FactKind::Constexpr:
    if (!type.layout.empty()) return {TokenType::Layout, Constexpr | Readonly};
    return {otherwise.type, static_cast<uint8_t>(otherwise.modifiers | Constexpr | Readonly)};
  case FactKind::Other:
    if (type.builtin) return lookOf(*type.builtin);
    return otherwise;
  default:
    return otherwise;
  }
}

class Painter {
public:
  Painter(NameResolver& resolver, const IndexedFile& file, text::Range range)
      : resolver_(resolver), file_(file), range_(range) {}

  std::vector<Token> run() {
    for (const Occurrence& each : file_.index.occurrences()) {
      if (resolver_.token().isCancelled()) return {};
      if (isWanted(each.range)) name(each);
    }
    for (const Stmt* stmt : file_.tree->body())
      visit(*stmt);
    // `x += 1` changes a name that is declared elsewhere.
    for (Token& each : tokens_)
      if (augmented_.contains(each.range.begin))
        each.modifiers &= static_cast<uint8_t>(~Declaration);
    llvm::sort(tokens_,
               [](const Token& a, const Token& b) { return a.range.begin < b.range.begin; });
    tokens_.erase(
        std::unique(tokens_.begin(), tokens_.end(),
                    [](const Token& a, const Token& b) { return a.range.begin == b.range.begin; }),
        tokens_.end());
    return std::move(tokens_);
  }

private:
  bool isWanted(text::Range range) const {
    return range.begin < range_.end && range_.begin < range.end;
  }
  void add(text::Range range, Look look) {
    if (range.end > range.begin) tokens_.push_back({range, look.type, look.modifiers});
  }

  // The kind of a name of the file, which is the same everywhere; computed once.
  struct Known {
    bool isFound = false;
    bool isUnknown = false; // left to the editor's grammar
    Look look{TokenType::Variable};
    Denoted denoted;
  };
  const Known& known(uint32_t index) {
    Known& known = known_[index];
    if (std::exchange(known.isFound, true)) return known;
    const Entity& entity = file_.index.entities()[index];
    switch (entity.kind) {
    case EntityKind::Parameter:
      known.look.type = TokenType::Parameter;
      return known;
    case EntityKind::Variable:
      return known;
    default:
      break;
    }
    known.denoted = resolver_.ofEntity(file_, entity);
    // It may be a class, a function or a value.
    known.isUnknown = !known.denoted && llvm::isa_and_present<ImportFrom>(entity.node);
    known.look =
        lookOf(known.denoted, llvm::isa_and_present<Import>(entity.node) ? TokenType::Namespace
                                                                         : TokenType::Variable);
    return known;
  }
  Look lookOf(const Denoted& denoted, TokenType otherwise) {
    switch (denoted.kind) {
    case Denoted::Kind::Builtin:
      return lsp::lookOf(*denoted.builtin);
    case Denoted::Kind::Namespace:
      // An object of a class of Gluon's is the user's own.
      if (denoted.module->isClass) return {otherwise};
      return {TokenType::Namespace, DefaultLibrary};
    case Denoted::Kind::File:
      return {TokenType::Namespace};
    case Denoted::Kind::Class:
      return {TokenType::Class};
    case Denoted::Kind::Function: {
      GluonRole role = roleOf(*denoted.file->tree, denoted.file->index, *denoted.node);
      bool isMethod =
          denoted.symbol ? denoted.symbol->kind == Symbol::Kind::Member
                         : NameResolver::classOf(*denoted.file,
                                                 llvm::cast<FunctionDef>(*denoted.node)) != nullptr;
      TokenType type = role == GluonRole::Kernel ? TokenType::Kernel
                       : isMethod                ? TokenType::Method
                                                 : TokenType::Function;
      return {type, static_cast<uint8_t>(role == GluonRole::Constexpr ? Constexpr : 0)};
    }
    default:
      return {otherwise};
    }
  }

  void name(const Occurrence& occurrence) {
    const Known& found = known(occurrence.entity);
    if (found.isUnknown) return;
    Look look = found.look;
    if (look.type == TokenType::Variable || look.type == TokenType::Parameter)
      if (auto fact = resolver_.facts(file_).of(occurrence.range))
        look = lsp::lookOf(fact->type, look);
    if (occurrence.binds) look.modifiers |= Declaration;
    add(occurrence.range, look);
  }

  // Members of known objects; every grammar already colours keyword arguments.
  void visit(const Node& node) {
    if (!isWanted(rangeWithDecorators(node))) return;
    if (auto* assign = llvm::dyn_cast<AugAssign>(&node))
      augmented_.insert(assign->target->range.begin);
    if (auto* attribute = llvm::dyn_cast<Attribute>(&node);
        attribute && isWanted(attribute->attribute.range)) {
      Denoted denoted = owned(*attribute);
      Look look = denoted ? lookOf(denoted, TokenType::Property) : Look{TokenType::Property};
      if (denoted.kind != Denoted::Kind::Builtin)
        if (auto fact = resolver_.facts(file_).of(attribute->range))
          look = lsp::lookOf(fact->type, look);
      add(attribute->attribute.range, look);
    }
    forEachChild(node, [&](const Node& child) { visit(child); });
  }
  Denoted owned(const Attribute& attribute) {
    if (auto* base = llvm::dyn_cast<NameExpr>(attribute.value))
      if (const Occurrence* here = file_.index.at(base->range.begin);
          here && here->range == base->range)
        if (const Denoted& owner = known(here->entity).denoted;
            owner.kind == Denoted::Kind::Namespace)
          return resolver_.member(owner, attribute.attribute.name);
    return resolver_.of(file_, &attribute);
  }

  NameResolver& resolver_;
  const IndexedFile& file_;
  text::Range range_;
  llvm::DenseMap<uint32_t, Known> known_;
  llvm::DenseSet<text::Offset> augmented_; // where the targets of augmented assignments begin
  std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokensIn(NameResolver& resolver, const IndexedFile& file, text::Range range,
                            size_t most) {
  if (!file.isGluon) return {};
  // Names are in the order of the text: the range ends where there are enough of them.
  size_t names = 0;
  for (const Occurrence& each : file.index.occurrences()) {
    if (each.range.begin >= range.end) break;
    if (each.range.end <= range.begin || ++names <= most) continue;
    range.end = each.range.begin;
    break;
  }
  std::vector<Token> tokens = Painter(resolver, file, range).run();
  if (tokens.size() > most) tokens.resize(most);
  return tokens;
}

} // namespace gluond::lsp
