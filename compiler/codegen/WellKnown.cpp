#include "codegen/WellKnown.h"

namespace gluond::codegen {

WellKnown::WellKnown(Interner& names)
    : value(names.intern("value")), type(names.intern("type")), shape(names.intern("shape")),
      getitem(names.intern("__getitem__")), len(names.intern("len")), range(names.intern("range")),
      float_(names.intern("float")), int_(names.intern("int")), list(names.intern("list")),
      isinstance(names.intern("isinstance")), getattr(names.intern("getattr")), hasattr(names.intern("hasattr")),
      print(names.intern("print")), min(names.intern("min")), max(names.intern("max")),
      pythonBuiltins{len, range, float_, int_, list, isinstance, getattr, hasattr, print, min, max} {}

} // namespace gluond::codegen
