# Text that is not ASCII, and bytes.
assert b'%d' % 3 == b'3'
assert b'%s-%b' % (b'a', b'b') == b'a-b'
assert b'a' + b'b' == b'ab'
assert b'a' * 3 == b'aaa'
assert bytearray(b'a')[0] == 97
assert b'a' < b'b'
assert b'abc'.find(b'c') == 2
assert b'a,b'.split(b',')[1] == b'b'
assert b''.join([b'a', b'b']) == b'ab'
assert b'Ab'.lower() == b'ab'
assert b'a' != 'a'
assert bytes('é', 'latin-1') == b'\xe9'
assert 'é'.encode('latin-1') == b'\xe9'
assert b'\xe9'.decode('latin-1') == 'é'
assert b'\xff'.decode('utf-8', errors='replace') == '�'
assert 'é'.encode('ascii', 'ignore') == b''
assert len('é'.encode()) == 2
assert 'é'.encode('utf-8').decode('utf-8') == 'é'
assert b'\xe9'[0] == 233
assert len(b'\xe9') == 1
assert list(b'ab') == [97, 98]
assert b'abc'.hex(' ') == '61 62 63'
assert b'a'.isalpha()
assert b'ab'.startswith(b'a')
assert b'ab' in {b'ab': 1}
assert bytes([1, 2])[::-1] == b'\x02\x01'
assert bytes(range(3)) == b'\x00\x01\x02'
assert '{}'.format(b'a') == "b'a'"
assert b'a\nb'.splitlines() == [b'a', b'b']
assert b' a '.strip() == b'a'
assert b'ab'.replace(b'a', b'c') == b'cb'
assert bytes.fromhex('ff') == b'\xff'
assert int(b'12') == 12
assert float(b'1.5') == 1.5
assert max(b'ab') == 98
assert sum(b'\x01\x02') == 3
assert 97 in b'a'
assert memoryview(b'ab')[0] == 97
import struct
assert struct.pack('<i', 1) == b'\x01\x00\x00\x00'
assert 'a'.encode('utf-16')[:2] in (b'\xff\xfe', b'\xfe\xff')
import hashlib
assert len(hashlib.md5(b'a').digest()) == 16
