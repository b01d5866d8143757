# Brackets: a mistake costs its own statement, not the function, let alone the next one.
def first(x):
    a = f(x, [1, 2  # error: [unclosed-bracket] "'[' was never closed"
    b = a + 1
    return b


def second(x):
    y = g(x))  # error: [unmatched-bracket] "unmatched ')'"
    z = h[x)  # error: [mismatched-bracket] "closing bracket ')' does not match opening bracket '['"
    return y


@decorated
def third(x):
    call(a,
         b,  # continued as it should
         c=[
             1,
    2]
    )
    if g(x:  # error: [unclosed-bracket]
        return 1
    return 2


class Fourth:
    def method(self):
        self.x = (1 +  # error: [unclosed-bracket], error: [expected-expression]

    def other(self):
        return 1


value = {  # error: [unclosed-bracket]
def last(): pass
