// A layout to edit: its parameters are on the left, and the resulting tensor is shown immediately on the right. It
// starts with the layout under the cursor and can write the result back into the source.
import { messageOf, sentence } from '../model/words.ts';
import type { LayoutChange, Location, StudyLayoutResult } from '../protocol.ts';
import { classOf, expressionOf, formFor, formOf, layoutClasses, type Form } from '../model/layouts.ts';
import { printPython, type Py } from '../model/python.ts';
import { append, h, replace, select } from '../ui/dom.ts';
import { Latest, debounce } from '../ui/timing.ts';
import { standardTarget, targets } from '../model/chips.ts';
import { button, exportButtons, Head, metric, Notice, percent } from './common.ts';
import { fieldControl, numbersControl, withCurrent } from './fields.ts';
import { MapView } from './mapview.ts';
import type { Panel, Session, Why } from './session.ts';

const newDimension = 32; // elements along it
const dtypes: readonly { name: string; bits: number }[] = [
  { name: 'fp32', bits: 32 },
  { name: 'fp16', bits: 16 },
  { name: 'bf16', bits: 16 },
  { name: 'int8', bits: 8 },
  { name: 'fp8e4nv', bits: 8 },
  { name: 'int32', bits: 32 },
  { name: 'int64', bits: 64 },
];
const firstLayout = 'gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])';

export class PlaygroundPanel implements Panel {
  readonly id = 'playground';
  readonly title = 'Playground';
  readonly element: HTMLElement;
  readonly view: MapView;
  private readonly head: Head;
  private readonly notice = new Notice();
  private readonly form = h('form', { class: 'g-form', on: { submit: (event: Event) => event.preventDefault() } });
  private readonly metrics = h('div', { class: 'g-metrics' });
  private readonly warnings = h('ul', {
    class: 'g-warnings',
    attributes: { 'aria-live': 'polite', 'aria-label': 'Warnings' },
  });
  private readonly writeButton: HTMLButtonElement;
  private readonly resetButton: HTMLButtonElement;
  private readonly latest = new Latest();
  private readonly latestSource = new Latest();
  private expression = firstLayout;
  private original = '';
  private round = 0; // counts the layouts that editing started from
  private shape: number[] = [32, 64];
  private dtype = 'fp16';
  private target: string = standardTarget;
  private order: 'row' | 'column' = 'row';
  private partner = '';
  private source: Location | null = null;
  private form_: Form | null = null;
  private touched = false;
  private fits = false; // the layout has a map for the shape
  lastMilliseconds = 0;

  constructor(private readonly session: Session) {
    this.view = new MapView(session, { compact: true });
    this.writeButton = h(
      'button',
      { type: 'button', class: 'g-button g-primary', disabled: true, on: { click: () => void this.write() } },
      'Write to source',
    );
    this.resetButton = button('Reset', () => this.reset(), 'Restore the layout of the source');
    this.head = new Head(
      this.writeButton,
      this.resetButton,
      button('Copy', () => void navigator.clipboard?.writeText(this.expression), 'Copy the layout as Python'),
      exportButtons(
        session,
        () => this.view.map,
        () => this.expression,
        { title: () => this.view.pictureTitle(), legend: () => this.view.legendEntries() },
      ),
    );
    const results = h(
      'div',
      { class: 'g-results' },
      this.metrics,
      this.warnings,
      this.notice.element,
      this.view.element,
    );
    this.element = h(
      'div',
      { class: 'g-panel' },
      this.head.element,
      h('div', { class: 'g-playground' }, this.form, results),
    );
    this.drawForm();
  }

  private started = false;
  update(why: Why): void {
    if (why === 'theme') return this.view.redraw();
    if (!this.started) {
      this.started = true;
      this.study();
    }
    // Follows the cursor until something is edited here.
    if (!this.touched && this.session.place) this.takeFromCursor();
    else if (why === 'cursor') this.offerCursor();
  }

  // An edited layout stays when the cursor moves to another one. The Reset button then offers that one.
  private offerCursor(): void {
    const place = this.session.place!;
    void this.latestSource.run(
      () =>
        this.session.host.request('gluond/layoutMap', { textDocument: { uri: place.uri }, position: place.position }),
      ({ source }) => {
        const line = (source ?? { range: { start: place.position } }).range.start.line;
        const isOther = source?.uri !== this.source?.uri || line !== this.source?.range.start.line;
        this.setReset(isOther ? line + 1 : null);
      },
      () => this.setReset(null),
    );
  }
  private setReset(line: number | null): void {
    this.resetButton.textContent = line === null ? 'Reset' : `Load line ${line}`;
    this.resetButton.title =
      line === null
        ? 'Restore the layout of the source'
        : `Discard the edits here and start from the layout in line ${line}`;
  }

