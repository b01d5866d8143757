# Objects that code got which gluond does not know: it may have changed them.
import somewhere

numbers = [1, 2]
table = {}
places = [None]


class Box:
    pass


box = Box()
somewhere.fill(numbers, table=table)
somewhere.visit(box, places)
assert numbers == [3]
assert table["x"] == 1
assert numbers[5] == 3
box.added.more()
places[0].shape
