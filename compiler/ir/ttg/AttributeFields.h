// Reads the fields of an attribute's text. Internal to ir/ttg/.
#pragma once

#include "ir/ttg/Attributes.h"
#include "layout/named/FieldNames.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/DialectImplementation.h>

namespace gluond::ttg {

// The fields of `<{name = value, ...}>`. The first problem is reported and makes it false from then
// on.
class AttributeFields {
public:
  // Reads `{...}`; AttributeFields::angled() also reads the brackets around it.
  explicit AttributeFields(mlir::AsmParser& parser) : parser_(parser) {
    ok_ = mlir::succeeded(parser.parseAttribute(dict_));
  }
  AttributeFields(mlir::AsmParser& parser, mlir::DictionaryAttr dict)
      : parser_(parser), dict_(dict) {}
  static AttributeFields angled(mlir::AsmParser& parser) {
    bool less = mlir::succeeded(parser.parseLess());
    AttributeFields fields(parser);
    fields.ok_ = less && fields.ok_ && mlir::succeeded(parser.parseGreater());
    return fields;
  }
  explicit operator bool() const { return ok_; }
  bool has(mlir::StringRef name) const { return ok_ && dict_.contains(name); }
  mlir::Attribute get(mlir::StringRef name) const {
    return ok_ ? dict_.get(name) : mlir::Attribute();
  }
  mlir::DictionaryAttr dict() const { return dict_; }

  AttributeFields& only(mlir::ArrayRef<mlir::StringRef> names) {
    if (ok_)
      for (mlir::NamedAttribute attr : dict_)
        if (!llvm::is_contained(names, attr.getName().strref())) {
          fail() << "unexpected key: " << attr.getName().strref();
          break;
        }
    return *this;
  }
  AttributeFields& uint(mlir::StringRef name, unsigned& value, mlir::StringRef what = {}) {
    if (mlir::Attribute attr = get(name)) read(attr, value, what.empty() ? name : what);
    return *this;
  }
  AttributeFields& boolean(mlir::StringRef name, bool& value) {
    if (mlir::Attribute attr = get(name)) {
      if (auto b = mlir::dyn_cast<mlir::BoolAttr>(attr))
        value = b.getValue();
      else
        fail() << "expected a bool type in " << name;
    }
    return *this;
  }
  AttributeFields& uints(mlir::StringRef name, mlir::SmallVector<unsigned>& values,
                         mlir::StringRef what = {}) {
    if (what.empty()) what = name;
    mlir::Attribute attr = get(name);
    if (!attr) return *this;
    auto array = mlir::dyn_cast<mlir::ArrayAttr>(attr);
    if (!array) {
      fail() << "expected an array for " << what;
      return *this;
    }
    values.clear();
    for (mlir::Attribute element : array)
      if (!read(element, values.emplace_back(), what)) break;
    return *this;
  }
  CGAEncodingAttr cga(size_t rank) {
    return ok_ ? parseCGALayout(parser_, dict_.get(layout::fieldsInIr::CGALayout),
                                static_cast<unsigned>(rank))
               : CGAEncodingAttr();
  }
  // Parses bases of the named inputs; a rank of 0 means that the bases determine it.
  std::optional<layout::LinearLayout> linear(mlir::ArrayRef<layout::Dim> ins, unsigned rank = 0);

  mlir::InFlightDiagnostic fail() {
    ok_ = false;
    return parser_.emitError(parser_.getNameLoc());
  }

private:
  bool read(mlir::Attribute attr, unsigned& value, mlir::StringRef what) {
    auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attr);
    if (!integer || mlir::isa<mlir::BoolAttr>(attr)) {
      fail() << "expected an integer type in " << what;
      return false;
    }
    bool isUnsigned = integer.getType().isUnsignedInteger();
    if (integer.getValue().getBitWidth() > 64 || (!isUnsigned && integer.getValue().isNegative())) {
      fail() << "expected an unsigned integer value in " << what;
      return false;
    }
    value = static_cast<unsigned>(integer.getValue().getZExtValue());
    return true;
  }

  mlir::AsmParser& parser_;
  mlir::DictionaryAttr dict_;
  bool ok_ = true;
};

} // namespace gluond::ttg
