from enum import Enum, auto

class L(str, Enum):

    @staticmethod
    def _generate_next_value_(name, start, count, last):
        return name.lower()
    N = auto()
    T = auto()
assert L.N == 'n'
assert L.T.value == 't'
assert isinstance(L.N, str)
d = {L.N: 1, L.T: 2}
assert d['n'] == 1
