// What copies by descriptors move and where it lands; layouts written back the way they were written; stages that
// cannot be made.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launchBrowser, Page, serve, until } from './page.mjs';
import { picture } from './pictures.mjs';

const copies = `"""Two CTAs: each its own half of one block, and both the same other block."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma


@gluon.jit
def pair(halves, same, out, n, row):
    first = gl.allocate_shared_memory(halves.dtype, halves.block_type.shape, halves.layout)
    second = gl.allocate_shared_memory(same.dtype, same.block_type.shape, same.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, halves.nbytes_per_cta + same.nbytes_per_cta)
    tma.async_load(halves, [row, n], bar, first)
    tma.async_load(same, [n, 0], bar, second, multicast=True)
    mbarrier.wait(bar, 0)
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0], cga_layout=[[1, 0]])
    i = gl.arange(0, 32, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, 64, layout=gl.SliceLayout(0, rows))
    x = first.load(rows)
    gl.store(out + i[:, None] * 64 + j[None, :], x)


def test():
    a = torch.randn(500, 256, device="cuda", dtype=torch.float16)
    b = torch.randn(256, 512, device="cuda", dtype=torch.float16)
    halves = TensorDescriptor.from_tensor(a, [32, 64], gl.NVMMASharedLayout(128, 16, 2, cga_layout=[[1, 0]]))
    same = TensorDescriptor.from_tensor(b, [32, 32], gl.NVMMASharedLayout(64, 16, 2, cga_layout=[[0, 0]]))
    pair[(1, )](halves, same, torch.empty(32, 64, device="cuda", dtype=torch.float16), 32, 480, num_warps=4, num_ctas=2)
`;
const written = `from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.constexpr_function
def make(n):
    return gl.BlockedLayout([1, n], [4, 8], [4, 1], [1, 0])


# gluond: launch(src="*fp32:16", VEC=4, num_warps=4)
@gluon.jit
def written(src, VEC: gl.constexpr):
    wide: gl.constexpr = gl.BlockedLayout([1, VEC * 2], [4, 32 // 4], [gl.num_warps(), 1], order=[1, 0])
    made: gl.constexpr = make(VEC)
    x = gl.load(src)
    y = gl.full([32, 64], 1.0, gl.float32, wide)
    z = gl.full([32, 64], 1.0, gl.float32, made)
    gl.store(src, x + gl.sum(gl.sum(y, 1), 0) + gl.sum(gl.sum(z, 1), 0))


# gluond: launch(src="*fp32:16", num_warps=4)
@gluon.jit
def open_ended(src):
    gl.store(src + gl.arange(0, 128, layout=gl.AutoLayout()), 1.0)
`;

const alone = `from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def alone(src, BLOCK: gl.constexpr, L: gl.constexpr):
    i = gl.arange(0, BLOCK, layout=L)
    gl.store(src + i, 1.0)
`;

let served, browser;
/** @type {Page} */
let page;
before(async () => {
  served = await serve((folder) => {
    writeFileSync(join(folder, 'copies.py'), copies);
    writeFileSync(join(folder, 'written.py'), written);
    writeFileSync(join(folder, 'alone.py'), alone);
  });
  browser = await launchBrowser();
  page = await Page.open(browser, served.url, { file: 'copies.py' });
});
after(async () => {
  await browser?.close();
  served?.stop();
});
const step = (name, work) => test(name, { timeout: 300_000 }, work);
const bulk = (cell) =>
  page.page.evaluate((cell) => {
    const grid = gluond.panels.panels.get('access').bulk.memory;
    const rect = grid.rectOf(cell);
    const box = grid.canvas.getBoundingClientRect();
    return { x: box.x + rect.x + rect.width / 2, y: box.y + rect.y + rect.height / 2 };
  }, cell);

step('TMA: where the block lies, and where its rows land', async () => {
  await page.panel('access');
  await page.goTo('tma.async_load(halves', 'tma');
  await page.see('#g-panel-access .g-title', 'TMA load · line 16');
  await page.see(
    '#g-panel-access .g-bulk-where',
    'Tensor 500 × 256: the block starts at (480, 32); outside the tensor and filled with zeros: 12 of 32 along dimension 0',
  );
  await page.see('#g-panel-access .g-metric', '1message of 16 × 64 per CTA');
  // Row 3 of the second CTA: row 19 of the block, its first piece moved to the fourth by the swizzle.
  await until('the picture', async () => {
    const at = await bulk((16 + 3) * 8 + 3);
    await page.page.mouse.move(at.x, at.y);
    return page
      .see(
        '#g-panel-access .g-bulk .g-status',
        'row 19, columns 0 to 7 of the block (tensor: row 499, columns 32 to 39): shared memory +0x01b0, banks 12 to 15, CTA 1',
        1_000,
      )
      .catch(() => null);
  });
  await picture(page, 'tma');
});

step('TMA: one CTA reads for both', async () => {
  await page.goTo('tma.async_load(same', 'tma');
  await page.see('#g-panel-access .g-metric', 'multicastCTA 0 reads for 0, 1');
  await page.see('#g-panel-access .g-bulk-where', 'Tensor 256 × 512: the block starts at (32, 0)');
  const svg = await page.page.evaluate(() => gluond.panels.panels.get('access').bulk.memory.svg('rows'));
  assert.match(svg, />2,1</, 'pieces have their numbers');
});

