// The names that the interpreter itself looks up in objects, such as __init__.
#pragma once

#include "support/Interner.h"

namespace gluond::evaluate {

struct WellKnownNames {
  // clang-format off
#define GLUOND_WELL_KNOWN(X) \
  X(init, "__init__") \
  X(new_, "__new__") \
  X(postInit, "__post_init__") \
  X(call, "__call__") \
  X(getitem, "__getitem__") \
  X(setitem, "__setitem__") \
  X(delitem, "__delitem__") \
  X(len, "__len__") \
  X(iter, "__iter__") \
  X(next, "__next__") \
  X(contains, "__contains__") \
  X(repr, "__repr__") \
  X(str, "__str__") \
  X(format, "__format__") \
  X(bool_, "__bool__") \
  X(eq, "__eq__") \
  X(ne, "__ne__") \
  X(lt, "__lt__") \
  X(le, "__le__") \
  X(gt, "__gt__") \
  X(ge, "__ge__") \
  X(hash, "__hash__") \
  X(getattr, "__getattr__") \
  X(getattribute, "__getattribute__") \
  X(setattr, "__setattr__") \
  X(enter, "__enter__") \
  X(exit, "__exit__") \
  X(name, "__name__") \
  X(qualname, "__qualname__") \
  X(module, "__module__") \
  X(doc, "__doc__") \
  X(dict, "__dict__") \
  X(class_, "__class__") \
  X(file, "__file__") \
  X(all, "__all__") \
  X(annotations, "__annotations__") \
  X(value, "value") \
  X(args, "args") \
  X(kwargs, "kwargs") \
  X(self, "self") \
  X(underscoreValue, "_value_") \
  X(enumName, "name") \
  X(fields, "_fields") \
  X(index, "__index__") \
  X(int_, "__int__") \
  X(float_, "__float__") \
  X(neg, "__neg__") \
  X(pos, "__pos__") \
  X(invert, "__invert__") \
  X(abs, "__abs__") \
  X(cause, "__cause__") \
  X(initSubclass, "__init_subclass__") \
  X(setName, "__set_name__") \
  X(classGetitem, "__class_getitem__") \
  X(mro, "__mro__") \
  X(bases, "__bases__") \
  X(defaults, "__defaults__") \
  X(wrapped, "__wrapped__") \
  X(func, "func") \
  X(keywords, "keywords") \
  X(missing, "_missing_") \
  X(slots, "__slots__") \
  X(version, "__version__") \
  X(path, "__path__") \
  X(fn, "fn") \
  X(shape, "shape") \
  X(dtype, "dtype") \
  X(T, "T") \
  X(type, "type") \
  X(prepare, "__prepare__") \
  X(delattr, "__delattr__") \
  X(fspath, "__fspath__") \
  X(length_hint, "__length_hint__") \
  X(numWarps, "num_warps")
// clang-format on
#define GLUOND_DECLARE(id, text) Name id;
  GLUOND_WELL_KNOWN(GLUOND_DECLARE)
#undef GLUOND_DECLARE
  explicit WellKnownNames(Interner& names);
};

} // namespace gluond::evaluate
