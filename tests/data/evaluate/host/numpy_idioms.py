import numpy as np
a = np.arange(12).reshape(3, 4); assert a.shape == (3, 4) and a.sum(axis=0)[0] == 12 and a.T.shape == (4, 3) and a[1, 2] == 6 and a[:, ::2].shape == (3, 2) and a[a > 5].size == 6
b = np.zeros((2, 3), dtype=np.float16); b[0] = 1; b[:, 1] += 2; assert b.dtype == np.float16 and b.itemsize == 2 and b.nbytes == 12 and b.mean() > 0
assert np.allclose(a @ a.T, np.dot(a, a.T)) and np.array_equal(a, a.copy()) and np.concatenate([a, a]).shape == (6, 4) and np.stack([a, a]).ndim == 3
rng = np.random.default_rng(0); x = rng.standard_normal((4, 4)).astype(np.float32); assert x.flags["C_CONTIGUOUS"] and np.isfinite(x).all() and np.abs(x).max() > 0
assert np.float32(1.5).view(np.uint32) == 0x3fc00000 and np.iinfo(np.int32).max == 2**31 - 1 and np.finfo(np.float16).eps > 0 and np.prod([2, 3]) == 6 and int(np.ceil(1.2)) == 2
assert np.log2(8) == 3.0 and float(np.median([1, 2, 3])) == 2.0 and np.linspace(0, 1, 3)[1] == 0.5 and np.where(a > 5, 1, 0).sum() == 6 and np.unique([1, 1, 2]).tolist() == [1, 2]
s = np.einsum("ij,kj->ik", a, a); assert s.shape == (3, 3); i, j = np.unravel_index(5, (3, 4)); assert (i, j) == (1, 1); m, n = a.shape; assert m * n == a.size
np.testing.assert_allclose(a, a); np.random.seed(0); np.set_printoptions(precision=3); d = {np.float16: 2, np.dtype("int8"): 1}; assert d[np.float16] == 2 and np.dtype("float32").itemsize == 4 and np.dtype(np.int8).name == "int8"
for row in a: assert len(row) == 4
for (i, j), v in np.ndenumerate(a): assert a[i, j] == v
c = a.astype(np.int8).view(np.uint8).ravel().tolist(); assert c[3] == 3 and a.tobytes()[:1] == b"\0" and np.frombuffer(b"\x01\x00", dtype=np.uint16)[0] == 1
st = np.dtype([("a", np.int32), ("b", np.float32)]); z = np.zeros(2, st); z["a"] = 5; assert z[0]["a"] == 5 and st.names == ("a", "b")
