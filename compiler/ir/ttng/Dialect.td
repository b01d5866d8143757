// The `ttng` dialect: NVIDIA's TMA, mbarriers, wgmma, tcgen05 and tensor memory, clusters.
#ifndef GLUOND_TTNG_DIALECT_TD
#define GLUOND_TTNG_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::gluond::ttng";
  let summary = "NVIDIA tile operations of Triton";
  let dependentDialects = ["::gluond::tt::TTDialect", "::gluond::ttg::TTGDialect", "::mlir::gpu::GPUDialect"];
  let hasOperationAttrVerify = 1;
  let hasCanonicalizer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif
