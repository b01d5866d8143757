// Helpers for the generated definitions of tt's ops.
#pragma once

#include "ir/tt/EarlierSpelling.h"
#include "ir/tt/Ops.h"

#include <mlir/IR/DialectImplementation.h>
