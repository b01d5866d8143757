# Augmented assignments change the object that other names hold.
held = {1, 2, 3}
same = held
same -= {1}
assert held == {2, 3} and held is same
same &= {3, 4}
same ^= {5}
assert held == {3, 5}
frozen = before = frozenset({1, 2})
frozen -= {1}
assert before == {1, 2} and frozen == {2}
numbers = twice = [1, 2]
twice *= 2
assert numbers == [1, 2, 1, 2] and numbers is twice
options = alias = {"a": 1}
alias |= [("b", 2)]
assert options == {"a": 1, "b": 2}


def take(pool, used):
    pool -= used


pool = {"x", "y"}
take(pool, {"x"})
assert pool == {"y"}
