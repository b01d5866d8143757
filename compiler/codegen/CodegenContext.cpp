#include "codegen/CodegenContext.h"

#include "ir/Registration.h"

namespace gluond::codegen {

CodegenContext::CodegenContext(Interner& names)
    : mlir_(mlir::MLIRContext::Threading::DISABLED), names_(names), wellKnown_(names), prelude_(names, types_) {
  ir::loadDialects(mlir_);
}

CodegenContext::~CodegenContext() = default;

} // namespace gluond::codegen
