// Between layouts as values (language::LayoutObject, what the user wrote) and layouts as meaning
// (layout::Layout, from which ir makes encodings).
#pragma once

#include "language/values/Value.h"
#include "layout/named/Layout.h"

namespace gluond::language {

// The layout a value stands for. An error for one that is not well-formed; AutoLayout,
// CoalescedLayout and cache policies are none.
layout::OrError<layout::Layout> toLayout(const LayoutObject& object);

// The value that Triton's layout_to_gluon makes of a layout, allocated in `heap`. Null when Gluon
// has no class for it. `isRubin`: scales in tensor memory have a class of their own there.
const LayoutObject* toObject(const layout::Layout& layout, Heap& heap, bool isRubin = false);

} // namespace gluond::language
