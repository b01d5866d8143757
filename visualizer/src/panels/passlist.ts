// The list of passes in the IR explorer: the changes of each, and the selected one.
import type { Passes } from '../model/passes.ts';
import { h, replace } from '../ui/dom.ts';

export class PassList {
  readonly element = h('div', {
    class: 'g-passes',
    hidden: true,
    attributes: { role: 'listbox', 'aria-label': 'Passes', tabindex: '-1' },
  });

  // The id that `onChoose` gets is '' for all passes.
  constructor(private readonly onChoose: (id: string) => void) {}

  draw(passes: Passes | null, chosen: string): void {
    if (!passes) return replace(this.element);
    const focused = this.element.contains(document.activeElement);
    const ids = ['', ...passes.steps.map((step) => step.id)];
    const row = (id: string, ...content: (Node | string)[]) =>
      h(
        'div',
        {
          class: `g-pass${id === chosen ? ' g-on' : ''}`,
          tabIndex: id === chosen ? 0 : -1,
          attributes: { role: 'option', 'aria-selected': String(id === chosen), 'data-pass': id },
          on: {
            click: () => this.onChoose(id),
            keydown: (event) => {
              const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
              if (!step) return;
              event.preventDefault();
              this.onChoose(ids[(ids.indexOf(id) + step + ids.length) % ids.length]!);
            },
          },
        },
        ...content,
      );
    const { failed } = passes.result;
    replace(
      this.element,
      row('', h('span', { class: 'g-line' }), h('span', {}, 'All passes')),
      ...passes.steps.map(({ id, title, changed, added, removed }, i) =>
        row(
          id,
          h('span', { class: 'g-line' }, String(i + 1)),
          h('span', { title: id }, title),
          h('code', { class: 'g-muted' }, id),
          changed
            ? h(
                'span',
                { class: 'g-pass-counts' },
                h('b', { class: 'g-plus' }, `+${added}`),
                ' ',
                h('b', { class: 'g-minus' }, `−${removed}`),
              )
            : h('span', { class: 'g-muted' }, 'nothing changed'),
        ),
      ),
      failed
        ? h(
            'div',
            { class: 'g-pass g-pass-failed' },
            h('span', { class: 'g-line' }, String(passes.steps.length + 1)),
            h('span', {}, 'fails'),
            h('code', {}, failed),
          )
        : null,
    );
    const chosenRow = this.element.querySelector<HTMLElement>('.g-pass.g-on');
    if (focused) chosenRow?.focus();
    chosenRow?.scrollIntoView({ block: 'nearest' });
  }
}
