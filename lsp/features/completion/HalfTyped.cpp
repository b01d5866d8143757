#include "lsp/features/completion/HalfTyped.h"

#include "lsp/features/completion/ExpressionClass.h"
#include "syntax/parser/Keywords.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using codegen::TypeFact;

namespace {

Fact withType(const Fact& fact, const TypeFact& type) {
  return {fact.facts, fact.list, type, fact.range, fact.kernel, fact.variant};
}

bool isAssumed(const Fact& fact) {
  return fact.variant.origin == driver::Origin::Default;
}
// Without a launch, what is taken for a scalar may as well be a tensor.
bool isSure(const Fact& fact) {
  return !isAssumed(fact) || fact.type.kind != codegen::FactKind::Scalar;
}
// Nor is the dtype known then: only what is a pointer follows from its use.
TypeClass sureClass(TypeClass found, const Fact& fact) {
  bool isScalar = found == TypeClass::Integer || found == TypeClass::Float;
  return isScalar && isAssumed(fact) ? TypeClass::Unknown : found;
}

// Of `name` read of an object, with what codegen knows of it.
std::optional<TypeClass> typeOf(const Denoted& owner, const std::optional<Fact>& fact,
                                llvm::StringRef name) {
  if (name == "dtype")
    return fact ? sureClass(classOfDtype(fact->type.dtype), *fact) : TypeClass::Unknown;
  bool isObject = owner.kind == Denoted::Kind::Namespace && owner.module->isClass;
  if (name == "block_type" && isObject && owner.module->id == language::ModuleId::tensor_descriptor)
    return TypeClass::Block;
  if (name != "type") return std::nullopt;
  if (fact && isSure(*fact)) return classOfTypeOf(fact->type);
  return isObject ? std::optional(classOfObjects(owner.module->id)) : std::nullopt;
}

} // namespace

const TypeFact* HalfTyped::sureValue() const {
  return fact && isSure(*fact) ? &fact->type : nullptr;
}

TypeClass HalfTyped::typeClass() const {
  if (typeOf && *typeOf != TypeClass::Unknown) return *typeOf;
  bool isType = fact && fact->type.className == "dtype";
  return isType ? sureClass(classOfType(fact->type), *fact) : TypeClass::Unknown;
}

std::optional<Fact> lastFact(NameResolver& resolver, const IndexedFile& file, const Entity& entity,
                             text::Offset offset) {
  if (!file.isGluon) return std::nullopt;
  auto index = static_cast<uint32_t>(&entity - file.index.entities().data());
  std::vector<Occurrence> places = file.index.of(index);
  for (const Occurrence& each : llvm::reverse(places))
    if (each.range.end <= offset)
      if (auto fact = resolver.facts(file).of(each.range)) return fact;
  return std::nullopt;
}

HalfTyped dottedBefore(NameResolver& resolver, const IndexedFile& file, llvm::StringRef dotted,
                       text::Offset offset) {
  HalfTyped here;
  Interner& names = resolver.snapshot().names();
  auto [first, rest] = dotted.split('.');
  const Entity* entity = file.index.lookup(names.intern(first.trim()), offset);
  if (!entity) {
    here.denoted = resolver.starImported(file, names.intern(first.trim()));
    if (!here.denoted) return here;
  } else if (entity->kind == EntityKind::Variable || entity->kind == EntityKind::Parameter) {
    if (auto fact = lastFact(resolver, file, *entity, offset)) {
      here.fact.emplace(*fact);
      here.denoted = resolver.ofType(fact->type);
    }
  }
  if (entity && here.denoted.kind == Denoted::Kind::Nothing && !here.fact)
    here.denoted = resolver.ofEntity(file, *entity);
  while (!rest.empty() && (here.fact || here.denoted)) {
    auto [part, after] = rest.split('.');
    Name name = names.intern(part.trim());
    std::optional<Fact> member;
    if (here.fact)
      for (const TypeFact::Member& each : here.fact->type.members)
        if (each.name == part.trim()) member.emplace(withType(*here.fact, here.fact->member(each)));
    Denoted next = resolver.member(here.denoted, name);
    if (member)
      if (Denoted typed = resolver.ofType(member->type); typed.kind != Denoted::Kind::Nothing)
        next = typed;
    if (!member && next.kind == Denoted::Kind::Value)
      next = resolver.annotated(here.denoted, name, next);
    here.typeOf = typeOf(here.denoted, here.fact, part.trim());
    here.denoted = next;
    here.fact.reset();
    if (member) here.fact.emplace(*member);
    rest = after;
  }
  return here;
}

// Resolves the expression before the dot of the attribute whose name begins at `at`.
static BeforeDot resolvedIn(NameResolver& resolver, const IndexedFile& file, text::SourceText text,
                            text::Offset at) {
  BeforeDot result;
  auto typed =
      std::make_shared<const driver::File>(*file.file, file.file->version(), std::move(text));
  result.resolver = resolver.another();
  result.file = result.resolver->indexed(typed);
  if (!result.file) return result;
  for (const syntax::Node* node : syntax::pathFrom(result.file->tree->body(), at))
    if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(node);
        attribute && attribute->attribute.range.begin == at) {
      if (auto* type = llvm::dyn_cast<syntax::Attribute>(attribute->value)) {
        Denoted owner;
        std::optional<Fact> fact = result.resolver->facts(*result.file).of(type->value->range);
        if (fact) owner = result.resolver->ofType(fact->type);
        if (auto* made =
                owner ? nullptr : classOfExpression(*result.resolver, *result.file, *type->value)) {
          owner.kind = Denoted::Kind::Namespace;
          owner.module = made;
        }
        result.found.typeOf =
            typeOf(owner, fact, result.resolver->snapshot().names().text(type->attribute.name));
      }
      if (auto fact = result.resolver->facts(*result.file).of(attribute->value->range))
        result.found.fact.emplace(*fact);
      result.found.denoted = result.found.fact
                                 ? result.resolver->ofType(result.found.fact->type)
                                 : result.resolver->of(*result.file, attribute->value);
      if (Denoted::Kind kind = result.found.denoted.kind;
          kind != Denoted::Kind::Nothing && kind != Denoted::Kind::Value)
        break;
      if (auto* made = classOfExpression(*result.resolver, *result.file, *attribute->value)) {
        result.found.denoted.kind = Denoted::Kind::Namespace;
        result.found.denoted.module = made;
        result.found.denoted.isValue = true;
      }
      break;
    }
  return result;
}

BeforeDot expressionBefore(NameResolver& resolver, const IndexedFile& file,
                           const CursorContext& context) {
  text::SourceText text = file.file->text();
  text::Offset at = context.word.begin;
  if (context.word.end == at) text = text.apply({{at, at}, "_"});
  return resolvedIn(resolver, file, std::move(text), at);
}

// Where the outermost of `open` brackets ends, or the line if they are left open.
static text::Offset endOfCalls(const text::SourceText& source, text::Offset offset, size_t open) {
  constexpr size_t most = 4096;
  llvm::StringRef text = source.text().substr(offset, most);
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      at = std::min(text.find(c, at + 1), text.size());
    } else if (c == '(' || c == '[' || c == '{') {
      ++open;
    } else if ((c == ')' || c == ']' || c == '}') && --open == 0) {
      return offset + static_cast<text::Offset>(at) + 1;
    } else if (c == '\n' && at + 1 < text.size() && syntax::isIdentifierStart(text[at + 1])) {
      break;
    }
  }
  return offset + static_cast<text::Offset>(std::min(text.find_first_of("\r\n"), text.size()));
}

BeforeDot memberCalled(NameResolver& resolver, const IndexedFile& file,
                       llvm::ArrayRef<OpenCall> calls, text::Offset cursor) {
  constexpr size_t most = 64; // brackets around the cursor: nobody nests more
  const OpenCall& call = calls.back();
  if (call.member.end <= call.member.begin || calls.size() > most) return {};
  std::string closing;
  for (const OpenCall& outer : llvm::reverse(calls.drop_back()))
    closing += outer.bracket == '(' ? ')' : outer.bracket == '[' ? ']' : '}';
  const text::SourceText& source = file.file->text();
  text::Range rest{call.bracketAt, endOfCalls(source, cursor, calls.size())};
  return resolvedIn(resolver, file, source.apply({rest, closing}), call.member.begin);
}

} // namespace gluond::lsp
