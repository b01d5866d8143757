// The list of a kernel's operations that a panel is about, with the one at the cursor chosen.
import type { OperationInfo, OperationsResult } from '../protocol.ts';
import { h, replace } from '../ui/dom.ts';
import { hasConflicts, type Session } from './session.ts';

export class OperationList {
  readonly element = h('div', {
    class: 'g-operations',
    attributes: { role: 'listbox', 'aria-label': 'Operations of the kernel', tabindex: '0' },
  });
  chosen: OperationInfo | null = null;
  // Whether the cursor is on a line without such an operation, so that the chosen one is another's.
  isElsewhere = false;
  private operations: OperationInfo[] = [];

  constructor(
    private readonly session: Session,
    private readonly onChoose: (operation: OperationInfo) => void,
  ) {
    this.element.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (event.key === 'Enter' && this.chosen) this.session.reveal(this.session.placeOf(this.chosen), false);
      if (!step || !this.operations.length) return;
      event.preventDefault();
      const at = this.operations.findIndex((o) => o.index === this.chosen?.index);
      this.choose(this.operations[(at + step + this.operations.length) % this.operations.length]!);
    });
  }

  // Chooses the operation at the cursor, else the one chosen before, else the first. Returns null if there is none.
  set(
    result: OperationsResult,
    wanted: (operation: OperationInfo) => boolean,
    followCursor: boolean,
  ): OperationInfo | null {
    this.operations = result.operations.filter(wanted);
    const at = followCursor ? this.session.operationAt(this.operations) : null;
    const before = this.operations.find((o) => this.chosen && o.index === this.chosen.index && o.op === this.chosen.op);
    this.chosen = at ?? before ?? this.operations[0] ?? null;
    if (followCursor) this.isElsewhere = !at && this.session.place !== null;
    this.draw();
    return this.chosen;
  }

  // Chooses an operation wherever the cursor is; set() draws it.
  point(operation: OperationInfo): void {
    this.chosen = operation;
    this.isElsewhere = false;
  }

  private choose(operation: OperationInfo): void {
    this.point(operation);
    this.draw();
    this.session.reveal(this.session.placeOf(operation), true);
    this.onChoose(operation);
  }

  private draw(): void {
    replace(
      this.element,
      ...this.operations.map((operation) => {
        const isChosen = operation.index === this.chosen?.index;
        const isBad = hasConflicts(operation);
        const item = h(
          'div',
          {
            class: `g-operation${isChosen ? ' g-on' : ''}`,
            attributes: { role: 'option', 'aria-selected': String(isChosen), 'data-index': String(operation.index) },
            on: {
              click: () => this.choose(operation),
              dblclick: () => this.session.reveal(this.session.placeOf(operation), false),
            },
          },
          h('span', { class: 'g-line' }, String(this.session.lineOf(operation))),
          h('span', { class: 'g-op' }, operation.title),
          h('span', { class: isBad ? 'g-op-summary g-bad' : 'g-op-summary' }, operation.summary),
          operation.inLoop ? h('span', { class: 'g-badge', title: 'in a loop' }, 'loop') : null,
        );
        return item;
      }),
    );
    this.element.querySelector('.g-on')?.scrollIntoView({ block: 'nearest' });
  }
}
