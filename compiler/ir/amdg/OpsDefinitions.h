// Helpers for the generated definitions of amdg's ops.
#pragma once

#include "ir/amdg/Ops.h"

#include <mlir/IR/DialectImplementation.h>
