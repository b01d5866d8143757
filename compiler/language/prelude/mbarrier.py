# module: triton.experimental.gluon.language.nvidia.ampere.mbarrier
from triton.experimental.gluon import jit
from triton.experimental.gluon import language as ttgl
from triton.experimental.gluon.language.nvidia.ampere.mbarrier import MBarrierLayout


@jit
def allocate_mbarrier(batch: ttgl.constexpr = None, two_ctas: ttgl.constexpr = False):
    num_ctas: ttgl.constexpr = ttgl.num_ctas()
    barriers: ttgl.constexpr = num_ctas if not two_ctas else num_ctas // 2
    ttgl.static_assert(batch is None or isinstance(batch.value, int))
    shape: ttgl.constexpr = [barriers] if batch is None else [batch, barriers]
    layout: ttgl.constexpr = MBarrierLayout.multicta(num_ctas=num_ctas, two_cta=two_ctas)
    return ttgl.allocate_shared_memory(ttgl.int64, shape, layout)
