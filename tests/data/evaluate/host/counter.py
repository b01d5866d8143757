from collections import Counter
a = Counter("hello"); b = Counter(l=3, o=1)
s = a + b
t = a - b
u = a & b
w = a | b
assert s["l"] == 5 and s["nothing"] == 0
a.update("xyz"); a.subtract({"h": 1})
(best, n), *rest = a.most_common(2)
total = sum(a.values())
assert a == a.copy()
elements = list(b.elements())
a["k"] += 4
del a["k"]
+a; -a
c2 = Counter({"a": 1}); c2 += Counter(a=2)
assert c2["a"] == 3
