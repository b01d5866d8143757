t = str.maketrans("abc", "xyz"); assert "aabc".translate(t) == "xxyz"
t2 = str.maketrans({"a": None, "b": "BB"}); assert "ab".translate(t2) == "BB"
t3 = str.maketrans("", "", "aeiou"); assert "hello".translate(t3) == "hll"
assert "abc".isascii() and "x".casefold() and "a,b".partition(",") == ("a", ",", "b") and "A-B".rpartition("-")[2] == "B"
assert "%s %d %5.2f %x %r" % ("a", 1, 2.5, 255, "q") == "a 1  2.50 ff 'q'" and "%(a)s" % {"a": 1} == "1"
assert "{:>10}|{:<5}|{:^7}|{:08.3f}|{:,}|{!r:>5}".format("a", "b", "c", 3.14159, 1234567, "x")
assert "{0[a]} {1.real} {k}".format({"a": 1}, 5, k=2) == "1 5 2"
assert f"{3.14159:.2f} {'x'!r:>5} {10:#x} {10:b} {1e6:e} {0.5:%} {5:+d} {5=}"
assert "abc".encode("utf-8").decode() == "abc" and b"ab" + b"c" == b"abc" and b"abc"[0] == 97 and bytes([1, 2]) and bytes(4) and bytearray(b"x")
assert "a\tb".expandtabs(4) and "ab".zfill(5) == "000ab" and "x".ljust(3, ".") == "x.." and "  x ".strip() == "x" and "xxabc".removeprefix("xx") == "abc"
assert "abc".find("z") == -1 and "a b  c".split() == ["a", "b", "c"] and "a\nb".splitlines() == ["a", "b"] and "abc"[::-1] == "cba" and "ab" * 2 == "abab"
assert "Hello".swapcase() == "hELLO" and "hello world".title() == "Hello World" and "abc".startswith(("a", "b")) and "abc".endswith("c")
assert "1".isdigit() and "1".isnumeric() and "1".isdecimal() and "a".isalpha() and "a1".isalnum() and "a".islower() and "A".isupper() and " ".isspace() and "Ab".istitle() and "ab".isidentifier() and "a".isprintable()
assert b"abc".hex() == "616263" and bytes.fromhex("6162") == b"ab" and b"a,b".split(b",") == [b"a", b"b"] and b"abc".startswith(b"a") and b"%d" % 5 == b"5" and b"x".join([b"a", b"b"]) == b"axb" and b"ab".upper() == b"AB"
assert "".join(map(str, range(3))) == "012" and "a".center(5, "*") and "aXbX".replace("X", "", 1) == "abX" and "abc".count("b") == 1 and "abcabc".rfind("b") == 4 and "abc".index("c") == 2 and ascii("é") and chr(65) == "A" and ord("A") == 65
mv = memoryview(b"abc"); assert mv[0] == 97 and len(mv) == 3
ba = bytearray(3); ba[0] = 5; ba.extend(b"x"); assert ba[0] == 5 and len(ba) == 4
import string
assert string.ascii_letters and string.hexdigits and string.Template("$a").substitute(a=1) == "1" and string.capwords("a b") == "A B" and string.punctuation and string.printable and string.whitespace
