// What the generated definitions of amdg's ops need beyond the ops themselves.
#pragma once

#include "ir/amdg/Ops.h"

#include <mlir/IR/DialectImplementation.h>
