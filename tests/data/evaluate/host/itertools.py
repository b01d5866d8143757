import itertools as it
from itertools import chain, product, groupby, islice, count, cycle, repeat, accumulate, combinations, permutations, starmap, takewhile, dropwhile, tee, zip_longest, pairwise, compress, filterfalse, combinations_with_replacement
assert list(chain([1], [2])) == [1, 2] and list(chain.from_iterable([[1], [2]])) == [1, 2] and len(list(product("ab", repeat=2))) == 4
for k, g in groupby(sorted(["aa", "b", "c"], key=len), key=len): list(g)
groups = {k: list(v) for k, v in groupby([1, 1, 2])}; assert groups[1] == [1, 1]
assert list(islice(count(5, 2), 3)) == [5, 7, 9] and list(islice(cycle("ab"), 3)) == ["a", "b", "a"] and list(repeat(1, 2)) == [1, 1] and list(accumulate([1, 2, 3], max, initial=0)) == [0, 1, 2, 3]
a, b = tee([1, 2]); assert next(a) == 1 and list(b) == [1, 2] and list(pairwise([1, 2, 3])) == [(1, 2), (2, 3)] and list(compress("ab", [1, 0])) == ["a"] and list(zip_longest([1], [2, 3], fillvalue=0)) == [(1, 2), (0, 3)]
ids = count(); assert next(ids) == 0 and next(ids) == 1
assert next(iter([]), "d") == "d" and list(map(pow, [2], [3])) == [8] and list(zip(*[(1, 2), (3, 4)])) == [(1, 3), (2, 4)] and dict(zip("ab", count())) == {"a": 0, "b": 1}
lists = [iter([1, 2, 3, 4])] * 2; assert list(zip(*lists)) == [(1, 2), (3, 4)]
it1 = iter([1, 2, 3]); assert next(it1) == 1 and list(it1) == [2, 3] and sum(x * x for x in range(4)) == 14 and any(x > 2 for x in range(4)) and all([]) and max((len(w), w) for w in ["a", "bb"])[1] == "bb" and min([3, 1], default=0) == 1 and max([], default=None) is None and sorted("bca", reverse=True)[0] == "c" and list(reversed(range(3))) == [2, 1, 0] and list(enumerate("ab", 1))[0] == (1, "a") and list(filter(None, [0, 1])) == [1] and iter(lambda: 1, 1) is not None
first, *middle, last = range(5); assert middle == [1, 2, 3]
*init, tail = "abc"; assert init == ["a", "b"]
(a, (b, c)), d = (1, (2, 3)), 4; assert a + b + c + d == 10
x = [*range(2), *"ab"]; y = {*x, 5}; z = {**{"a": 1}, **{"b": 2}}; w = (*x,); assert len(x) == 4 and len(w) == 4 and z["b"] == 2
