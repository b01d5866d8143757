// Conversions between layouts as values (language::LayoutObject, written by the user) and their
// meaning (layout::Layout, from which ir makes encodings).
#pragma once

#include "language/values/Value.h"
#include "layout/named/Layout.h"

namespace gluond::language {

// Returns the layout of a value, or an error if it is not well-formed, or is an AutoLayout, a
// CoalescedLayout or a cache policy.
layout::OrError<layout::Layout> toLayout(const LayoutObject& object);

// Returns the value that Triton's layout_to_gluon makes of a layout, allocated in `heap`, or null
// if Gluon has no class for it. With `isRubin`, scales in tensor memory have a class of their own.
const LayoutObject* toObject(const layout::Layout& layout, Heap& heap, bool isRubin = false);

// "warps_per_cta must be powers of two, but 3 is not": with Gluon's name of the field.
std::string messageOf(const layout::LayoutError& error);

} // namespace gluond::language
