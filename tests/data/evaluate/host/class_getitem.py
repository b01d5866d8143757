class Box:
    def __class_getitem__(cls, item):
        return (cls, item)
assert Box[int] == (Box, int)
class Sub(Box): pass
assert Sub["x"][0] is Sub
