// Parts of ops that earlier releases of Triton spell in another way. All of them are read as the
// newest release spells them, and printed as the release in force does (ReleaseInForce.h).
#pragma once

#include <mlir/IR/OpImplementation.h>

namespace gluond::tt {

// The attributes of an access. Hints for the caches are an attribute like the others, where earlier
// releases have words of their own: `cacheModifier = cg evictionPolicy = evict_first`.
mlir::ParseResult parseHinted(mlir::OpAsmParser& parser, mlir::NamedAttrList& attributes);
void printHinted(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::DictionaryAttr attributes);

// `pointer -> value`, or only the value.
mlir::ParseResult parseAccessTypes(mlir::OpAsmParser& parser, mlir::Type& pointer,
                                   mlir::Type& value);
void printAccessTypes(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::Type pointer,
                      mlir::Type value);

// The type of a pointer, or only what is in its brackets.
mlir::ParseResult parsePointerType(mlir::OpAsmParser& parser, mlir::Type& pointer);
void printPointerType(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::Type pointer);

} // namespace gluond::tt
