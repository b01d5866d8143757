// Shared (and tensor) memory: a kernel's buffers, the place of each element after swizzle and padding, and the banks.
import type { LayoutMapResult, OperationInfo, OperationsResult } from '../protocol.ts';
import { dtypeName } from '../model/words.ts';
import { h, replace } from '../ui/dom.ts';
import { Latest } from '../ui/timing.ts';
import { button, exportButtons, Head, metric, Notice, playgroundButton } from './common.ts';
import { bytesText } from './conversion.ts';
import { MapView } from './mapview.ts';
import { OperationList } from './operations.ts';
import { hasConflicts, type Panel, type Session, type Why } from './session.ts';

export class SharedPanel implements Panel {
  readonly id = 'shared';
  readonly title = 'Shared memory';
  readonly element: HTMLElement;
  readonly view: MapView;
  private readonly list: OperationList;
  private readonly head: Head;
  private readonly notice = new Notice();
  private readonly latest = new Latest();
  private readonly metrics = h('div', { class: 'g-metrics' });
  private readonly users = h('div', { class: 'g-users' });
  private readonly body: HTMLElement;
  private result: LayoutMapResult | null = null;

  constructor(private readonly session: Session) {
    this.list = new OperationList(session, () => this.again());
    this.view = new MapView(session);
    this.view.onActivate = () => this.reveal(false);
    this.view.onSlot = () => this.showMoment();
    this.view.onSelect = (element) => element !== null && this.reveal(true);
    this.head = new Head(
      button('Source', () => this.reveal(false), 'Go to the line'),
      playgroundButton(session, () => this.result?.layout),
      exportButtons(
        session,
        () => this.view.places,
        () => this.result?.layout ?? 'shared memory',
        { title: () => this.view.pictureTitle(), legend: () => this.view.legendEntries() },
      ),
    );
    this.body = h('div', { class: 'g-body' }, this.metrics, this.users, this.view.element);
    this.element = h(
      'div',
      { class: 'g-panel g-shared' },
      this.head.element,
      this.list.element,
      this.notice.element,
      this.body,
    );
    this.body.hidden = true;
  }

  update(why: Why): void {
    if (why === 'theme') return this.view.redraw();
    if (!this.session.place) return this.notice.say('Open a Gluon kernel to see its buffers.', 'empty');
    void this.latest.run(
      async () => {
        const operations = await this.session.operations();
        const chosen = this.list.set(
          operations,
          (o) => o.other !== undefined && o.kind !== 'conversion',
          why !== 'changed',
        );
        if (!chosen) throw new Error(`'${operations.kernel}' has no buffers in shared memory`);
        return this.ask(chosen, operations);
      },
      (answer) => this.show(...answer),
      (message) => this.fail(message),
    );
  }

  private again(): void {
    const chosen = this.list.chosen;
    if (!chosen) return;
    void this.latest.run(
      async () => this.ask(chosen, await this.session.operations()),
      (answer) => this.show(...answer),
      (message) => this.fail(message),
    );
  }
  private async ask(
    operation: OperationInfo,
    operations: OperationsResult,
  ): Promise<[LayoutMapResult, OperationsResult]> {
    return [await this.session.layoutOf(operation), operations];
  }
  private fail(message: string): void {
    this.result = null;
    this.body.hidden = true;
    this.head.set('Shared memory');
    this.notice.say(this.session.reason(message), 'empty');
  }

  private show(result: LayoutMapResult, operations: OperationsResult): void {
    const operation = this.list.chosen!;
    this.result = result;
    this.notice.say('');
    this.body.hidden = false;
    this.head.set(
      result.layout,
      `${operation.title} · line ${this.session.lineOf(operation)} · ${dtypeName(operation.dtype)} [${[...(result.slots ?? []), ...result.shape].join(', ')}] · ${result.summary}`,
    );
    const elements = [...(result.slots ?? []), ...result.shape].reduce((a, b) => a * b, 1);
    const padded = result.padding.reduce(
      (sum, { interval, amount }) => sum + Math.floor((elements - 1) / interval) * amount,
      0,
    );
    const bytes = (n: number) => (n * result.elementBits) / 8;
    const users = operations.operations.filter((o) => o.kind === 'shared' && useOneBuffer(o, operation));
    const conflicts = users.filter(hasConflicts);
    replace(
      this.metrics,
      metric(bytesText(bytes(elements)), result.kind === 'tensor memory' ? 'of tensor memory' : 'of elements'),
      ...(result.kind === 'tensor memory'
        ? []
        : [metric(padded ? bytesText(bytes(padded)) : 'none', 'padding', padded ? 'plain' : 'good')]),
      metric(String(users.length), 'loads and stores through registers'),
      metric(
        String(conflicts.length),
        conflicts.length ? 'of them with bank conflicts' : 'bank conflicts',
        conflicts.length ? 'bad' : 'good',
      ),
    );
    replace(
      this.users,
      ...users.map((user) =>
        h(
          'button',
          {
            type: 'button',
            class: conflicts.includes(user) ? 'g-chip g-bad' : 'g-chip',
            title: 'Show the access',
            on: { click: () => this.session.show('access', { operation: user }) },
          },
          `line ${this.session.lineOf(user)} ${user.title}: ${user.summary}`,
        ),
      ),
    );
    this.view.show(result, `${this.session.uri} ${operations.kernel} ${operation.index} ${operation.other}`);
    this.showMoment();
  }
  // The contents of the buffer at the moment that the timeline shows.
  private showMoment(): void {
    const operation = this.list.chosen;
    this.view.showMoment(
      operation
        ? async () =>
            (await this.session.contentsOf(this.session.lineOf(operation) - 1, this.view.shownSlot))?.values ?? null
        : null,
    );
  }

  private reveal(preserveFocus: boolean): void {
    if (this.list.chosen) this.session.reveal(this.session.placeOf(this.list.chosen), preserveFocus);
  }
}

// Whether two operations may access the same buffer. Where the kernel does not say which buffer that is, those that
// see it through the same layout may.
function useOneBuffer(a: OperationInfo, b: OperationInfo): boolean {
  if (!a.buffers.length || !b.buffers.length) return a.other === b.other;
  return a.buffers.some((each) => b.buffers.includes(each));
}
