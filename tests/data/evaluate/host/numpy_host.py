import numpy as np
from numpy.typing import NDArray
DT = {np.float32: 4, np.dtype("float16"): 2, "i8": np.int64}
a = np.arange(12, dtype=np.float32).reshape(3, 4); b = np.random.default_rng(0).standard_normal((4, 5)).astype(np.float16)
c = a @ b; d = (a * 2 + 1)[1:, ::2].T; e = np.where(a > 3, a, 0); f = a[a > 5]; m = a.sum(axis=0, keepdims=True) / len(a)
assert c.shape == (3, 5) and a.dtype == np.float32 and a.dtype.itemsize == 4 and np.allclose(a, a) and a.ndim == 2 and a.size == 12 and not np.isnan(a).any()
np.testing.assert_allclose(a, a, rtol=1e-3)
x, y = a.shape; a[0, :] = 5; a[1] += 1; a *= 2; n = int(a.max()); i = np.argmax(a); r = np.prod(a.shape); s = np.ceil(np.log2(x)).astype(int)
for row in a: float(row[0])
for v in np.unique(a): v.item()
bits = np.uint16(5).view(np.uint16) << 2; q = np.array([1, 2]) | np.array([4, 4]); z = -a; w = abs(a); t = ~np.array([True]); u = 2 ** np.arange(3); k = 1 / a.mean(); kk = divmod(np.int32(7), 2); aa = [np.float32(1.5)] * 2; ee = np.inf > 1; np.set_printoptions(precision=3)
X: np.ndarray | None = None
Y: NDArray[np.float32] | None = None
def fn(a: np.ndarray, *, dtype: np.dtype | str | None = None) -> "np.ndarray": return np.asarray(a, dtype=dtype)
fn([1]); assert isinstance(a, np.ndarray) and np.issubdtype(a.dtype, np.floating)
class Arr(np.ndarray): pass
seed = np.random.seed(0); st = np.stack([a, a]); l = a.tolist(); assert len(l) == 3; mx = max(a.flatten().tolist()); lut = {k: np.zeros(1) for k in "ab"}; assert lut["a"][0] == 0
with np.errstate(divide="ignore"): pass
