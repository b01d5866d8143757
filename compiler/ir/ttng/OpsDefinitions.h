// What the generated definitions of ttng's ops need beyond the ops themselves.
#pragma once

#include "ir/ttng/Ops.h"

#include <mlir/IR/DialectImplementation.h>
