// The results of a benchmark: the numbers of the best row, the table of times, the tensors of a run.
import { change, digits, flopsText, peakText, rateText, scatterOf, spreadText, timeText } from '../model/benchmark.ts';
import { plural, sentence } from '../model/words.ts';
import type { BenchmarkRowInfo } from '../protocol.ts';
import { bar } from '../ui/charts.ts';
import { h } from '../ui/dom.ts';
import { metric } from './common.ts';

// The metrics of the best row. `once` is true for a run that was not repeated.
export function metricsOf(best: BenchmarkRowInfo | undefined, once: boolean): (Node | null)[] {
  if (!best || best.median <= 0) return [];
  const before = best.before ? change(best.median, best.before.median, scatterOf(best)) : null;
  return [
    metric(
      timeText(best.median),
      once ? 'one cold run; use Benchmark to measure' : `the best, ${best.label}`,
      'plain',
      plural(best.runs, 'run'),
    ),
    before
      ? metric(
          before.text,
          `than ${best.before!.edited ? 'before the edit' : 'last time'} (${timeText(best.before!.median)})`,
          before.state,
          best.before!.when,
        )
      : null,
    rateText(best) ? metric(rateText(best), 'moved') : null,
    flopsText(best) ? metric(flopsText(best), 'computed') : null,
    peakText(best)
      ? metric(
          peakText(best),
          `of the peak of the GPU's ${best.bound === 'compute' ? 'matrix units' : 'memory'}`,
          best.percentOfPeak >= 80 ? 'good' : best.percentOfPeak >= 50 ? 'plain' : 'bad',
          'The least time that the chip needs for these bytes and operations, as a percentage of the measured time',
        )
      : null,
    metric(String(best.registers), 'registers per thread'),
    best.localBytes ? metric(`${best.localBytes} B`, 'spilled per thread', 'bad') : null,
    metric(best.sharedBytes ? `${digits(best.sharedBytes / 1024)} KB` : 'none', 'shared memory'),
    best.occupancy > 0
      ? metric(
          `${Math.round(best.occupancy * 100)}%`,
          `occupancy${best.limitedBy ? `, limited by ${best.limitedBy}` : ''}`,
        )
      : null,
  ];
}

// The times of all rows, each compared with the row with the id `chosen`, or else with the first that has a time.
export function timesTable(
  rows: BenchmarkRowInfo[],
  chosen: string,
  onChoose: (row: BenchmarkRowInfo) => void,
): Node[] {
  if (!rows.length) return [];
  const most = Math.max(...rows.map((row) => row.high || row.median), 0);
  const baseline = rows.find((row) => row.id === chosen && row.median > 0) ?? rows.find((row) => row.median > 0);
  const hasRates = rows.some((row) => row.gigabytesPerSecond > 0);
  const hasFlops = rows.some((row) => row.teraflops > 0);
  const titles = [
    'Configuration',
    'Time',
    '',
    ...(hasRates ? ['Moved'] : []),
    ...(hasFlops ? ['Computed'] : []),
    'Of peak',
    'Compared',
    'Before',
    'Regs',
    'Shared',
    'Occupancy',
    'Compiled',
  ];
  return [
    h('thead', {}, h('tr', {}, ...titles.map((title) => h('th', { attributes: { scope: 'col' } }, title)))),
    h(
      'tbody',
      {},
      ...rows.map((row, i) =>
        rowOf(row, {
          isBest: i === 0 && row.median > 0,
          baseline,
          most,
          hasRates,
          hasFlops,
          columns: titles.length,
          onChoose,
        }),
      ),
    ),
  ];
}

// The facts about its table that a row needs.
interface Table {
  isBest: boolean;
  baseline: BenchmarkRowInfo | undefined;
  most: number; // the longest time
  hasRates: boolean;
  hasFlops: boolean;
  columns: number;
  onChoose: (row: BenchmarkRowInfo) => void;
}

