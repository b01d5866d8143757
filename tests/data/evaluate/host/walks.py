# Containers compare with identity first, and comprehensions walk the list itself.
nan = float("nan")
assert nan in [nan] and nan in (nan,)
assert [nan] == [nan] and (1, nan) == (1, nan)
assert [0, nan].index(nan) == 1 and (nan,).count(nan) == 1


class Other:
    def __eq__(self, other):
        return False


other = Other()
many = [Other(), other]
assert many.index(other) == 1 and many.count(other) == 1
assert {"a": other} == {"a": other} and (other,) == (other,) and [other] <= [other]
many.remove(other)
assert len(many) == 1 and other not in many

left = [1, 2, 3, 4]
taken = [left.pop() for _ in left]
assert taken == [4, 3] and left == [1, 2]
grown = [1]
made = [grown.append(n) for n in grown if len(grown) < 5]
assert len(made) == 4 and len(grown) == 5

kept = {1: 2, 3: 4}
for key in kept:
    kept[key] = 0  # the same keys
for key in list(kept):
    kept.pop(key)
for key in {1: 1, 2: 2}:
    break
seen = {1}
for each in seen:
    seen.add(2)
    break
