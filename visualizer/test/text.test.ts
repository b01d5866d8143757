import assert from 'node:assert/strict';
import test from 'node:test';
import { diffLines } from '../src/model/diff.ts';
import { foldsOf, search, tokenize } from '../src/model/irtext.ts';
import { escapeXml, gridSvg } from '../src/model/svg.ts';

const ir = ['module {', '  tt.func @f() {', '    scf.if %a {', '      x', '    } else {', '      y', '    }', '    tt.return', '  }', '}'];

test('regions fold, else branches apart', () => {
  assert.deepEqual(foldsOf(ir), [
    { first: 0, last: 9 },
    { first: 1, last: 8 },
    { first: 2, last: 3 },
    { first: 4, last: 6 },
  ]);
});
test('unbalanced text folds what it can', () => {
  assert.deepEqual(foldsOf(['}', '}', 'a {', 'b']), []);
});

test('tokens are the whole line, whatever it says', () => {
  const lines = ['  %1 = tt.load %0, %cst : tensor<32x!tt.ptr<f16>, #blocked> // "c"', '<script>alert(1)</script>', '"unfinished \\', '', 'ünï %{} @"a b"', '\u0000\u202e'];
  for (const line of lines) assert.equal(tokenize(line, 'mlir').map((t) => t.text).join(''), line);
  for (const line of [...lines, '  ld.global.v4.b32 {%r1, %r2}, [%rd1];']) assert.equal(tokenize(line, 'ptx').map((t) => t.text).join(''), line);
  assert.deepEqual(tokenize('ret;', 'ptx').map((t) => t.kind), ['op', 'plain']);
  assert.deepEqual(tokenize('s_endpgm ; done', 'amdgcn').map((t) => t.kind), ['op', 'plain', 'comment']);
  const kinds = tokenize(lines[0]!, 'mlir').filter((t) => t.kind !== 'plain').map((t) => `${t.kind} ${t.text}`);
  assert.deepEqual(kinds.slice(0, 4), ['value %1', 'op tt.load', 'value %0', 'value %cst']);
  assert.ok(kinds.includes('attribute #blocked'));
  assert.ok(kinds.includes('comment // "c"'));
});

test('search: plain, exact with capitals, expressions; broken ones find nothing', () => {
  assert.deepEqual(search(ir, 'scf.IF'), []);
  assert.deepEqual(search(ir, 'scf.if'), [{ line: 2, begin: 4, end: 10 }]);
  assert.equal(search(ir, '/tt\\.\\w+/').length, 2);
  assert.deepEqual(search(ir, '/(/'), []);
  assert.deepEqual(search(ir, '/x*/').length, 1, 'empty matches do not count');
  assert.deepEqual(search(ir, '('), [{ line: 1, begin: 12, end: 13 }]);
});

function apply(left: string[], right: string[]): void {
  const diff = diffLines(left, right);
  assert.deepEqual(diff.filter((d) => d.kind !== 'added').map((d) => left[d.left]), left);
  assert.deepEqual(diff.filter((d) => d.kind !== 'removed').map((d) => right[d.right]), right);
  for (const d of diff) if (d.kind === 'same') assert.equal(left[d.left], right[d.right]);
}
test('differences reproduce both texts, with the fewest edits', () => {
  const edits = (a: string, b: string) => diffLines([...a], [...b]).filter((d) => d.kind !== 'same').length;
  assert.equal(edits('abcabba', 'cbabac'), 5);
  assert.equal(edits('', 'abc'), 3);
  assert.equal(edits('same', 'same'), 0);
  assert.equal(edits('abc', 'axc'), 2);
  let seed = 1;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 300; ++round) {
    const text = () => Array.from({ length: random(24) }, () => 'abcd'[random(4)]!);
    apply(text(), text());
  }
});
test('texts with nothing in common do not take forever', () => {
  const started = performance.now();
  apply(Array.from({ length: 4000 }, (_, i) => `a${i}`), Array.from({ length: 4000 }, (_, i) => `b${i}`));
  assert.ok(performance.now() - started < 3000);
});

test('SVG: names are text, whatever they are', () => {
  assert.equal(escapeXml(`<a b="c">&'\u0000`), '&#60;a b=&#34;c&#34;&#62;&#38;&#39;\ufffd');
  const svg = gridSvg({ title: '</text><script>alert(1)</script>', rows: 1, columns: 3, pixels: Uint32Array.of(0xff0000ff, 0xff0000ff, 0), label: (i) => `<${i}>` });
  assert.ok(!svg.includes('<script'));
  assert.equal(svg.match(/<rect x=/g)?.length, 1, 'equal neighbours share a rectangle, holes have none');
  assert.ok(svg.includes('fill="rgb(255, 0, 0)"'));
  assert.ok(svg.includes('&#60;2&#62;'));
});
