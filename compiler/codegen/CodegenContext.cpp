#include "codegen/CodegenContext.h"

#include "ir/Context.h"

namespace gluond::codegen {

CodegenContext::CodegenContext(Interner& names)
    : mlir_(ir::createContext()), names_(names), wellKnown_(names), types_(names), prelude_(names, types_),
      verifier_(*mlir_) {}

CodegenContext::~CodegenContext() = default;

} // namespace gluond::codegen
