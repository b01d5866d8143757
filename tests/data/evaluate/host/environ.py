import os
os.environ["TRITON_CACHE"] = "/tmp/x"
os.environ.setdefault("A", "b")
os.environ.update(FOO="1")
os.environ.pop("NOPE", None)
x = os.environ.get("HOME")
y = os.environ["PATH"].split(":")
n = int(os.getenv("N", "4")) * 2
copy = dict(os.environ)
merged = {**os.environ, "B": "1"}
both = os.environ | {"C": "2"}
if "TRITON_CACHE" in os.environ:
    del os.environ["TRITON_CACHE"]
for k, v in os.environ.items():
    assert isinstance(k, str)
assert os.environ["A"] == "b"
if x is None:
    x = "/root"
assert x.startswith("/")

os.environ |= {"ADDED": "1", "OTHER": "2"}
assert os.environ.pop("ADDED") == "1" and "ADDED" not in os.environ
assert os.environ.get("OTHER") == "2"
os.environ.clear()
assert "OTHER" not in os.environ
