import re
data = [1, 2, 3]
if (n := len(data)) > 2:
    assert n == 3
it = iter(data)
while (x := next(it, None)) is not None:
    last = x
ys = [y for z in data if (y := (z * 2)) > 2]
assert last == 3
assert ys == [4, 6]
assert y == 6
if (m := re.match('a', 'b')):
    raise SystemExit
print(f'{(q := 5)}', q)
f = lambda a: (b := (a + 1)) * b
assert f(1) == 4
assert any(((hit := v) == 2 for v in data))
assert hit == 2
