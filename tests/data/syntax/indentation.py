# Indentation.
if x:
        a
    b  # error: [inconsistent-indentation] "unindent does not match"
def f():  # error: [expected-block] "after 'def'"
y = 1
    z = 2  # error: [inconsistent-indentation] "unexpected indent"
if x:
        tabs
	also  # error: [inconsistent-indentation] "inconsistent use of tabs"
else:  # error: [expected-block]
def last(): return 1
