// The layout map of the value under the cursor.
import { Part } from '../model/part.ts';
import { sentence } from '../model/words.ts';
import type { LayoutMapResult } from '../protocol.ts';
import { h } from '../ui/dom.ts';
import { Latest } from '../ui/timing.ts';
import { button, exportButtons, Head, Notice, playgroundButton } from './common.ts';
import { MapView } from './mapview.ts';
import type { Panel, Session, Why } from './session.ts';

export class LayoutPanel implements Panel {
  readonly id = 'layout';
  readonly title = 'Layout';
  readonly element: HTMLElement;
  readonly view: MapView;
  private readonly latest = new Latest();
  private readonly notice = new Notice();
  private readonly head: Head;
  private result: LayoutMapResult | null = null;
  private uri = '';
  // The place to which this panel moved the cursor. A cursor there does not select another layout.
  private revealed: { line: number; character: number } | null = null;
  // How long the last picture took from the request until it was drawn.
  lastMilliseconds = 0;

  constructor(private readonly session: Session) {
    this.view = new MapView(session);
    this.view.onActivate = () => this.toSource(false);
    this.view.onSlot = () => this.showMoment();
    this.view.onSelect = (element) => {
      if (element !== null) this.toSource(true);
    };
    this.head = new Head(
      button('Source', () => this.toSource(false), 'Go to the line (or double-click an element)'),
      playgroundButton(session, () => this.result?.layout),
      exportButtons(
        session,
        () => this.view.map,
        () => this.result?.layout ?? 'layout',
        { title: () => this.view.pictureTitle(), legend: () => this.view.legendEntries() },
      ),
    );
    this.element = h('div', { class: 'g-panel' }, this.head.element, this.notice.element, this.view.element);
    this.view.element.hidden = true;
  }

  update(why: Why): void {
    if (why === 'theme') return this.view.redraw();
    if (why === 'shown') this.showMoment();
    const place = this.session.place;
    if (!place)
      return this.notice.say('Open a Gluon kernel and put the cursor on a tensor, a buffer or a layout.', 'empty');
    if (place.uri !== this.uri) this.revealed = null;
    const { revealed } = this;
    if (
      why === 'cursor' &&
      this.result &&
      revealed &&
      revealed.line === place.position.line &&
      revealed.character === place.position.character
    )
      return this.notice.say('');
    this.revealed = null;
    const started = performance.now();
    void this.latest.run(
      () =>
        this.session.host.request('gluond/layoutMap', { textDocument: { uri: place.uri }, position: place.position }),
      (result) => {
        this.notice.say('');
        this.uri = place.uri;
        this.show(result);
        this.view.map.draw();
        this.lastMilliseconds = performance.now() - started;
      },
      (message) => {
        // A picture of another file, or of an older text, would mislead.
        if (place.uri !== this.uri || why === 'changed') this.clear();
        const { result } = this;
        this.notice.say(
          result
            ? `${sentence(message)} The panel shows ${this.name(result)}.`
            : `${this.session.reason(message)} Put the cursor on a tensor, a buffer or a layout.`,
          result ? 'note' : 'empty',
        );
      },
    );
  }

  private show(result: LayoutMapResult): void {
    this.result = result;
    this.view.element.hidden = false;
    const dtype = result.dtype ? `${result.dtype} ` : '';
    const part = Part.of(result);
    const shape = result.part?.shape ?? [...(result.slots ?? []), ...result.shape];
    const where = part ? `${part.describe()}, in ${result.kind}` : `in ${result.kind}`;
    this.head.set(
      result.layout,
      `${this.name(result)} · ${dtype}[${shape.join(', ')}]${part ? ', ' : ' '}${where} · ${result.summary}`,
    );
    const { range } = result;
    this.view.show(result, `${this.uri} ${result.value} ${JSON.stringify(range)} ${result.layout} ${result.dtype}`);
    this.showMoment();
  }
  // The contents of the value at the moment that the timeline shows.
  private showMoment(): void {
    const { result } = this;
    const { value, range } = result ?? {};
    const slot = result?.part ? [] : this.view.slotIndex().map((index) => `.index(${index})`);
    this.view.showMoment(
      value && range
        ? async () => (await this.session.elementsOf(value + slot.join(''), range.start))?.values ?? null
        : null,
    );
  }
  private name(result: LayoutMapResult): string {
    const line = result.range ? `line ${result.range.start.line + 1}` : '';
    return [result.value, line].filter(Boolean).join(', ');
  }
  private clear(): void {
    this.result = null;
    this.view.element.hidden = true;
    this.view.show(null, '');
    this.head.set('Layout');
  }

  private toSource(preserveFocus: boolean): void {
    const range = this.result?.range ?? this.result?.source?.range;
    if (!range) return;
    this.revealed = range.start;
    this.session.reveal({ uri: this.uri, range }, preserveFocus);
  }
}
