// The bar between the editor and the panels. The mouse drags it, the arrow keys move it.
import { h } from '../ui/dom.ts';

export function splitter(): HTMLElement {
  const set = (share: number) => {
    const clamped = Math.min(Math.max(share, 0.2), 0.8);
    document.documentElement.style.setProperty('--p-share', `${clamped}`);
    bar.setAttribute('aria-valuenow', String(Math.round(clamped * 100)));
  };
  const bar = h('div', {
    class: 'p-splitter',
    tabIndex: 0,
    attributes: {
      role: 'separator',
      'aria-orientation': 'vertical',
      'aria-label': 'Width of the editor',
      'aria-valuenow': '46',
    },
  });
  const middle = () => document.querySelector('.p-middle')!.getBoundingClientRect();
  bar.addEventListener('pointerdown', (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const left = middle().left;
    set((event.clientX - left) / (innerWidth - left));
  });
  bar.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowLeft' ? -0.03 : event.key === 'ArrowRight' ? 0.03 : 0;
    if (!step) return;
    event.preventDefault();
    set(middle().width / (innerWidth - middle().left) + step);
  });
  return bar;
}
