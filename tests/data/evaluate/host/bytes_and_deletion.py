assert b"b" in b"abc" and 97 in b"abc" and b"x" not in b"abc"


class Loud:
    def __getattr__(self, name):
        return name.upper()

    def __delattr__(self, name):
        object.__delattr__(self, name)


loud = Loud()
loud.a = 1
del loud.a
assert loud.a == "A"
