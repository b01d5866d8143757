// The `ttg` dialect: layouts, shared memory, asynchronous copies, warp specialization; common to all GPUs.
#ifndef GLUOND_TTG_DIALECT_TD
#define GLUOND_TTG_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::gluond::ttg";
  let summary = "GPU tile operations of Triton";
  let dependentDialects = ["::gluond::tt::TTDialect", "::mlir::gpu::GPUDialect"];
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    // Layouts already worked out, and layouts already found to fit their context (Layouts.h, VerifyLayouts.cpp).
    LayoutCache& layoutCache() const { return *layoutCache_; }

  private:
    std::unique_ptr<LayoutCache, LayoutCacheDeleter> layoutCache_;
  }];
}

#endif
