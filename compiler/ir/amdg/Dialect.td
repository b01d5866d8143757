// The `amdg` dialect: what only AMD's GPUs have. Buffer accesses, TDM copies, barriers, slices and packed conversions.
#ifndef GLUOND_AMDG_DIALECT_TD
#define GLUOND_AMDG_DIALECT_TD

include "mlir/IR/OpBase.td"

def AMDG_Dialect : Dialect {
  let name = "amdg";
  let cppNamespace = "::gluond::amdg";
  let summary = "AMD's operations at the level of tiles";
  let dependentDialects = ["::gluond::tt::TTDialect", "::gluond::ttg::TTGDialect"];
}

#endif
