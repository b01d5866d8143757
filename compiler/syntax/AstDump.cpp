#include "syntax/AstDump.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::syntax {
namespace {

constexpr llvm::StringLiteral binaryNames[] = {"Add",      "Sub",    "Mult",  "MatMult", "Div",
                                               "FloorDiv", "Mod",    "Pow",   "LShift",  "RShift",
                                               "BitOr",    "BitXor", "BitAnd"};
constexpr llvm::StringLiteral unaryNames[] = {"Invert", "Not", "UAdd", "USub"};
constexpr llvm::StringLiteral compareNames[] = {"Eq",  "NotEq", "Lt",    "LtE", "Gt",
                                                "GtE", "Is",    "IsNot", "In",  "NotIn"};
constexpr llvm::StringLiteral comprehensionNames[] = {"ListComp", "SetComp", "DictComp",
                                                      "GeneratorExp"};

class Dumper {
public:
  Dumper(const Interner& interner, DumpOptions options, llvm::raw_ostream& os)
      : interner_(interner), options_(options), os_(os) {}

  void node(const Node* node) {
    if (!node) {
      os_ << "-";
      return;
    }
    if (llvm::isa<Stmt>(node))
      stmt(llvm::cast<Stmt>(node));
    else
      expr(llvm::cast<Expr>(node));
  }

  void body(Stmts stmts) {
    os_ << " [";
    for (const Stmt* each : stmts) {
      os_ << "\n";
      os_.indent(++depth_ * 2);
      stmt(each);
      --depth_;
    }
    os_ << "]";
  }

private:
  void open(llvm::StringRef kind, const Node* node) {
    os_ << "(" << kind;
    if (options_.ranges) os_ << "@" << node->range.begin << "-" << node->range.end;
    if (options_.ids) os_ << "#" << node->id;
  }
  void close() { os_ << ")"; }
  void name(const Identifier& id) { os_ << " " << (id.name ? interner_.text(id.name) : "-"); }
  void text(llvm::StringRef text) {
    os_ << " \"";
    for (unsigned char c : text) {
      if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\')
        os_ << "\\" << llvm::format_hex_no_prefix(c, 2);
      else
        os_ << c;
    }
    os_ << "\"";
  }
  void sub(const Node* node) {
    os_ << " ";
    this->node(node);
  }
  template <typename T> void list(llvm::ArrayRef<const T*> nodes) {
    os_ << " [";
    for (const T* each : nodes)
      sub(each);
    os_ << "]";
  }

  void constant(const Constant* node) {
    switch (node->constant) {
    case ConstantKind::None:
      os_ << " None";
      break;
    case ConstantKind::True:
      os_ << " True";
      break;
    case ConstantKind::False:
      os_ << " False";
      break;
    case ConstantKind::Ellipsis:
      os_ << " Ellipsis";
      break;
    case ConstantKind::Int:
      os_ << " int " << node->integer;
      break;
    case ConstantKind::BigInt:
      os_ << " int " << node->string;
      break;
    case ConstantKind::Float:
      os_ << " float " << llvm::format("%.17g", node->real);
      break;
    case ConstantKind::Complex:
      os_ << " complex " << llvm::format("%.17g", node->real);
      break;
    case ConstantKind::Str:
      os_ << " str";
      text(node->string);
      break;
    case ConstantKind::Bytes:
      os_ << " bytes";
      text(node->string);
      break;
    }
  }

  void keywords(llvm::ArrayRef<Keyword> keywords) {
    os_ << " {";
    for (const Keyword& keyword : keywords) {
      name(keyword.name);
      os_ << "=";
      node(keyword.value);
    }
    os_ << "}";
  }

  void parameters(llvm::ArrayRef<Parameter> parameters) {
    os_ << " <";
    for (const Parameter& parameter : parameters) {
      os_ << " ";
      switch (parameter.kind) {
      case ParameterKind::PositionalOnly:
        os_ << "p:";
        break;
      case ParameterKind::Positional:
        os_ << "a:";
        break;
      case ParameterKind::VarArgs:
        os_ << "v:";
        break;
      case ParameterKind::KeywordOnly:
        os_ << "k:";
        break;
      case ParameterKind::KwArgs:
        os_ << "w:";
        break;
      }
      name(parameter.name);
      if (parameter.annotation) os_ << ":", node(parameter.annotation);
      if (parameter.defaultValue) os_ << "=", node(parameter.defaultValue);
    }
    os_ << ">";
  }

