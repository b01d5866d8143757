#include "language/types/Text.h"

#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/Type.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <charconv>
#include <cmath>

namespace gluond::language {

std::string reprFloat(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char digits[32];
  auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
  llvm::StringRef text(digits, static_cast<size_t>(end - digits));
  auto [mantissa, exponentText] = text.split('e');
  int exponent = 0;
  bool negativeExponent = exponentText.consume_front("-");
  exponentText.consume_front("+");
  exponentText.getAsInteger(10, exponent);
  if (negativeExponent) exponent = -exponent;
  if (exponent < -4 || exponent >= 16) {
    std::string result = (mantissa + "e" + (exponent < 0 ? "-" : "+")).str();
    unsigned size = static_cast<unsigned>(std::abs(exponent));
    if (size < 10) result += "0";
    return result + std::to_string(size);
  }
  end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr;
  std::string result(digits, end);
  if (result.find('.') == std::string::npos) result += ".0";
  return result;
}

// str.isprintable(), as far as text is likely to need it.
static bool isPrintable(llvm::UTF32 code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa1) || code == 0xad) return false;
  if (code >= 0xd800 && code < 0xf900) return false; // surrogates, private use
  if (code == 0x2028 || code == 0x2029 || (code >= 0x2000 && code <= 0x200f) || code == 0x202f ||
      code == 0x3000 || code == 0xfeff || (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x205f && code <= 0x206f))
    return false;
  return code < 0xe0000;
}

std::string reprString(llvm::StringRef text) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string result(1, quote);
  for (size_t i = 0; i < text.size();) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      ++i;
      if (c == static_cast<unsigned char>(quote) || c == '\\')
        (result += '\\') += static_cast<char>(c);
      else if (c == '\n')
        result += "\\n";
      else if (c == '\r')
        result += "\\r";
      else if (c == '\t')
        result += "\\t";
      else if (c < 0x20 || c == 0x7f)
        result += "\\x" + llvm::utohexstr(c, true, 2);
      else
        result += static_cast<char>(c);
      continue;
    }
    const auto* source = reinterpret_cast<const llvm::UTF8*>(text.data() + i);
    llvm::UTF32 code = 0, *target = &code;
    const auto* start = source;
    size_t length = llvm::getNumBytesForUTF8(*source);
    if (length > text.size() - i ||
        llvm::ConvertUTF8toUTF32(&source, source + length, &target, &code + 1,
                                 llvm::strictConversion) != llvm::conversionOK) {
      result +=
          "\\udc" + llvm::utohexstr(c, true, 2); // an undecodable byte, as surrogateescape shows it
      ++i;
      continue;
    }
    i += static_cast<size_t>(source - start);
    if (isPrintable(code))
      result += llvm::StringRef(reinterpret_cast<const char*>(start), length);
    else if (code < 0x100)
      result += "\\x" + llvm::utohexstr(code, true, 2);
    else if (code < 0x10000)
      result += "\\u" + llvm::utohexstr(code, true, 4);
    else
      result += "\\U" + llvm::utohexstr(code, true, 8);
  }
  return result + quote;
}

// The class of an enum's member by its own name, which is not always the one it is imported under.
static llvm::StringRef enumName(const Builtin& member) {
  for (const BuiltinModule& module : builtinModules())
    if (module.alias == member.where) return llvm::StringRef(module.name).rsplit('.').second;
  return member.where;
}

