// Pieces that several panels are made of.
import { fileName } from '../model/words.ts';
import { h, iconButton, replace } from '../ui/dom.ts';
import type { LegendEntry } from '../model/svg.ts';
import type { Grid } from '../ui/grid.ts';
import type { Session } from './session.ts';

// The head of a panel: what is shown, as code, with a line of explanation below and actions at the right.
export class Head {
  readonly element: HTMLElement;
  private readonly title = h('code', { class: 'g-title' });
  private readonly subtitle = h('div', { class: 'g-subtitle' });
  constructor(...actions: Node[]) {
    this.element = h(
      'header',
      { class: 'g-head' },
      h('div', { class: 'g-head-text' }, this.title, this.subtitle),
      h('div', { class: 'g-actions' }, ...actions),
    );
  }
  set(title: string, ...subtitle: (Node | string)[]): void {
    // A long title may break after an opening parenthesis or a dot, and never within a short list.
    const plain = (text: string) => text.split(/(?<=[(.])/).flatMap((part, i) => (i ? [h('wbr'), part] : [part]));
    replace(
      this.title,
      ...title
        .split(/(\[[^[\]]{1,24}\])/)
        .flatMap((part, i) => (i % 2 ? [h('span', { class: 'g-nowrap' }, part)] : plain(part))),
    );
    this.title.title = title;
    replace(this.subtitle, ...subtitle);
  }
}

type NoticeKind = 'empty' | 'note' | 'error';

// The text in place of a panel that has nothing to show, or above one that shows something old.
export class Notice {
  readonly element = h('div', { class: 'g-notice', hidden: true, attributes: { role: 'status' } });
  say(text: string, kind: NoticeKind = 'note'): void {
    this.show(text ? [text] : [], kind);
  }
  show(content: (Node | string)[], kind: NoticeKind): void {
    this.element.hidden = !content.length;
    this.element.className = `g-notice g-notice-${kind}`;
    replace(this.element, ...content);
  }
}

export function button(text: string, onClick: () => void, title = text): HTMLButtonElement {
  return h('button', { type: 'button', class: 'g-button', title, on: { click: onClick } }, text);
}

// A button that opens the layout that is shown, if there is one, in the playground.
export function playgroundButton(session: Session, layout: () => string | undefined): HTMLButtonElement {
  const open = () => {
    const expression = layout();
    if (expression !== undefined) session.show('playground', { expression });
  };
  return button('Playground', open, 'Edit the parameters of this layout');
}

// Buttons that save a grid as SVG and PNG. `name` is the file's name, and the picture's title if there is no other.
export function exportButtons(
  session: Session,
  grid: () => Grid,
  name: () => string,
  { title = name, legend = () => [] }: { title?: () => string; legend?: () => LegendEntry[] } = {},
): HTMLElement {
  const file = () =>
    fileName(name())
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'layout';
  return h(
    'span',
    { class: 'g-export' },
    button(
      'SVG',
      () =>
        void session.host.saveFile(
          `${file()}.svg`,
          'image/svg+xml',
          new TextEncoder().encode(grid().svg(title(), legend())),
        ),
      'Save the picture as SVG',
    ),
    button(
      'PNG',
      () =>
        void grid()
          .png(title(), legend())
          .then((data) => session.host.saveFile(`${file()}.png`, 'image/png', data)),
      'Save the picture as PNG',
    ),
  );
}

// A number that matters, with what it means.
export function metric(
  value: string,
  label: string,
  state: 'good' | 'bad' | 'plain' = 'plain',
  title = '',
): HTMLElement {
  return h('div', { class: `g-metric g-metric-${state}`, title }, h('b', {}, value), h('span', {}, label));
}

export function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}

// Controls that go through `count` equal parts: a slider, and buttons to the neighbours. `text` says which part is
// shown.
export function stepper(
  name: string,
  at: number,
  count: number,
  text: HTMLElement,
  onStep: (at: number) => void,
): HTMLElement[] {
  const go = (to: number) => onStep((to + count) % count);
  return [
    h('span', { class: 'g-field-label' }, name),
    iconButton('left', `Previous ${name.toLowerCase()}`, () => go(at - 1)),
    h('input', {
      type: 'range',
      min: '0',
      max: String(count - 1),
      value: String(at),
      attributes: { 'aria-label': name, 'aria-valuetext': text.textContent },
      on: { input: (event) => go(Number((event.target as HTMLInputElement).value)) },
    }),
    iconButton('right', `Next ${name.toLowerCase()}`, () => go(at + 1)),
    text,
  ];
}