  // As CPython has it: the text of {x=} belongs to the text before, and its conversion is r when it
  // has neither conversion nor format. Ranges within are left out: they differ between Python's
  // versions.
  void joined(const JoinedStr* node) {
    os_ << "(JoinedStr [";
    std::string pending;
    auto flush = [&] {
      if (!pending.empty()) text(pending);
      pending.clear();
    };
    for (const Expr* part : node->parts) {
      if (auto* constant = llvm::dyn_cast<Constant>(part)) {
        pending += constant->string;
        continue;
      }
      auto* value = llvm::cast<FormattedValue>(part);
      pending += value->debugText;
      flush();
      os_ << " ";
      formatted(value);
    }
    flush();
    os_ << "])";
  }
  void formatted(const FormattedValue* node) {
    os_ << "(FormattedValue";
    bool debugRepr = !node->debugText.empty() && !node->formatSpec;
    sub(node->value);
    os_ << " " << (node->conversion ? node->conversion : debugRepr ? 'r' : '-');
    sub(node->formatSpec);
    close();
  }

  void expr(const Expr* node) {
    switch (node->kind) {
    case NodeKind::NameExpr:
      open("Name", node);
      os_ << " " << interner_.text(llvm::cast<NameExpr>(node)->name);
      break;
    case NodeKind::Constant:
      open("Constant", node);
      constant(llvm::cast<Constant>(node));
      break;
    case NodeKind::JoinedStr:
      joined(llvm::cast<JoinedStr>(node));
      return;
    case NodeKind::FormattedValue:
      formatted(llvm::cast<FormattedValue>(node));
      return;
    case NodeKind::Tuple:
      open("Tuple", node);
      list(llvm::cast<Tuple>(node)->elements);
      break;
    case NodeKind::List:
      open("List", node);
      list(llvm::cast<List>(node)->elements);
      break;
    case NodeKind::Set:
      open("Set", node);
      list(llvm::cast<Set>(node)->elements);
      break;
    case NodeKind::Dict:
      open("Dict", node);
      for (const DictItem& item : llvm::cast<Dict>(node)->items)
        sub(item.key), sub(item.value);
      break;
    case NodeKind::Comprehension: {
      auto* comp = llvm::cast<Comprehension>(node);
      open(comprehensionNames[static_cast<unsigned>(comp->comprehension)], node);
      sub(comp->element);
      sub(comp->value);
      for (const Generator& generator : comp->generators) {
        os_ << (generator.isAsync ? " async-for" : " for");
        sub(generator.target);
        sub(generator.iter);
        list(generator.conditions);
      }
      break;
    }
    case NodeKind::Attribute:
      open("Attribute", node);
      sub(llvm::cast<Attribute>(node)->value);
      name(llvm::cast<Attribute>(node)->attribute);
      break;
    case NodeKind::Subscript:
      open("Subscript", node);
      sub(llvm::cast<Subscript>(node)->value);
      sub(llvm::cast<Subscript>(node)->index);
      break;
    case NodeKind::Slice:
      open("Slice", node);
      sub(llvm::cast<Slice>(node)->lower);
      sub(llvm::cast<Slice>(node)->upper);
      sub(llvm::cast<Slice>(node)->step);
      break;
    case NodeKind::Starred:
      open("Starred", node);
      sub(llvm::cast<Starred>(node)->value);
      break;
    case NodeKind::Call:
      open("Call", node);
      sub(llvm::cast<Call>(node)->func);
      list(llvm::cast<Call>(node)->args);
      keywords(llvm::cast<Call>(node)->keywords);
      break;
    case NodeKind::BinOp:
      open(binaryNames[static_cast<unsigned>(llvm::cast<BinOp>(node)->op)], node);
      sub(llvm::cast<BinOp>(node)->left);
      sub(llvm::cast<BinOp>(node)->right);
      break;
    case NodeKind::UnaryOp:
      open(unaryNames[static_cast<unsigned>(llvm::cast<UnaryOp>(node)->op)], node);
      sub(llvm::cast<UnaryOp>(node)->operand);
      break;
    case NodeKind::BoolOp:
      open(llvm::cast<BoolOp>(node)->isAnd ? "And" : "Or", node);
      list(llvm::cast<BoolOp>(node)->values);
      break;
    case NodeKind::Compare: {
      auto* compare = llvm::cast<Compare>(node);
      open("Compare", node);
      sub(compare->left);
      for (size_t i = 0; i < compare->ops.size(); ++i) {
        os_ << " " << compareNames[static_cast<unsigned>(compare->ops[i])];
        sub(compare->comparators[i]);
      }
      break;
    }
    case NodeKind::IfExp:
      open("IfExp", node);
      sub(llvm::cast<IfExp>(node)->test);
      sub(llvm::cast<IfExp>(node)->body);
      sub(llvm::cast<IfExp>(node)->orelse);
      break;
    case NodeKind::Lambda:
      open("Lambda", node);
      parameters(llvm::cast<Lambda>(node)->parameters);
      sub(llvm::cast<Lambda>(node)->body);
      break;
    case NodeKind::NamedExpr:
      open("NamedExpr", node);
      sub(llvm::cast<NamedExpr>(node)->target);
      sub(llvm::cast<NamedExpr>(node)->value);
      break;
    case NodeKind::Await:
      open("Await", node);
      sub(llvm::cast<Await>(node)->value);
      break;
    case NodeKind::Yield:
      open(llvm::cast<Yield>(node)->isFrom ? "YieldFrom" : "Yield", node);
      sub(llvm::cast<Yield>(node)->value);
      break;
    default:
      open("ErrorExpr", node);
      break;
    }
    close();
  }