step('threads and memory of two CTAs are told apart', async () => {
  await page.panel('layout');
  await page.goTo('x = first.load', 'x');
  await page.see('#g-panel-layout .g-subtitle', /2 CTAs x 4 warps/);
  await page.clickCell('layout', 'places', (4 + 1) * 32 + 3, 'warp 1, lane 3, register 0, block 1');
  await page.see('#g-panel-layout .g-chip-title', 'block 1 T35');
  const moved = await page.cell('layout', 'places', (4 + 1) * 32 + 3); // the registers took some room
  await page.page.mouse.move(moved.x + 1, moved.y + 1);
  await page.see('#g-panel-layout .g-tooltip', /^block 1, warp 1, lane 3:/);
});

step('a layout goes back the way it was written', async () => {
  await page.page.$eval('.p-file[data-name="written.py"]', (file) => file.click());
  await page.see('.p-name', 'written.py');
  await page.panel('playground');
  const more = () => page.page.locator('#g-panel-playground [aria-label="More size_per_thread, dimension 0"]').click();
  const write = () => page.page.locator('#g-panel-playground .g-primary').click();
  await page.goTo('wide: gl', 'wide');
  await page.see('#g-panel-playground .g-subtitle', 'from line 13');
  await more();
  await page.see('#g-panel-playground .g-primary:not(:disabled)', 'Write to source');
  await write();
  await page.see('.view-line', 'gl.BlockedLayout([2, VEC * 2], [4, 32 // 4], [gl.num_warps(), 1], order=[1, 0])');
  await page.goTo('wide: gl', 'wide');
  await page.key('Control', 'z');
  await until('the text before', async () => (await page.text()) === written);
  // Of a helper the call is replaced.
  await page.goTo('z = gl.full', 'z');
  await page.see('#g-panel-playground .g-subtitle', 'from line 14');
  await more();
  await page.see('#g-panel-playground .g-primary:not(:disabled)', 'Write to source');
  // What is edited stays; the layout at the cursor is offered.
  await page.goTo('y = gl.full', 'y');
  await page.see('#g-panel-playground .g-button', 'Load line 13');
  // Another rank, and back: the layout follows.
  const dimension = (label) => page.page.locator(`#g-panel-playground [title="${label} dimension"]`).click();
  const edited = await page.page.$eval('#g-panel-playground .g-title', (e) => e.textContent);
  await dimension('Add a');
  await page.see('#g-panel-playground .g-title', /BlockedLayout\(.*\[2, 1, 0\]\)/);
  await dimension('Remove the last');
  await page.see('#g-panel-playground .g-title', /BlockedLayout\(.*\[1, 0\]\)/);
  await page.page.$eval(
    '#g-panel-playground [data-key="python"]',
    (area, text) => {
      area.value = text;
      area.dispatchEvent(new Event('input', { bubbles: true }));
      area.dispatchEvent(new Event('change', { bubbles: true }));
    },
    edited,
  );
  await page.see('#g-panel-playground .g-title', edited);
  await write();
  await page.see('.view-line', 'made: gl.constexpr = gl.BlockedLayout([2, 4], [4, 8], [4, 1], [1, 0])');
  await page.undoAll(written);
});

step('numbers have no layout, and that is said', async () => {
  await page.panel('layout');
  await page.goTo('x = gl.load(src)', 'x');
  await page.see('#g-panel-layout .g-notice', /every thread holds it, so it has no layout/);
});

step('which stage fails, and where', async () => {
  await page.panel('ir');
  await page.goTo('gl.store(src + gl.arange', 'gl.store');
  await page.page.locator('#g-panel-ir [data-stage="ptx"]').click();
  await page.see('#g-panel-ir .g-notice', /ttgir cannot be generated, but source can: *line 24 /);
  assert.equal(await page.page.$eval('#g-panel-ir .g-tab-failed', (tab) => tab.dataset.stage), 'ttgir');
  await page.page.locator('#g-panel-ir .g-problem').click();
  await until('the line', async () => (await page.cursor()).lineNumber === 24);
  await page.page.$eval('.p-file[data-name="chips/cdna.py"]', (file) => file.click());
  await page.page.locator('#g-panel-ir [data-stage="amdgcn"]').click();
  await until('machine code', async () => {
    const text = await page.page.$eval('#g-panel-ir', (panel) => panel.textContent);
    if (!text.includes('amdgcn-amd-amdhsa')) throw new Error(text.slice(0, 400));
    return true;
  });
});

step('a kernel without a launch says what it lacks', async () => {
  await page.page.$eval('.p-file[data-name="alone.py"]', (file) => file.click());
  await page.see('.p-name', 'alone.py');
  await page.goTo('i = gl.arange', 'i');
  for (const id of ['access', 'ir', 'shared', 'conversion']) {
    await page.panel(id);
    await page.see(`#g-panel-${id} .g-notice`, /No launch of 'alone' was found.*# gluond: launch\(/);
  }
});

step('nothing went wrong in the page', () => assert.deepEqual(page.errors, []));
