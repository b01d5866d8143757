L = [1, 2, 3]
D = {"a": 1}
class E:
    def __eq__(self, other):
        L.clear()
        D.clear()
        return False
    def __hash__(self): return hash("a")
    def __lt__(self, other): return L.pop() if L else True
    def __repr__(self): return repr(L)
    def __index__(self):
        L.clear()
        return 1
L[:] = [E(), 1, 2, E()]
L.remove(5)
L.index(E())
L.sort()
D[E()] = E()
E() in D
(E(), 1) == (1, E())
L[E():] = [1, E()]
del L[E()]
repr(L)