  void aliases(llvm::ArrayRef<Alias> aliases) {
    for (const Alias& alias : aliases) {
      os_ << " ";
      path(alias.path);
      if (alias.asName.name) os_ << "=" << interner_.text(alias.asName.name);
    }
  }
  void path(llvm::ArrayRef<Identifier> parts) {
    for (size_t i = 0; i < parts.size(); ++i)
      os_ << (i ? "." : "") << interner_.text(parts[i].name);
  }

  void stmt(const Stmt* node) {
    switch (node->kind) {
    case NodeKind::FunctionDef: {
      auto* def = llvm::cast<FunctionDef>(node);
      open(def->isAsync ? "AsyncFunctionDef" : "FunctionDef", node);
      name(def->name);
      list(def->decorators);
      parameters(def->parameters);
      sub(def->returns);
      text(def->docstring);
      body(def->body);
      break;
    }
    case NodeKind::ClassDef: {
      auto* def = llvm::cast<ClassDef>(node);
      open("ClassDef", node);
      name(def->name);
      list(def->decorators);
      list(def->bases);
      keywords(def->keywords);
      text(def->docstring);
      body(def->body);
      break;
    }
    case NodeKind::Return:
      open("Return", node);
      sub(llvm::cast<Return>(node)->value);
      break;
    case NodeKind::Delete:
      open("Delete", node);
      list(llvm::cast<Delete>(node)->targets);
      break;
    case NodeKind::Assign:
      open("Assign", node);
      list(llvm::cast<Assign>(node)->targets);
      sub(llvm::cast<Assign>(node)->value);
      break;
    case NodeKind::AugAssign:
      open("AugAssign", node);
      sub(llvm::cast<AugAssign>(node)->target);
      os_ << " " << binaryNames[static_cast<unsigned>(llvm::cast<AugAssign>(node)->op)];
      sub(llvm::cast<AugAssign>(node)->value);
      break;
    case NodeKind::AnnAssign:
      open("AnnAssign", node);
      sub(llvm::cast<AnnAssign>(node)->target);
      sub(llvm::cast<AnnAssign>(node)->annotation);
      sub(llvm::cast<AnnAssign>(node)->value);
      break;
    case NodeKind::For: {
      auto* loop = llvm::cast<For>(node);
      open(loop->isAsync ? "AsyncFor" : "For", node);
      sub(loop->target);
      sub(loop->iter);
      body(loop->body);
      body(loop->orelse);
      break;
    }
    case NodeKind::While:
      open("While", node);
      sub(llvm::cast<While>(node)->test);
      body(llvm::cast<While>(node)->body);
      body(llvm::cast<While>(node)->orelse);
      break;
    case NodeKind::If:
      open("If", node);
      sub(llvm::cast<If>(node)->test);
      body(llvm::cast<If>(node)->body);
      body(llvm::cast<If>(node)->orelse);
      break;
    case NodeKind::With: {
      auto* with = llvm::cast<With>(node);
      open(with->isAsync ? "AsyncWith" : "With", node);
      for (const WithItem& item : with->items)
        sub(item.context), sub(item.target);
      body(with->body);
      break;
    }
    case NodeKind::Raise:
      open("Raise", node);
      sub(llvm::cast<Raise>(node)->exception);
      sub(llvm::cast<Raise>(node)->cause);
      break;
    case NodeKind::Try: {
      auto* attempt = llvm::cast<Try>(node);
      open("Try", node);
      body(attempt->body);
      for (const ExceptHandler& handler : attempt->handlers) {
        os_ << (handler.isStar ? " except*" : " except");
        sub(handler.type);
        name(handler.name);
        body(handler.body);
      }
      body(attempt->orelse);
      body(attempt->finalbody);
      break;
    }
    case NodeKind::Assert:
      open("Assert", node);
      sub(llvm::cast<Assert>(node)->test);
      sub(llvm::cast<Assert>(node)->message);
      break;
    case NodeKind::Import:
      open("Import", node);
      aliases(llvm::cast<Import>(node)->names);
      break;
    case NodeKind::ImportFrom: {
      auto* import = llvm::cast<ImportFrom>(node);
      open("ImportFrom", node);
      os_ << " " << import->level << " ";
      path(import->module);
      if (import->isStar) os_ << " *";
      aliases(import->names);
      break;
    }
    case NodeKind::Global:
      open(llvm::cast<Global>(node)->isNonlocal ? "Nonlocal" : "Global", node);
      for (const Identifier& each : llvm::cast<Global>(node)->names)
        name(each);
      break;
    case NodeKind::ExprStmt:
      open("Expr", node);
      sub(llvm::cast<ExprStmt>(node)->value);
      break;
    case NodeKind::Pass:
      open("Pass", node);
      break;
    case NodeKind::Break:
      open("Break", node);
      break;
    case NodeKind::Continue:
      open("Continue", node);
      break;
    case NodeKind::Match:
      open("Match", node);
      sub(llvm::cast<Match>(node)->subject);
      for (const MatchCase& each : llvm::cast<Match>(node)->cases) {
        os_ << " case " << each.pattern->range.begin << "-" << each.pattern->range.end;
        sub(each.guard);
        body(each.body);
      }
      break;
    case NodeKind::TypeAlias:
      open("TypeAlias", node);
      sub(llvm::cast<TypeAlias>(node)->name);
      sub(llvm::cast<TypeAlias>(node)->value);
      break;
    default:
      open("ErrorStmt", node);
      break;
    }
    close();
  }

  const Interner& interner_;
  DumpOptions options_;
  llvm::raw_ostream& os_;
  unsigned depth_ = 0;
};

} // namespace

std::string dump(const Node* node, const Interner& interner, DumpOptions options) {
  std::string out;
  llvm::raw_string_ostream os(out);
  Dumper(interner, options, os).node(node);
  return out;
}

std::string dump(const SyntaxTree& tree, DumpOptions options) {
  std::string out;
  llvm::raw_string_ostream os(out);
  for (const Stmt* stmt : tree.body()) {
    Dumper(tree.interner(), options, os).node(stmt);
    os << "\n";
  }
  return out;
}

} // namespace gluond::syntax
