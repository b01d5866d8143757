#include "syntax/tree/Unparse.h"

#include "text/SourceText.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Unicode.h>

#include <charconv>
#include <cmath>

namespace gluond::syntax {

llvm::StringRef symbolOf(BinaryOp op) {
  static constexpr llvm::StringLiteral symbols[] = {"+",  "-",  "*",  "@", "/", "//", "%",
                                                    "**", "<<", ">>", "|", "^", "&"};
  return symbols[static_cast<unsigned>(op)];
}
llvm::StringRef symbolOf(UnaryOperator op) {
  static constexpr llvm::StringLiteral symbols[] = {"~", "not", "+", "-"};
  return symbols[static_cast<unsigned>(op)];
}
llvm::StringRef symbolOf(CompareOp op) {
  static constexpr llvm::StringLiteral symbols[] = {"==", "!=", "<",      "<=", ">",
                                                    ">=", "is", "is not", "in", "not in"};
  return symbols[static_cast<unsigned>(op)];
}

std::string pythonRepr(llvm::StringRef text, bool isBytes) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string out = isBytes ? "b" : "";
  out += quote;
  auto hex = [&](unsigned char c) {
    out += "\\x";
    out += llvm::hexdigit(c >> 4, true);
    out += llvm::hexdigit(c & 15, true);
  };
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    auto byte = static_cast<unsigned char>(c);
    unsigned length = byte < 0x80 || isBytes ? 1 : text::utf8Length(text, at);
    if (length > 1) {
      out.append(text.data() + at, length);
      at += length;
      continue;
    }
    if (c == quote || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte >= 0x7F || length == 0)
      hex(byte);
    else
      out += c;
    ++at;
  }
  return out += quote;
}

std::string pythonRepr(double value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (std::isnan(value)) return "nan";
  char buffer[64];
  double magnitude = std::fabs(value);
  bool isScientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
  auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, value,
                    isScientific ? std::chars_format::scientific : std::chars_format::fixed);
  std::string out(buffer, end);
  if (!isScientific && out.find('.') == std::string::npos) out += ".0";
  return out;
}

namespace {

// How tightly an expression binds, as in Python's grammar, loosest first.
enum Precedence : uint8_t {
  NamedLevel,
  TupleLevel,
  YieldLevel,
  TestLevel,
  OrLevel,
  AndLevel,
  NotLevel,
  CompareLevel,
  BitOrLevel,
  BitXorLevel,
  BitAndLevel,
  ShiftLevel,
  ArithmeticLevel,
  TermLevel,
  FactorLevel,
  PowerLevel,
  AwaitLevel,
  AtomLevel,
};

Precedence levelOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::BitOr:
    return BitOrLevel;
  case BinaryOp::BitXor:
    return BitXorLevel;
  case BinaryOp::BitAnd:
    return BitAndLevel;
  case BinaryOp::LShift:
  case BinaryOp::RShift:
    return ShiftLevel;
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return ArithmeticLevel;
  case BinaryOp::Pow:
    return PowerLevel;
  default:
    return TermLevel;
  }
}
Precedence next(Precedence level) {
  return static_cast<Precedence>(std::min<unsigned>(level + 1, AtomLevel));
}

class Unparser {
public:
  explicit Unparser(const Interner& interner) : interner_(interner) {}
  std::string take() { return std::move(out_); }

