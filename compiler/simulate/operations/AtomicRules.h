// Combines the value in memory with another one, as an atomic operation does.
#pragma once

#include "ir/tt/Ops.h"
#include "simulate/values/Element.h"

#include <cstddef>

namespace gluond::simulate {

void combineAtomically(tt::RMWOp kind, Element element, std::byte* memory, const std::byte* value);

} // namespace gluond::simulate