  open(what: { expression?: string }): void {
    this.touched = false;
    if (what.expression) {
      this.started = true;
      this.set(what.expression);
    }
    if (this.session.place) this.takeFromCursor();
  }

  private takeFromCursor(): void {
    this.setReset(null);
    const place = this.session.place!;
    void this.latestSource.run(
      () =>
        this.session.host.request('gluond/layoutMap', { textDocument: { uri: place.uri }, position: place.position }),
      (result) => {
        if (this.original !== result.layout || this.shape.join() !== result.shape.join()) ++this.round;
        this.source = result.source ?? null;
        this.original = result.layout;
        this.shape = result.shape;
        if (result.dtype) this.dtype = shortDtype(result.dtype);
        if (result.target) this.target = result.target;
        this.set(result.layout);
      },
      () => {},
    );
  }

  private set(expression: string): void {
    this.expression = expression;
    this.form_ = formOf(expression, this.shape, this.warps(), this.lanes(), this.bits());
    this.drawForm();
    this.study();
  }
  private reset(): void {
    this.touched = false;
    if (this.session.place) this.takeFromCursor();
    else this.set(firstLayout);
  }
  private warps(): number {
    const first = this.form_?.layoutClass.fields.findIndex((f) => f.name === 'warps_per_cta') ?? -1;
    const value = first >= 0 ? this.form_!.values[first] : undefined;
    return Array.isArray(value) ? value.reduce<number>((n, v) => n * (typeof v === 'number' ? v : 1), 1) : 4;
  }
  private lanes(): number {
    return targets.find((t) => t.id === this.target)?.warpSize ?? 32;
  }
  private bits(): number {
    return dtypes.find((d) => d.name === this.dtype)?.bits ?? 32;
  }

  // ---------------------------------------------------------------- the form

