import types, sys, importlib.util, inspect
mod = types.ModuleType("fake"); mod.x = 3; sys.modules["fake"] = mod
import fake
assert fake.x == 3 and fake is mod
spec = importlib.util.spec_from_loader("dyn", loader=None); d = importlib.util.module_from_spec(spec); exec("y = 4\ndef g(): return y", d.__dict__); assert d.g() == 4
def outer():
    x = 1
    def inner():
        nonlocal x
        x += 1
        return x
    inner(); return inner() + len(locals())
assert outer() == 5
assert inspect.getsource(outer).startswith("def outer") and inspect.getdoc(len) and inspect.isclass(int) and inspect.getmodule(outer) and inspect.stack()[0].function == "<module>"
assert outer.__closure__ is None and outer.__defaults__ is None and outer.__kwdefaults__ is None and outer.__annotations__ == {}
def sig(a: int, *, b: str = "x", **kw) -> float: ...
p = inspect.signature(sig).parameters
assert p["b"].kind is inspect.Parameter.KEYWORD_ONLY and p["a"].annotation is int and inspect.signature(sig).return_annotation is float and inspect.getfullargspec(sig).kwonlyargs == ["b"]
g = types.FunctionType(outer.__code__, globals(), "renamed"); assert g.__name__ == "renamed" and callable(g)
class Dyn: pass
Dyn.method = lambda self: 7; assert Dyn().method() == 7; o = Dyn(); o.bound = types.MethodType(lambda self, k: k, o); assert o.bound(3) == 3
setattr(Dyn, "attr", 1); assert getattr(Dyn, "attr") == 1 and hasattr(o, "attr"); delattr(Dyn, "attr"); assert not hasattr(o, "attr")
assert types.MappingProxyType({"a": 1})["a"] == 1 and isinstance((i for i in ()), types.GeneratorType) and type(None) is types.NoneType and isinstance(list[int], types.GenericAlias)
frame = sys._getframe(); assert frame.f_globals["__name__"]
