# Subclasses of built-in classes: their contents are not modelled, so nothing is said of them.
class Open(list):

    def __init__(self, *a):
        super().__init__(a)

    def __getattr__(self, n):
        return n
Open(2, 1).sort()
Open(1).append(3)
Open(1).other.upper()
sorted(Open(2, 1))

class Count(int):

    def __new__(cls, v, tag=None):
        made = super().__new__(cls, v)
        made.tag = tag
        return made

    def __add__(self, other):
        return Count(int(self) + other, self.tag)
(Count(3, 'x') + 2).tag
f'{Count(7):03d} {Count(7)}'
[0, 1, 2, 3][Count(2)]
(0, 1, 2)[Count(1):]
'abc'[Count(1)]
'{:>4}'.format(Count(2))
'%d' % Count(2)
list(range(Count(3)))
[0] * Count(2)
1 << Count(2)
round(Count(2), 1)
bytes(Count(2))
{3: 'x'}.get(Count(3))
max(Count(1), 2)
divmod(Count(7), 2)
-Count(1) + ~Count(2)
Count(1) < 2 <= Count(3)

class Real(float):
    pass
f'{Real(1.5):.2f}'
round(Real(1.5))
int(Real(2))

class Text(str):
    __slots__ = ()

    def __getattr__(self, n):
        return 3
Text('a').upper() + 'x'
'x' + Text('y')
'a' in Text('abc')
len(Text('abc'))
Text('a,b').split(',')[0].title()
','.join([Text('a'), 'b'])
f'{Text("a"):>3}'
int(Text('12'))

class Pair(tuple):

    def __new__(cls, *a):
        return super().__new__(cls, a)
    first = property(lambda self: self[0])
a, b = Pair(1, 2)
Pair(1, 2) + (3,)
'%s %s' % Pair(1, 2)
[*Pair(1, 2)]
Pair(1, 2).first

class Table(dict):

    def __missing__(self, k):
        self[k] = v = len(self)
        return v
t = Table()
t['a']
t['b'] + 1
dict(**t)
{**t, 'c': 1}
'%(a)s' % t
'{a}'.format_map(t)
