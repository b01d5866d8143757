// What the generated definitions of tt's ops need beyond the ops themselves.
#pragma once

#include "ir/tt/Ops.h"

#include <mlir/IR/DialectImplementation.h>
