#include "codegen/context/WellKnown.h"

namespace gluond::codegen {

WellKnown::WellKnown(Interner& names)
    : value(names.intern("value")), type(names.intern("type")), shape(names.intern("shape")),
      getitem(names.intern("__getitem__")), len(names.intern("len")), range(names.intern("range")),
      float_(names.intern("float")), int_(names.intern("int")), list(names.intern("list")),
      isinstance(names.intern("isinstance")), getattr(names.intern("getattr")),
      hasattr(names.intern("hasattr")), print(names.intern("print")), min(names.intern("min")),
      max(names.intern("max")),
      // The most frequent names come first: comparing with a name interns it.
      pythonBuiltins{min,   max,        range,   len,     int_, float_,
                     print, isinstance, getattr, hasattr, list} {}

} // namespace gluond::codegen
