# Local names that are read before they are bound.
def unb():
    try:
        return loc
    except UnboundLocalError:
        return 'unb'
    loc = 1
assert unb() == 'unb'

def un2():
    try:
        return loc
    except NameError:
        return 'unb'
    loc = 1
assert un2() == 'unb'

def un3():
    for i in []:
        pass
    try:
        i
    except UnboundLocalError as e:
        return str(e)
assert 'i' in un3()

def un4():
    x = 1
    del x
    try:
        x
    except UnboundLocalError:
        return 1
assert un4() == 1
try:
    qq
except UnboundLocalError:
    r = 1
except NameError:
    r = 2
assert r == 2