function rowOf(row: BenchmarkRowInfo, table: Table): HTMLTableRowElement {
  const { isBest, baseline, most, hasRates, hasFlops, columns, onChoose } = table;
  const isBaseline = row === baseline;
  const notes = row.notes.join('\n');
  const name = h(
    'th',
    { title: notes, attributes: { scope: 'row' } },
    row.label || row.id,
    row.notes.length ? h('span', { class: 'g-badge', title: notes }, plural(row.notes.length, 'note')) : null,
  );
  if (row.problem) {
    const detail = [row.problem.error, row.problem.log].filter(Boolean).join('\n');
    return h(
      'tr',
      { class: 'g-bench-failed' },
      name,
      h('td', { colSpan: columns - 1, title: detail }, h('span', { class: 'g-bad' }, sentence(row.problem.message))),
    );
  }
  if (row.median <= 0)
    return h('tr', { class: 'g-bench-waiting' }, name, h('td', { colSpan: columns - 1, class: 'g-muted' }, row.state));
  const compared =
    baseline && !isBaseline ? change(row.median, baseline.median, Math.max(scatterOf(row), scatterOf(baseline))) : null;
  const before = row.before ? change(row.median, row.before.median, scatterOf(row)) : null;
  const told = (what: ReturnType<typeof change>) =>
    what ? h('span', { class: `g-change-${what.state}` }, what.text) : '';
  return h(
    'tr',
    {
      class: `${isBest ? 'g-bench-best' : ''}${isBaseline ? ' g-bench-baseline' : ''}`,
      tabIndex: 0,
      title: isBaseline ? 'The other rows are compared with this row' : 'Click to compare the other rows with this row',
      attributes: { 'aria-selected': String(isBaseline), 'data-id': row.id },
      on: {
        click: () => onChoose(row),
        keydown: (event) => {
          if (event.key === 'Enter' || event.key === ' ') onChoose(row);
        },
      },
    },
    name,
    h('td', { class: 'g-bench-number' }, timeText(row.median), ' ', h('span', { class: 'g-muted' }, spreadText(row))),
    h(
      'td',
      { class: 'g-bench-bar' },
      bar(
        {
          value: row.median,
          low: row.low,
          high: row.high,
          state: row.state === 'running' ? 'live' : isBest ? 'best' : 'plain',
        },
        most,
      ),
    ),
    hasRates ? h('td', { class: 'g-bench-number' }, rateText(row)) : null,
    hasFlops ? h('td', { class: 'g-bench-number' }, flopsText(row)) : null,
    h('td', { class: 'g-bench-number' }, peakText(row)),
    h('td', {}, isBaseline ? 'baseline' : told(compared)),
    h('td', { title: row.before?.when ?? '' }, told(before)),
    h(
      'td',
      { class: 'g-bench-number' },
      String(row.registers || ''),
      row.localBytes ? h('span', { class: 'g-bad', title: 'bytes spilled' }, ` +${row.localBytes} B`) : null,
    ),
    h('td', { class: 'g-bench-number' }, row.sharedBytes ? `${digits(row.sharedBytes / 1024)} KB` : ''),
    h(
      'td',
      { class: 'g-bench-number', title: row.limitedBy ? `limited by ${row.limitedBy}` : '' },
      row.occupancy > 0 ? `${Math.round(row.occupancy * 100)}%` : '',
    ),
    h('td', { class: 'g-bench-number' }, row.compileMs > 0 ? `${digits(row.compileMs)} ms` : ''),
  );
}

// The tensors written by a run, and its output.
export function tensorsTable(row: BenchmarkRowInfo, tensors: NonNullable<BenchmarkRowInfo['tensors']>): Node[] {
  const number = (value: number) =>
    h(
      'td',
      { class: 'g-bench-number' },
      value === 0
        ? '0'
        : Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3
          ? value.toExponential(3)
          : String(+value.toPrecision(6)),
    );
  return [
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ...['Tensor', 'Type', '', 'Least', 'Most', 'Mean', 'NaN', 'Infinite'].map((title) =>
          h('th', { attributes: { scope: 'col' } }, title),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      ...tensors.map((tensor) =>
        h(
          'tr',
          { class: tensor.overwritten ? 'g-bench-failed' : '' },
          h('th', { attributes: { scope: 'row' } }, tensor.name),
          h('td', {}, `${tensor.dtype}[${tensor.shape.join(', ')}]`),
          h(
            'td',
            {},
            tensor.overwritten
              ? h('span', { class: 'g-bad' }, 'written out of bounds')
              : tensor.changed
                ? 'written'
                : h('span', { class: 'g-muted' }, 'unchanged'),
          ),
          number(tensor.least),
          number(tensor.most),
          number(tensor.mean),
          h('td', { class: tensor.nans ? 'g-bench-number g-bad' : 'g-bench-number' }, String(tensor.nans)),
          h('td', { class: 'g-bench-number' }, String(tensor.infinities)),
        ),
      ),
      row.printed
        ? h(
            'tr',
            {},
            h('th', { attributes: { scope: 'row' } }, 'printed'),
            h('td', { colSpan: 7 }, h('code', { class: 'g-bench-printed' }, row.printed)),
          )
        : null,
    ),
  ];
}
