class Once:
    _made = None
    def __new__(cls, *args, **kwargs):
        if cls._made is None:
            cls._made = super().__new__(cls)
        return cls._made
    def __init__(self, a=1):
        self.a = a
assert Once() is Once(2)
class Child(Once):
    def __new__(cls, *a):
        return super().__new__(cls, *a)
assert Child(3).a == 2