  // `outer` is the precedence of the context: expressions with a lower one get parentheses.
  void expr(const Expr* node, Precedence outer = TestLevel) {
    switch (node->kind) {
    case NodeKind::NameExpr:
      out_ += interner_.text(llvm::cast<NameExpr>(node)->name);
      return;
    case NodeKind::Constant:
      return constant(llvm::cast<Constant>(node));
    case NodeKind::JoinedStr:
      return joined(llvm::cast<JoinedStr>(node));
    case NodeKind::FormattedValue:
      return field(llvm::cast<FormattedValue>(node));
    case NodeKind::Tuple:
      return tuple(llvm::cast<Tuple>(node), outer);
    case NodeKind::List:
      return bracketed('[', llvm::cast<List>(node)->elements, ']');
    case NodeKind::Set:
      if (llvm::cast<Set>(node)->elements.empty())
        out_ += "{*()}";
      else
        bracketed('{', llvm::cast<Set>(node)->elements, '}');
      return;
    case NodeKind::Dict: {
      out_ += '{';
      commas(llvm::cast<Dict>(node)->items, [&](const DictItem& item) {
        if (!item.key)
          out_ += "**", expr(item.value, BitOrLevel);
        else
          expr(item.key), out_ += ": ", expr(item.value);
      });
      out_ += '}';
      return;
    }
    case NodeKind::Comprehension:
      return comprehension(llvm::cast<Comprehension>(node));
    case NodeKind::Attribute: {
      auto* attribute = llvm::cast<Attribute>(node);
      auto* number = llvm::dyn_cast<Constant>(attribute->value);
      expr(attribute->value, AtomLevel);
      if (number &&
          (number->constant == ConstantKind::Int || number->constant == ConstantKind::BigInt))
        out_ += ' ';
      out_ += '.';
      out_ += interner_.text(attribute->attribute.name);
      return;
    }
    case NodeKind::Subscript: {
      auto* subscript = llvm::cast<Subscript>(node);
      expr(subscript->value, AtomLevel);
      out_ += '[';
      auto* index = llvm::dyn_cast<Tuple>(subscript->index);
      if (index && !index->elements.empty())
        items(index->elements);
      else
        expr(subscript->index);
      out_ += ']';
      return;
    }
    case NodeKind::Slice: {
      auto* slice = llvm::cast<Slice>(node);
      if (slice->lower) expr(slice->lower);
      out_ += ':';
      if (slice->upper) expr(slice->upper);
      if (slice->step) out_ += ':', expr(slice->step);
      return;
    }
    case NodeKind::Starred:
      out_ += '*';
      return expr(llvm::cast<Starred>(node)->value, BitOrLevel);
    case NodeKind::Call: {
      auto* call = llvm::cast<Call>(node);
      expr(call->func, AtomLevel);
      out_ += '(';
      bool isFirst = true;
      auto separate = [&] {
        if (!isFirst) out_ += ", ";
        isFirst = false;
      };
      for (const Expr* arg : call->args)
        separate(), expr(arg);
      for (const Keyword& keyword : call->keywords) {
        separate();
        if (keyword.name.name)
          (out_ += interner_.text(keyword.name.name)) += '=';
        else
          out_ += "**";
        expr(keyword.value);
      }
      out_ += ')';
      return;
    }
    case NodeKind::BinOp: {
      auto* binary = llvm::cast<BinOp>(node);
      Precedence level = levelOf(binary->op);
      bool isPower = binary->op == BinaryOp::Pow;
      parenthesized(outer > level, [&] {
        expr(binary->left, isPower ? next(level) : level);
        ((out_ += ' ') += symbolOf(binary->op)) += ' ';
        expr(binary->right, isPower ? level : next(level));
      });
      return;
    }
    case NodeKind::UnaryOp: {
      auto* unary = llvm::cast<UnaryOp>(node);
      Precedence level = unary->op == UnaryOperator::Not ? NotLevel : FactorLevel;
      parenthesized(outer > level, [&] {
        out_ += symbolOf(unary->op);
        if (level == NotLevel) out_ += ' ';
        expr(unary->operand, level);
      });
      return;
    }
    case NodeKind::BoolOp: {
      auto* boolean = llvm::cast<BoolOp>(node);
      Precedence level = boolean->isAnd ? AndLevel : OrLevel;
      parenthesized(outer > level, [&] {
        for (size_t i = 0; i < boolean->values.size(); ++i) {
          if (i) out_ += boolean->isAnd ? " and " : " or ";
          expr(boolean->values[i], next(level));
        }
      });
      return;
    }
    case NodeKind::Compare: {
      auto* compare = llvm::cast<Compare>(node);
      parenthesized(outer > CompareLevel, [&] {
        expr(compare->left, BitOrLevel);
        for (size_t i = 0; i < compare->ops.size(); ++i) {
          ((out_ += ' ') += symbolOf(compare->ops[i])) += ' ';
          expr(compare->comparators[i], BitOrLevel);
        }
      });
      return;
    }
    case NodeKind::IfExp: {
      auto* choice = llvm::cast<IfExp>(node);
      parenthesized(outer > TestLevel, [&] {
        expr(choice->body, OrLevel);
        out_ += " if ";
        expr(choice->test, OrLevel);
        out_ += " else ";
        expr(choice->orelse, TestLevel);
      });
      return;
    }
    case NodeKind::Lambda: {
      auto* lambda = llvm::cast<Lambda>(node);
      parenthesized(outer > TestLevel, [&] {
        out_ += "lambda";
        parameters(lambda->parameters);
        out_ += ": ";
        expr(lambda->body);
      });
      return;
    }
    case NodeKind::NamedExpr:
      parenthesized(true, [&] {
        expr(llvm::cast<NamedExpr>(node)->target, AtomLevel);
        out_ += " := ";
        expr(llvm::cast<NamedExpr>(node)->value, AtomLevel);
      });
      return;
    case NodeKind::Await:
      parenthesized(outer > AwaitLevel, [&] {
        out_ += "await ";
        expr(llvm::cast<Await>(node)->value, AtomLevel);
      });
      return;
    case NodeKind::Yield: {
      auto* yield = llvm::cast<Yield>(node);
      parenthesized(outer > YieldLevel, [&] {
        out_ += yield->isFrom ? "yield from " : "yield";
        if (yield->value && !yield->isFrom) out_ += ' ';
        if (yield->value) expr(yield->value, AtomLevel);
      });
      return;
    }
    default:
      out_ += "...";
      return;
    }
  }

private:
  template <typename Body> void parenthesized(bool needed, Body body) {
    if (needed) out_ += '(';
    body();
    if (needed) out_ += ')';
  }
  template <typename T, typename One> void commas(llvm::ArrayRef<T> list, One one) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i) out_ += ", ";
      one(list[i]);
    }
  }
  void items(Exprs elements) {
    commas(elements, [&](const Expr* element) { expr(element); });
    if (elements.size() == 1) out_ += ',';
  }
  void bracketed(char open, Exprs elements, char close) {
    out_ += open;
    commas(elements, [&](const Expr* element) { expr(element); });
    out_ += close;
  }
  void tuple(const Tuple* node, Precedence outer) {
    parenthesized(node->elements.empty() || outer > TupleLevel, [&] { items(node->elements); });
  }

  void constant(const Constant* node) {
    switch (node->constant) {
    case ConstantKind::None:
      out_ += "None";
      return;
    case ConstantKind::True:
      out_ += "True";
      return;
    case ConstantKind::False:
      out_ += "False";
      return;
    case ConstantKind::Ellipsis:
      out_ += "...";
      return;
    case ConstantKind::Int:
      out_ += std::to_string(node->integer);
      return;
    case ConstantKind::BigInt:
      out_ += node->string;
      return;
    case ConstantKind::Float:
      out_ += std::isinf(node->real) ? "1e309" : pythonRepr(node->real);
      return;
    case ConstantKind::Complex: {
      std::string real = pythonRepr(node->real);
      out_ += (llvm::StringRef(real).ends_with(".0") ? llvm::StringRef(real).drop_back(2)
                                                     : llvm::StringRef(real));
      out_ += 'j';
      return;
    }
    case ConstantKind::Str:
      out_ += pythonRepr(node->string);
      return;
    case ConstantKind::Bytes:
      out_ += pythonRepr(node->string, true);
      return;
    }
  }

  // ------------------------------------------------------------- f-strings

  void joined(const JoinedStr* node) {
    Unparser inner(interner_);
    inner.fields(node);
    std::string body = inner.take();
    bool hasSingle = body.find('\'') != std::string::npos;
    char quote = hasSingle && body.find('"') == std::string::npos ? '"' : '\'';
    ((out_ += 'f') += quote) += body;
    out_ += quote;
  }
  void fields(const JoinedStr* node) {
    for (const Expr* part : node->parts) {
      auto* text = llvm::dyn_cast<Constant>(part);
      if (!text) {
        field(llvm::cast<FormattedValue>(part));
        continue;
      }
      for (char c : text->string) {
        if (c == '{' || c == '}') out_ += c;
        if (c == '\n')
          out_ += "\\n";
        else
          out_ += c;
      }
    }
  }
  void field(const FormattedValue* node) {
    out_ += '{';
    if (!node->debugText.empty())
      out_ += node->debugText;
    else
      expr(node->value, OrLevel);
    if (node->conversion) (out_ += '!') += node->conversion;
    if (node->formatSpec) {
      out_ += ':';
      fields(node->formatSpec);
    }
    out_ += '}';
  }

  void comprehension(const Comprehension* node) {
    static constexpr char open[] = "[{{(", close[] = "]}})";
    auto kind = static_cast<unsigned>(node->comprehension);
    out_ += open[kind];
    expr(node->element);
    if (node->value) out_ += ": ", expr(node->value);
    for (const Generator& generator : node->generators) {
      out_ += generator.isAsync ? " async for " : " for ";
      expr(generator.target, TupleLevel);
      out_ += " in ";
      expr(generator.iter, OrLevel);
      for (const Expr* condition : generator.conditions)
        out_ += " if ", expr(condition, OrLevel);
    }
    out_ += close[kind];
  }

  void parameters(llvm::ArrayRef<Parameter> parameters) {
    bool isFirst = true, starred = false;
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Parameter& parameter = parameters[i];
      out_ += isFirst ? " " : ", ";
      isFirst = false;
      if (parameter.kind == ParameterKind::KeywordOnly && !starred) out_ += "*, ";
      starred |=
          parameter.kind == ParameterKind::VarArgs || parameter.kind == ParameterKind::KeywordOnly;
      if (parameter.kind == ParameterKind::VarArgs) out_ += '*';
      if (parameter.kind == ParameterKind::KwArgs) out_ += "**";
      out_ += interner_.text(parameter.name.name);
      if (parameter.defaultValue) out_ += '=', expr(parameter.defaultValue);
      bool last =
          i + 1 == parameters.size() || parameters[i + 1].kind != ParameterKind::PositionalOnly;
      if (parameter.kind == ParameterKind::PositionalOnly && last) out_ += ", /";
    }
  }

  const Interner& interner_;
  std::string out_;
};

} // namespace

std::string unparse(const Expr* expr, const Interner& interner) {
  Unparser unparser(interner);
  unparser.expr(expr);
  return unparser.take();
}

} // namespace gluond::syntax
