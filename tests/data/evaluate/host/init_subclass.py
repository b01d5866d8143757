class Base:
    registry = {}
    def __init_subclass__(cls, name=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Base.registry[name or cls.__name__] = cls
        cls.tag = (name or "x").upper()
class A(Base, name="a"): pass
class B(A): pass
assert Base.registry["a"] is A and A.tag == "A" and B.tag == "X"