std::string decimal(const BigIntObject& value) {
  // Divides repeatedly by the longest power of ten that fits a word; the remainders are the digits,
  // the last ones first.
  constexpr unsigned digitsPerWord = 19;
  constexpr uint64_t power = 10'000'000'000'000'000'000u;
  llvm::SmallVector<uint64_t, 8> words(value.magnitude);
  std::string reversed;
  while (!words.empty()) {
    unsigned __int128 rest = 0;
    for (size_t i = words.size(); i-- > 0;) {
      rest = rest << 64 | words[i];
      words[i] = static_cast<uint64_t>(rest / power);
      rest %= power;
    }
    while (!words.empty() && words.back() == 0)
      words.pop_back();
    auto digits = static_cast<uint64_t>(rest);
    for (unsigned i = 0; i < digitsPerWord && (digits || !words.empty()); ++i, digits /= 10)
      reversed += static_cast<char>('0' + digits % 10);
  }
  if (value.negative) reversed += '-';
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

namespace {

// The progress of printing one value with its parts: beyond these limits, "..." replaces the rest.
// Shared parts are printed each time, so the number of parts does not bound the memory.
struct Progress {
  static constexpr unsigned mostDepth = 100;
  static constexpr size_t mostParts = size_t{1} << 20, mostText = size_t{16} << 20;
  unsigned depth = 0;
  size_t parts = 0, text = 0;
  bool isBeyond() const { return depth > mostDepth || parts > mostParts || text > mostText; }
};

class Printer {
public:
  Printer(llvm::raw_ostream& os, const Interner* names, AddressOf address, Progress& progress)
      : os_(os), names_(names), address_(address), progress_(progress) {}

  static std::string str(Value value, const Interner* names, AddressOf address, Progress& progress);

  void repr(Value value) {
    ++progress_.depth;
    ++progress_.parts;
    if (progress_.isBeyond())
      os_ << "...";
    else
      print(value);
    --progress_.depth;
  }

  void layout(const LayoutObject& layout) {
    os_ << layout.cls->name << "(";
    for (size_t i = 0; i < layout.fields.size(); ++i) {
      if (i) os_ << ", ";
      os_ << layout.cls->fields[i].name << "=";
      repr(layout.fields[i]);
    }
    os_ << ")";
  }

private:
  // Its digits take time that grows faster than their number.
  // Longer ones have more than 4300 digits, which Python refuses to print. The time it takes grows
  // with the square of the words, and counts as text.
  void integer(const BigIntObject& value) {
    constexpr size_t mostWords = 224;
    size_t words = value.magnitude.size();
    if (words <= mostWords) progress_.text += words * words;
    os_ << (words > mostWords || progress_.isBeyond() ? std::string("...") : decimal(value));
  }
  void quoted(llvm::StringRef text) {
    progress_.text += text.size();
    os_ << (progress_.isBeyond() ? std::string("...") : reprString(text));
  }
  void items(Items values) {
    llvm::interleaveComma(values, os_, [&](Value item) { constexprOr(item); });
  }
  // Items of Python containers inside kernels may be wrapped.
  void constexprOr(Value item) {
    if (item.isConstexpr()) {
      os_ << "constexpr[";
      os_ << str(item.unwrapped(), names_, address_, progress_) << "]";
    } else
      repr(item);
  }

  void object(llvm::StringRef what, const void* pointer) {
    os_ << "<" << what << " at 0x";
    os_.write_hex(address_ ? address_(pointer) : 0);
    os_ << ">";
  }

  // Python prints the object's address, useful only in names; elsewhere its type says more.
  void irValue(const IrObject& value, const void* pointer) {
    if (address_) return object(classOf(*value.type).str() + " object", pointer);
    os_ << (names_ ? language::str(value.type, *names_) : std::string("value"));
  }
  static llvm::StringRef classOf(const Type& type) {
    switch (type.kind()) {
    case TypeKind::SharedMemoryDescriptor:
      return "triton.experimental.gluon.language._core.shared_memory_descriptor";
    case TypeKind::TensorMemoryDescriptor:
      return "triton.experimental.gluon.language.nvidia.blackwell.tensor_memory_descriptor";
    default:
      return "triton.language.core.tensor";
    }
  }

  void function(const FunctionObject& function, const void* pointer) {
    switch (function.function) {
    case FunctionKind::Jit:
      os_ << "JITFunction(" << (function.module ? function.module->name : "") << ":"
          << function.qualname << ")";
      break;
    case FunctionKind::Constexpr:
      object("triton.runtime.jit.ConstexprFunction object", pointer);
      break;
    case FunctionKind::Python:
      object(("function " + function.qualname).str(), pointer);
      break;
    }
  }

  void instance(const InstanceObject& instance, const void* pointer) {
    const ClassObject& cls = *instance.cls;
    std::string qualified =
        (cls.module ? cls.module->name.str() + "." : std::string()) + cls.qualname.str();
    if (cls.flavour != ClassObject::Flavour::Dataclass) {
      object(qualified + " object", pointer);
      return;
    }
    os_ << cls.qualname << "(";
    bool first = true;
    for (const ClassObject::Field& field : cls.fields) {
      Value value = instance.attributes ? instance.attributes->get(field.name) : Value::absent();
      if (value.isAbsent()) continue;
      if (!first) os_ << ", ";
      first = false;
      os_ << text(field.name) << "=";
      constexprOr(value);
    }
    os_ << ")";
  }

  void print(Value value) {
    switch (value.kind()) {
    case ValueKind::Unknown:
    case ValueKind::Absent:
      os_ << "?";
      break;
    case ValueKind::None:
      os_ << "None";
      break;
    case ValueKind::NotImplemented:
      os_ << "NotImplemented";
      break;
    case ValueKind::Ellipsis:
      os_ << "Ellipsis";
      break;
    case ValueKind::Bool:
      os_ << (value.asBool() ? "True" : "False");
      break;
    case ValueKind::Int:
      os_ << value.asInt();
      break;
    case ValueKind::Float:
      os_ << reprFloat(value.asFloat());
      break;
    case ValueKind::BigInt:
      integer(*value.as<BigIntObject>());
      break;
    case ValueKind::Str:
      quoted(value.as<StrObject>()->text);
      break;
    case ValueKind::Bytes:
      os_ << "b";
      quoted(value.as<StrObject>()->text);
      break;
    case ValueKind::Builtin: {
      const Builtin& builtin = *value.asBuiltin();
      if (builtin.kind == BuiltinKind::Constant)
        os_ << enumName(builtin) << "." << builtin.name;
      else if (builtin.kind == BuiltinKind::Layout || builtin.kind == BuiltinKind::Class)
        os_ << "<class '" << builtin.name << "'>";
      else
        os_ << "<function " << builtin.name << ">";
      break;
    }
    case ValueKind::Type:
      if (value.asType()->isScalar())
        os_ << "triton.language." << value.asType()->info().attribute;
      else
        os_ << (names_ ? language::str(value.asType(), *names_) : std::string("type"));
      break;
    case ValueKind::Tuple: {
      auto* tuple = value.as<TupleObject>();
      if (tuple->namedtuple) {
        os_ << tuple->namedtuple->qualname << "(";
        for (size_t i = 0; i < tuple->items.size(); ++i) {
          if (i) os_ << ", ";
          if (i < tuple->namedtuple->fields.size())
            os_ << text(tuple->namedtuple->fields[i].name) << "=";
          constexprOr(tuple->items[i]);
        }
      } else {
        os_ << "(";
        items(tuple->items);
        if (tuple->items.size() == 1 && !tuple->triton) os_ << ",";
      }
      os_ << ")";
      break;
    }
    case ValueKind::List:
      os_ << "[";
      items(itemsOf(value));
      os_ << "]";
      break;
    case ValueKind::Dict: {
      os_ << "{";
      bool first = true;
      for (auto [key, item] : value.as<DictObject>()->items) {
        if (!first) os_ << ", ";
        first = false;
        repr(key);
        os_ << ": ";
        constexprOr(item);
      }
      os_ << "}";
      break;
    }
    case ValueKind::Set: {
      auto* set = value.as<DictObject>();
      os_ << "{";
      llvm::interleaveComma(set->items, os_, [&](auto entry) { repr(entry.key); });
      os_ << "}";
      break;
    }
    case ValueKind::Range: {
      auto* range = value.as<RangeObject>();
      os_ << "range(" << range->start << ", " << range->stop;
      if (range->step != 1) os_ << ", " << range->step;
      os_ << ")";
      break;
    }
    case ValueKind::Slice: {
      auto* slice = value.as<SliceObject>();
      os_ << "slice(";
      repr(slice->start);
      os_ << ", ";
      repr(slice->stop);
      os_ << ", ";
      repr(slice->step);
      os_ << ")";
      break;
    }
    case ValueKind::Function:
      function(*value.as<FunctionObject>(), value.object());
      break;
    case ValueKind::BoundMethod:
      object("bound method", value.object());
      break;
    case ValueKind::Class: {
      auto* cls = value.as<ClassObject>();
      os_ << "<class '" << (cls->module ? cls->module->name.str() + "." : std::string())
          << cls->qualname << "'>";
      break;
    }
    case ValueKind::Instance:
      instance(*value.as<InstanceObject>(), value.object());
      break;
    case ValueKind::Module:
      os_ << "<module '" << value.as<ModuleObject>()->name << "'>";
      break;
    case ValueKind::Enum: {
      auto* member = value.as<EnumObject>();
      os_ << "<" << member->cls->qualname << "." << text(member->name) << ": ";
      repr(member->value);
      os_ << ">";
      break;
    }
    case ValueKind::Layout:
      layout(*value.as<LayoutObject>());
      break;
    case ValueKind::Ir:
      irValue(*value.as<IrObject>(), value.object());
      break;
    case ValueKind::Host:
      object("object", value.object());
      break;
    }
  }

  llvm::raw_ostream& os_;
  llvm::StringRef text(Name name) const { return names_ ? names_->text(name) : "?"; }

  const Interner* names_;
  AddressOf address_;
  Progress& progress_;
};

} // namespace

std::string Printer::str(Value value, const Interner* names, AddressOf address,
                         Progress& progress) {
  if (auto* text = value.as<StrObject>(); text && value.is(ValueKind::Str)) return text->text.str();
  if (value.is(ValueKind::Type) && (names || value.asType()->isScalar()))
    return value.asType()->isScalar() ? value.asType()->info().name.str()
                                      : language::str(value.asType(), *names);
  if (auto* tuple = value.as<TupleObject>(); tuple && tuple->triton) {
    std::string result = "[";
    ++progress.depth;
    for (size_t i = 0; i < tuple->items.size(); ++i) {
      if (i) result += ", ";
      ++progress.parts;
      if (progress.isBeyond()) {
        result += "...";
        break;
      }
      // Each level quotes the text that the inner one has quoted, and may double it.
      std::string item = str(tuple->items[i], names, address, progress);
      progress.text += item.size();
      result += progress.isBeyond() ? std::string("...") : reprString(item);
    }
    --progress.depth;
    return result + "]";
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto* member = value.as<EnumObject>(); member && names)
    os << member->cls->qualname << "." << names->text(member->name);
  else
    Printer(os, names, address, progress).repr(value);
  return text;
}

std::string repr(Value value, const Interner& names, AddressOf address) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Progress progress;
  Printer(os, &names, address, progress).repr(value);
  return text;
}

std::string repr(const LayoutObject& layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Progress progress;
  Printer(os, nullptr, nullptr, progress).layout(layout);
  return text;
}

std::string str(Value value, const Interner& names, AddressOf address) {
  Progress progress;
  return Printer::str(value, &names, address, progress);
}
std::string strOfPlain(Value value) {
  Progress progress;
  return Printer::str(value, nullptr, nullptr, progress);
}

} // namespace gluond::language
