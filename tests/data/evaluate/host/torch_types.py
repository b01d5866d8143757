import torch
from torch import Tensor, nn
import torch.nn.functional as F
def f(a: torch.Tensor | None = None, b: Tensor | float | None = None, d: torch.dtype | None = None, dev: torch.device | str = "cuda", g: torch.Generator | None = None) -> torch.Tensor | tuple[torch.Tensor, ...] | None:
    return None
T = torch.Tensor | None
U = [torch.Tensor | None, torch.dtype | str, torch.device | None, nn.Module | None, torch.Size | tuple, torch.nn.Parameter | None, torch.cuda.Stream | None, torch.Generator | None]
DT = {torch.float16: "fp16", torch.bfloat16: "bf16", "f8": getattr(torch, "float8_e4m3fn", None)}
names = {str(k).split(".")[-1]: v for k, v in DT.items()}
cap = torch.cuda.get_device_capability()
if cap[0] >= 9 and cap >= (9, 0): HOPPER = True
major, minor = torch.cuda.get_device_capability(0)
SM = torch.cuda.get_device_properties("cuda").multi_processor_count * 2
name = torch.cuda.get_device_name().lower()
AVAILABLE = torch.cuda.is_available() and torch.version.cuda is not None and int(torch.version.cuda.split(".")[0]) >= 12
V = tuple(int(x) for x in torch.__version__.split("+")[0].split(".")[:2])
HAS = hasattr(torch, "float8_e5m2") and hasattr(torch.ops, "mylib")
fi = torch.finfo(torch.float16); mx = fi.max * 2; bits = torch.iinfo(torch.int8).bits // 8; eps = torch.finfo(torch.float32).eps
device = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")
torch.manual_seed(0); torch.backends.cuda.matmul.allow_tf32 = True; torch.set_default_device("cuda"); torch.backends.cudnn.benchmark = False
isz = torch.tensor([], dtype=torch.float16).element_size(); b = torch.float16.itemsize * 8; isf = torch.float16.is_floating_point
