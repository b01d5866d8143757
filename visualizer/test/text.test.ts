import assert from 'node:assert/strict';
import test from 'node:test';
import { comparable, diffLines } from '../src/model/diff.ts';
import { foldsOf, hasNoise, isNoise, search, tokenize } from '../src/model/irtext.ts';
import { escapeXml, gridSvg } from '../src/model/svg.ts';
import { dtypeName, dtypeOf, sentence } from '../src/model/words.ts';

const ir = [
  'module {',
  '  tt.func @f() {',
  '    scf.if %a {',
  '      x',
  '    } else {',
  '      y',
  '    }',
  '    tt.return',
  '  }',
  '}',
];

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
  const lines = [
    '  %1 = tt.load %0, %cst : tensor<32x!tt.ptr<f16>, #blocked> // "c"',
    '<script>alert(1)</script>',
    '"unfinished \\',
    '',
    'ünï %{} @"a b"',
    '\u0000\u202e',
  ];
  for (const line of lines)
    assert.equal(
      tokenize(line, 'mlir')
        .map((t) => t.text)
        .join(''),
      line,
    );
  for (const line of [...lines, '  ld.global.v4.b32 {%r1, %r2}, [%rd1];'])
    assert.equal(
      tokenize(line, 'ptx')
        .map((t) => t.text)
        .join(''),
      line,
    );
  assert.deepEqual(
    tokenize('ret;', 'ptx').map((t) => t.kind),
    ['op', 'plain'],
  );
  assert.deepEqual(
    tokenize('s_endpgm ; done', 'amdgcn').map((t) => t.kind),
    ['op', 'plain', 'comment'],
  );
  const kinds = tokenize(lines[0]!, 'mlir')
    .filter((t) => t.kind !== 'plain')
    .map((t) => `${t.kind} ${t.text}`);
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
  assert.deepEqual(
    diff.filter((d) => d.kind !== 'added').map((d) => left[d.left]),
    left,
  );
  assert.deepEqual(
    diff.filter((d) => d.kind !== 'removed').map((d) => right[d.right]),
    right,
  );
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
  apply(
    Array.from({ length: 4000 }, (_, i) => `a${i}`),
    Array.from({ length: 4000 }, (_, i) => `b${i}`),
  );
  assert.ok(performance.now() - started < 3000);
});

test('SVG: names are text, whatever they are', () => {
  assert.equal(escapeXml('a\u202eb'), 'a\\u202eb');
  assert.equal(escapeXml(`<a b="c">&'\u0000`), '&#60;a b=&#34;c&#34;&#62;&#38;&#39;\ufffd');
  const svg = gridSvg({
    title: '</text><script>alert(1)</script>',
    rows: 1,
    columns: 3,
    pixels: Uint32Array.of(0xff0000ff, 0xff0000ff, 0),
    label: (i) => `<${i}>`,
  });
  assert.ok(!svg.includes('<script'));
  assert.equal(svg.match(/<rect x=/g)?.length, 1, 'equal neighbours share a rectangle, holes have none');
  assert.ok(svg.includes('fill="rgb(255, 0, 0)"'));
  assert.ok(svg.includes('&#60;2&#62;'));
  const wide = gridSvg({
    title: 'a'.repeat(100),
    rows: 1,
    columns: 1,
    pixels: Uint32Array.of(1),
    legend: [{ text: 'warp <0>', colour: 'rgb(1, 2, 3)' }],
  });
  assert.ok(Number(/width="(\d+)"/.exec(wide)![1]) > 700, 'the title has room');
  assert.ok(wide.includes('fill="rgb(1, 2, 3)"') && wide.includes('warp &#60;0&#62;'));
});

test('numbers of values are no difference', () => {
  const before = ['%0 = tt.get_program_id x : i32', '%1 = arith.muli %0, %c4_i32 : i32', 'tt.store %1, %0'];
  const after = [
    '%0 = tt.get_program_id x : i32',
    '%1 = tt.new',
    '%2 = arith.muli %0, %c4_i32 : i32',
    'tt.store %2, %0',
  ];
  assert.deepEqual(
    diffLines(before, after, 'mlir').map((d) => d.kind),
    ['same', 'added', 'same', 'same'],
  );
  assert.equal(diffLines(before, after).filter((d) => d.kind === 'same').length, 1);
  const same = (a: string, b: string, language: string) =>
    assert.equal(comparable(a, language), comparable(b, language));
  same('\tadd.s32 \t%r61, %r41, 96;', '\tadd.s32 \t%r6, %r4, 96;', 'ptx');
  same('\t@%p1 bra \t$L__BB0_2;', '\t@%p3 bra \t$L__BB0_17;', 'ptx');
  same('  %5 = add i32 %3, 1, !dbg !12', '  %16 = add i32 %8, 1, !dbg !9', 'llvm');
  same('^bb1(%arg5: f32):', '^bb2(%arg7: f32):', 'mlir');
  // What a line does is one.
  assert.notEqual(
    comparable('%1 = arith.addi %0, %2 : i32', 'mlir'),
    comparable('%1 = arith.addi %0, %2 : i64', 'mlir'),
  );
  assert.notEqual(comparable('\tadd.s32 \t%r6, %r4, 96;', 'ptx'), comparable('\tadd.s32 \t%r6, %r4, 97;', 'ptx'));
  assert.notEqual(comparable('\tmov.b64 \t%rd6, %rd4;', 'ptx'), comparable('\tmov.b64 \t%r6, %rd4;', 'ptx'));
  assert.equal(comparable('R1', 'sass'), 'R1');
});

test('directives and debug information are told from code', () => {
  const ptx = [
    '\t.loc\t1 34 5',
    '\t// begin inline asm',
    '\t.file\t1 "a.py"',
    '$L__tmp1:',
    '',
    '\tfence.proxy.async.shared::cta;',
    '$L__BB0_2:',
    '.visible .entry mm(',
    '\t.reg .pred \t%p<4>;',
    '}',
  ];
  assert.deepEqual(
    ptx.filter((line) => !isNoise(line, 'ptx')),
    ptx.slice(5),
  );
  const llvm = [
    '; ModuleID = "a"',
    'target triple = "nvptx64"',
    'attributes #0 = { nounwind }',
    '!0 = !{i32 1}',
    'define void @mm() {',
    '  %1 = add i32 %0, 1',
    '}',
  ];
  assert.deepEqual(
    llvm.filter((line) => !isNoise(line, 'llvm')),
    llvm.slice(4),
  );
  assert.equal(hasNoise('mlir'), false);
  assert.equal(isNoise('// a comment', 'mlir'), false);
});

test('a sentence begins with a capital, code does not', () => {
  assert.equal(sentence('the file has no kernel'), 'The file has no kernel.');
  assert.equal(sentence('k_width must be a power of two'), 'k_width must be a power of two.');
  assert.equal(sentence("gl.load has no parameter 'x'."), "gl.load has no parameter 'x'.");
  assert.equal(sentence('range(3) is empty'), 'range(3) is empty.');
  assert.equal(sentence('unknown. try again!'), 'Unknown. try again!');
});

test('element types have the names that people write', () => {
  assert.deepEqual(['f16', 'bf16', 'i1', 'f8E5M2FNUZ', '!tt.ptr<f16>'].map(dtypeName), [
    'float16',
    'bfloat16',
    'int1',
    'float8e5b16',
    '!tt.ptr<f16>',
  ]);
  assert.equal(dtypeOf({ dtype: '!tt.ptr<f16>', elementBits: 64 }), 'int64');
  assert.equal(dtypeOf({ dtype: 'bf16', elementBits: 16 }), 'bfloat16');
});
