s = 'Hello, World'
assert s.partition(', ') == ('Hello', ', ', 'World')
assert s.swapcase() == 'hELLO, wORLD'
assert s.translate(str.maketrans('lo', '01')) == 'He001, W1r0d'
assert s.removeprefix('He') == 'llo, World'
assert 'a-b'.replace('-', '_', 1) == 'a_b'
assert '%s' % (1,) == '1'
assert s.center(14, '*')[0] == '*'
assert 'a\tb'.expandtabs(4) == 'a   b'
assert s.encode('utf-8').decode() == s
assert 'abc'[::-1] == 'cba'
assert '1,2'.split(',') == ['1', '2']
assert ' x '.strip() == 'x'
assert 'x'.join(['1', '2']) == '1x2'
assert s.find('zz') == -1
assert s.count('l') == 3
assert 'a1'.isalnum()
assert 'ab'.isidentifier()
assert s.casefold() == 'hello, world'
assert 'abc'.rjust(5, '0') == '00abc'
assert '7'.zfill(3) == '007'
assert 'a\nb'.splitlines() == ['a', 'b']
assert '{:>{}}'.format('x', 3) == '  x'
assert 'a b  c'.split() == ['a', 'b', 'c']
assert s.startswith(('He', 'x'))
assert 'ab' < 'b'
assert ord('a') == 97
assert chr(98) == 'b'
assert s.rsplit(',', 1)[1] == ' World'
assert s.index('W') == 7
assert 'é'.isascii() is False
assert 'A'.isupper()
assert s.title() == 'Hello, World'
assert 'x' * 3 == 'xxx'
assert 'b' in 'abc'
assert repr("a'b") == '"a\'b"'
assert ascii('é') == "'\\xe9'"
assert '{!r}'.format('a') == "'a'"
assert str(1.0) == '1.0'
assert str(1e+20) == '1e+20'
assert repr(0.1) == '0.1'
assert str([1, 'a']) == "[1, 'a']"
assert str({'a': (1,)}) == "{'a': (1,)}"
assert str(None) == 'None'
assert bin(5) == '0b101'
assert hex(255) == '0xff'
assert oct(8) == '0o10'
assert int('ff', 16) == 255
assert int('0b11', 0) == 3
assert float('1e3') == 1000.0
assert round(2.5) == 2
assert round(2.675, 2) == 2.67
assert divmod(7, 2) == (3, 1)
assert abs(-3) == 3
assert pow(2, 10, 1000) == 24
assert complex(1, 2).imag == 2
assert 7 .bit_length() == 3
assert 5 .bit_count() == 2
assert 7 // -2 == -4
assert -7 % 3 == 2
assert 1000 == 1000
assert 16 == 16
assert 2 ** (-1) == 0.5
assert not 0.1 + 0.2 == 0.3
assert 3.5.is_integer() is False
assert 0.5.as_integer_ratio() == (1, 2)
assert float('inf') > 1
assert 1 < 2 < 3 != 4
