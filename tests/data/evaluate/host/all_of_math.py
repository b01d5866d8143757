import math, cmath, statistics, fractions, decimal, random, operator, bisect, heapq
assert math.ceil(7 / 2) == 4 and math.prod([2, 3]) == 6 and (math.gcd(12, 18) == 6) and (math.lcm(4, 6) == 12) and math.isclose(math.sqrt(2) ** 2, 2) and (math.log2(8) == 3) and (math.inf > 1) and math.isnan(math.nan) and (math.floor(-1.5) == -2) and (math.comb(5, 2) == 10) and (math.isqrt(17) == 4) and (math.factorial(5) == 120) and (math.copysign(1, -2) == -1) and (math.log(math.e) == 1) and (math.fsum([0.1] * 3) > 0) and (math.hypot(3, 4) == 5) and (math.trunc(2.7) == 2) and (math.dist([0, 0], [3, 4]) == 5) and (math.perm(4, 2) == 12) and (math.exp2(3) == 8) if hasattr(math, 'exp2') else True
assert statistics.median([3, 1, 2]) == 2
assert statistics.mean([1, 2, 3]) == 2
assert statistics.geometric_mean([1, 1]) == 1
assert fractions.Fraction(1, 3) + fractions.Fraction(1, 6) == fractions.Fraction(1, 2)
assert decimal.Decimal('1.10') + 1 == decimal.Decimal('2.10')
random.seed(0)
r = random.Random(3)
x = r.randint(1, 4)
assert 1 <= x <= 4
assert random.choice([5]) == 5
assert 0 <= random.random() < 1
assert len(random.sample(range(10), 3)) == 3
l = [3, 1]
random.shuffle(l)
assert sorted(l) == [1, 3]
h = [3, 1, 2]
heapq.heapify(h)
heapq.heappush(h, 0)
assert heapq.heappop(h) == 0
assert heapq.nlargest(1, h) == [3]
assert heapq.nsmallest(2, [3, 1, 2], key=lambda v: -v) == [3, 2]
assert bisect.bisect_left([1, 3], 2) == 1
b = [1, 3]
bisect.insort(b, 2)
assert b == [1, 2, 3]
assert operator.itemgetter(1)([4, 5]) == 5
assert operator.attrgetter('real')(3) == 3
assert operator.methodcaller('upper')('a') == 'A'
assert operator.add(1, 2) == 3
assert operator.itemgetter(0, 1)('ab') == ('a', 'b')
