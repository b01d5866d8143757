// A line above the editor with information about the file in it, and possible actions.
import { h, replace } from '../ui/dom.ts';

export interface Notice {
  text: string;
  actions: { label: string; title?: string; run: () => void }[];
  onDismiss?: () => void;
}

export class NoticeBar {
  readonly element = h('div', { class: 'p-notice', hidden: true, attributes: { role: 'alert' } });
  private shown = '';

  // Null hides the line. The keyboard stays where it is, unless focus() is called.
  show(notice: Notice | null): void {
    const key = notice ? notice.text + notice.actions.map((a) => a.label).join() : '';
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = !notice;
    replace(
      this.element,
      ...(notice
        ? [
            h('span', { class: 'p-notice-text' }, notice.text),
            ...notice.actions.map(({ label, title, run }) =>
              h('button', { type: 'button', class: 'g-button', title: title ?? label, on: { click: run } }, label),
            ),
            notice.onDismiss
              ? h(
                  'button',
                  {
                    type: 'button',
                    class: 'p-notice-close',
                    title: 'Dismiss',
                    attributes: { 'aria-label': 'Dismiss' },
                    on: { click: notice.onDismiss },
                  },
                  '×',
                )
              : null,
          ].filter((each) => each !== null)
        : []),
    );
  }
  focus(): void {
    this.element.querySelector<HTMLElement>('button')?.focus();
  }
}
