import importlib, importlib.util, inspect, types, copy, pkgutil
m = importlib.import_module('math')
assert m.pi > 3
assert importlib.util.find_spec('nope_zz') is None
try:
    importlib.import_module('nope_zz')
except ModuleNotFoundError as e:
    assert e.name == 'nope_zz'

def f(a, b=2, *, c: int=3) -> int:
    return a
sig = inspect.signature(f)
assert list(sig.parameters) == ['a', 'b', 'c']
assert sig.parameters['b'].default == 2
assert inspect.isfunction(f)
assert 'def f' in inspect.getsource(f)
assert sig.parameters['a'].default is inspect.Parameter.empty
assert sig.return_annotation is int
ba = sig.bind(1, c=4)
ba.apply_defaults()
assert ba.arguments == {'a': 1, 'b': 2, 'c': 4}
assert inspect.getmembers(types.SimpleNamespace(a=1))[-1]
assert inspect.isclass(int)
assert inspect.getdoc(f) is None
assert inspect.currentframe() is not None
assert inspect.getfullargspec(f).args == ['a', 'b']
ns = types.SimpleNamespace(a=1)
ns.b = 2
assert ns.b == 2
assert vars(ns) == {'a': 1, 'b': 2}
assert ns == types.SimpleNamespace(a=1, b=2)
mod = types.ModuleType('m')
mod.x = 1
assert mod.x == 1
assert types.MappingProxyType({'a': 1})['a'] == 1
assert isinstance(f, types.FunctionType)
a = [[1]]
b = copy.deepcopy(a)
c = copy.copy(a)
b[0].append(2)
assert a == [[1]]
assert c[0] is a[0]
f2 = types.MethodType(lambda self, x: (self, x), 5)
assert f2(6) == (5, 6)
assert f.__name__ == 'f'
assert f.__code__.co_argcount == 2
assert f.__defaults__ == (2,)
assert f.__kwdefaults__ == {'c': 3}
assert f.__module__ == __name__
