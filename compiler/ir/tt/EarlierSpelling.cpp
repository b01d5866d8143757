#include "ir/tt/EarlierSpelling.h"

#include "ir/tt/Dialect.h"
#include "ir/tt/ReleaseInForce.h"

namespace gluond::tt {

using namespace mlir;
using releases::Rule;

ParseResult parseHinted(OpAsmParser& parser, NamedAttrList& attributes) {
  return parser.parseOptionalAttrDict(attributes);
}

// Attributes with the value that they have if they are not written.
static bool isDefault(const NamedAttribute& attribute) {
  if (auto flag = dyn_cast<BoolAttr>(attribute.getValue()))
    return attribute.getName() == "isVolatile" && !flag.getValue();
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  return number && attribute.getName() == "contiguity" && number.getInt() == 1;
}

void printHinted(OpAsmPrinter& printer, Operation* op, DictionaryAttr attributes) {
  SmallVector<StringRef, 4> elided = {"operandSegmentSizes"};
  for (const NamedAttribute& attribute : attributes)
    if (isDefault(attribute)) elided.push_back(attribute.getName());
  auto policy = attributes.getAs<CachePolicyAttr>("cachePolicy");
  if (policy && follows(Rule::CacheHintsAreWords, op->getContext())) {
    elided.push_back("cachePolicy");
    if (policy.getCacheModifier() != CacheModifier::NONE)
      printer << " cacheModifier = " << stringifyCacheModifier(policy.getCacheModifier());
    if (policy.getEvictionPolicy() != EvictionPolicy::NORMAL)
      printer << " evictionPolicy = " << stringifyEvictionPolicy(policy.getEvictionPolicy());
  }
  printer.printOptionalAttrDict(attributes.getValue(), elided);
}

ParseResult parseAccessTypes(OpAsmParser& parser, Type& pointer, Type& value) {
  return failure(parser.parseType(pointer) || parser.parseArrow() || parser.parseType(value));
}
void printAccessTypes(OpAsmPrinter& printer, Operation* op, Type pointer, Type value) {
  if (!follows(Rule::BuffersHaveNoPointerType, op->getContext())) printer << pointer << " -> ";
  printer << value;
}

ParseResult parsePointerType(OpAsmParser& parser, Type& pointer) {
  return parser.parseType(pointer);
}
void printPointerType(OpAsmPrinter& printer, Operation* op, Type pointer) {
  if (follows(Rule::BuffersHaveNoPointerType, op->getContext()))
    printer.printStrippedAttrOrType(cast<PointerType>(pointer));
  else
    printer << pointer;
}

} // namespace gluond::tt