  private drawForm(): void {
    const focused =
      document.activeElement instanceof HTMLElement && this.form.contains(document.activeElement)
        ? document.activeElement.dataset['key']
        : undefined;
    this.form_ ??= formOf(this.expression, this.shape, 4, this.lanes(), this.bits());
    const form = this.form_;
    replace(this.form);
    append(
      this.form,
      this.row(
        'Layout',
        'The class of the layout',
        select(
          'Layout class',
          [
            ...layoutClasses.map((c) => ({ value: c.name, text: c.title, group: c.kind })),
            ...(form ? [] : [{ value: '', text: 'other' }]),
          ],
          form?.layoutClass.name ?? '',
          (name) => {
            this.touched = true;
            const layoutClass = classOf(name);
            if (!layoutClass) return;
            this.form_ = formFor(layoutClass, this.shape, this.warps(), this.lanes(), this.bits());
            this.edited();
            this.drawForm();
          },
        ),
      ),
    );
    if (form)
      form.layoutClass.fields.forEach((field, i) =>
        append(
          this.form,
          this.row(
            field.name,
            field.help,
            fieldControl(field, form.values[i]!, (value) => this.change(i, value)),
          ),
        ),
      );
    append(
      this.form,
      this.row(
        'as Python',
        'Any expression that creates a layout',
        h('textarea', {
          value: this.expression,
          rows: 3,
          spellcheck: false,
          attributes: { 'aria-label': 'Layout as Python', 'data-key': 'python' },
          on: {
            input: (event) => {
              this.touched = true;
              this.expression = (event.target as HTMLTextAreaElement).value;
              this.form_ = formOf(this.expression, this.shape, this.warps(), this.lanes(), this.bits());
              this.study();
            },
            change: () => this.drawForm(),
          },
        }),
      ),
      h('h3', {}, 'Tensor'),
      this.row(
        'shape',
        'Powers of two',
        h(
          'span',
          { class: 'g-vector' },
          numbersControl('shape', this.shape, (shape) => ((this.shape = shape), this.edited())),
          button('+ dim', () => this.setRank([...this.shape, newDimension]), 'Add a dimension'),
          ...(this.shape.length > 1
            ? [button('- dim', () => this.setRank(this.shape.slice(0, -1)), 'Remove the last dimension')]
            : []),
        ),
      ),
      this.row(
        'dtype',
        'Type of the elements',
        select(
          'dtype',
          withCurrent(
            dtypes.map((d) => d.name),
            this.dtype,
          ),
          this.dtype,
          (v) => ((this.dtype = v), this.edited()),
        ),
      ),
      this.row(
        'in memory',
        'The dimension that is contiguous in global memory',
        select(
          'Order in global memory',
          [
            { value: 'row', text: 'row-major' },
            { value: 'column', text: 'column-major' },
          ],
          this.order,
          (v) => ((this.order = v), this.edited()),
        ),
      ),
      this.row(
        'target',
        'The target GPU',
        select(
          'target',
          withCurrent(
            targets.map((t) => t.id),
            this.target,
          ),
          this.target,
          (v) => ((this.target = v), this.edited()),
        ),
      ),
      this.row(
        form?.layoutClass.kind === 'shared memory' ? 'registers' : 'buffer',
        form?.layoutClass.kind === 'shared memory'
          ? 'The layout of the registers that are loaded or stored, for bank conflicts'
          : 'A shared memory layout to store to, for bank conflicts',
        h('textarea', {
          value: this.partner,
          rows: 2,
          spellcheck: false,
          placeholder:
            form?.layoutClass.kind === 'shared memory'
              ? 'gl.BlockedLayout(...)'
              : 'gl.SwizzledSharedLayout(8, 1, 8, [1, 0])',
          attributes: { 'aria-label': 'The layout on the other side of a shared memory access', 'data-key': 'partner' },
          on: { input: (event) => ((this.partner = (event.target as HTMLTextAreaElement).value.trim()), this.study()) },
        }),
      ),
    );
    if (focused) this.form.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private row(name: string, help: string, control: HTMLElement): HTMLElement {
    return h('label', { class: 'g-row', title: help }, h('span', { class: 'g-row-name' }, name), control);
  }

  // A layout of the old rank is replaced by one of the same class and the new rank.
  private setRank(shape: number[]): void {
    const form = this.form_;
    this.shape = shape;
    if (form && this.fits) this.form_ = formFor(form.layoutClass, this.shape, this.warps(), this.lanes(), this.bits());
    this.edited();
    this.drawForm();
  }
  private change(index: number, value: Py): void {
    this.touched = true;
    this.form_!.values[index] = value;
    this.edited();
  }
  private edited(): void {
    this.touched = true;
    if (this.form_) this.expression = expressionOf(this.form_);
    const python = this.form.querySelector<HTMLTextAreaElement>('[data-key="python"]');
    if (python) python.value = this.expression;
    this.study();
  }

  // ---------------------------------------------------------------- the answer

  private readonly study = debounce(16, () => {
    const started = performance.now();
    const strides = this.strides();
    const params = {
      expression: this.expression,
      shape: this.shape,
      dtype: this.dtype,
      target: this.target,
      strides,
      ...(this.partner ? { partner: this.partner } : {}),
    };
    void this.latest.run(
      () => this.session.host.request('gluond/studyLayout', params),
      (result) => {
        this.fits = result.layout !== undefined && result.layout !== null;
        this.show(result);
        this.view.map.draw();
        this.lastMilliseconds = performance.now() - started;
      },
      (message) => {
        this.fits = false;
        this.notice.say(sentence(message), 'error');
      },
    );
  });

  private strides(): number[] {
    const shape = this.shape;
    const strides = new Array<number>(shape.length).fill(1);
    const dims = shape.map((_, i) => i);
    if (this.order === 'row') dims.reverse();
    let stride = 1;
    for (const d of dims) {
      strides[d] = stride;
      stride *= shape[d]!;
    }
    return strides;
  }

  // "line 33", or "gemm.py, line 33" while another file is shown.
  private sourceName(): string {
    const { uri, range } = this.source!;
    const file = uri === this.session.uri ? '' : `${decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))}, `;
    return `${file}line ${range.start.line + 1}`;
  }

  private show(result: StudyLayoutResult): void {
    this.head.set(
      this.expression,
      this.source
        ? `from ${this.sourceName()}${this.expression === this.original ? '' : ' · edited'}`
        : 'it is not known where this layout is written; copy it from here',
    );
    const canWrite =
      this.source !== null &&
      !result.error &&
      !result.warnings.some((w) => w.severity === 'error') &&
      this.expression !== this.original;
    this.writeButton.disabled = !canWrite;
    this.writeButton.title = this.source
      ? canWrite
        ? `Replace the layout in ${this.sourceName()}`
        : 'Nothing to write'
      : 'This layout comes from a launch, another file or the compiler. Put the cursor on one that is written in this file';
    if (result.error || !result.layout) {
      this.notice.say(sentence(result.error ?? 'no layout'), 'error');
      replace(this.metrics);
      replace(this.warnings);
      this.view.element.classList.add('g-stale');
      return;
    }
    // A layout may be drawn although it cannot be compiled. That is shown above everything else.
    const impossible = result.warnings.filter((w) => w.severity === 'error');
    this.notice.show(
      impossible.map((w) => h('div', {}, sentence(w.message))),
      'error',
    );
    this.view.element.classList.toggle('g-stale', impossible.length > 0);
    const { global, shared } = result;
    const efficiency = global?.sectors ? global.leastSectors / global.sectors : 1;
    replace(
      this.metrics,
      ...(global
        ? [
            metric(
              `${global.bytes} B`,
              'per lane, global memory',
              global.bytes >= 16 ? 'good' : global.bytes >= 8 ? 'plain' : 'bad',
            ),
            metric(
              percent(efficiency),
              `coalesced: ${global.sectors} sectors, ${global.leastSectors} needed`,
              efficiency > 0.99 ? 'good' : 'bad',
            ),
          ]
        : []),
      ...(result.registers
        ? [
            metric(
              String(result.registers),
              result.registers === 1 ? 'register per thread' : 'registers per thread',
              result.registers > 255 ? 'bad' : 'plain',
            ),
          ]
        : []),
      ...(shared
        ? [
            metric(
              shared.wavefronts > shared.leastWavefronts
                ? `${Math.ceil(shared.wavefronts / shared.leastWavefronts)}-way`
                : 'none',
              'bank conflicts',
              shared.wavefronts > shared.leastWavefronts ? 'bad' : 'good',
            ),
            metric(`${shared.bytes} B`, 'per lane, shared memory', shared.bytes >= 16 ? 'good' : 'plain'),
          ]
        : []),
      metric(result.layout.shape.reduce((a, b) => a * b, 1).toLocaleString('en'), `elements in ${result.layout.kind}`),
    );
    replace(
      this.warnings,
      ...result.warnings
        .filter((w) => !impossible.includes(w))
        .map((w) => h('li', { class: `g-warning g-${w.severity}` }, h('b', {}, w.severity), ' ', sentence(w.message))),
    );
    this.view.show(result.layout, `playground ${this.round}`);
  }

  // The parameters that differ from the layout in the source, so that the rest is kept as written there.
  private changes(): { changes?: LayoutChange[] } {
    const was = formOf(this.original, this.shape, this.warps(), this.lanes(), this.bits());
    const form = this.form_;
    if (!was || !form || was.layoutClass !== form.layoutClass) return {};
    const changes = form.layoutClass.fields.flatMap((field, position) => {
      const [before, after] = [printPython(was.values[position]!), printPython(form.values[position]!)];
      return before === after ? [] : [{ parameter: field.name, position, was: before, becomes: after }];
    });
    return { changes };
  }

  private async write(): Promise<void> {
    if (!this.source) return;
    try {
      const result = await this.session.host.request('gluond/writeLayout', {
        textDocument: { uri: this.source.uri },
        range: this.source.range,
        expression: this.expression,
        ...this.changes(),
      });
      if (!(await this.session.host.applyEdit(result.edit)))
        return this.notice.say('Nothing was written, because the file changed in the meantime.', 'error');
      const { start } = this.source.range;
      const lines = result.text.split('\n');
      const end = {
        line: start.line + lines.length - 1,
        character: lines.length > 1 ? lines[lines.length - 1]!.length : start.character + result.text.length,
      };
      this.source = { uri: this.source.uri, range: { start, end } };
      this.original = this.expression;
      this.touched = false;
      this.session.reveal(this.source, true);
      this.study();
    } catch (error) {
      this.notice.say(sentence(messageOf(error)), 'error');
    }
  }
}

// The server says "float16", the menu says "fp16".
function shortDtype(dtype: string): string {
  return dtype.replace(/^float(\d+)/, 'fp$1').replace(/^bfloat/, 'bf');
}
