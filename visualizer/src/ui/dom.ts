// The few DOM helpers used by the panels. Text is always inserted as a text node, whatever it contains.
type Child = Node | string | null | undefined | false;
type Props<K extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[K], 'style' | 'dataset' | 'attributes' | 'className'>
> & {
  class?: string;
  attributes?: Record<string, string>;
  on?: { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
};

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props<K> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: className, attributes, on, ...rest } = props;
  if (className) element.className = className;
  Object.assign(element, rest);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  for (const [name, handler] of Object.entries(on ?? {})) element.addEventListener(name, handler as EventListener);
  append(element, ...children);
  return element;
}

export function append(parent: Node, ...children: Child[]): void {
  for (const child of children)
    if (child || child === '') parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((c): c is Node | string => Boolean(c) || c === ''));
}

// A select with its options; `onChange` gets the value.
export function select<T extends string>(
  label: string,
  options: readonly { value: T; text: string; group?: string }[],
  value: T,
  onChange: (value: T) => void,
): HTMLSelectElement {
  const element = h('select', {
    attributes: { 'aria-label': label },
    title: label,
    on: { change: () => onChange(element.value as T) },
  });
  setOptions(element, options, value);
  return element;
}
export function setOptions(
  element: HTMLSelectElement,
  options: readonly { value: string; text: string; group?: string }[],
  value: string,
): void {
  const groups = new Map<string, HTMLOptGroupElement>();
  element.replaceChildren();
  for (const option of options) {
    const child = h('option', { value: option.value }, option.text);
    if (!option.group) {
      element.append(child);
      continue;
    }
    let group = groups.get(option.group);
    if (!group) {
      group = h('optgroup', { label: option.group });
      groups.set(option.group, group);
      element.append(group);
    }
    group.append(child);
  }
  element.value = value;
}

// A row of buttons of which one is pressed.
export function segmented<T extends string>(
  label: string,
  options: readonly { value: T; text: string }[],
  value: T,
  onChange: (value: T) => void,
): HTMLElement & { set(options: readonly { value: T; text: string }[], value: T): void } {
  const group = h('div', { class: 'g-segmented', attributes: { role: 'radiogroup', 'aria-label': label } });
  const set = (list: readonly { value: T; text: string }[], chosen: T) => {
    const buttons = list.map((option) =>
      h(
        'button',
        {
          type: 'button',
          attributes: {
            role: 'radio',
            'aria-checked': String(option.value === chosen),
            tabindex: option.value === chosen ? '0' : '-1',
            'data-value': option.value,
          },
          on: {
            click: () => choose(option.value),
            keydown: (event) => {
              const step =
                event.key === 'ArrowRight' || event.key === 'ArrowDown'
                  ? 1
                  : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
                    ? -1
                    : 0;
              if (!step) return;
              event.preventDefault();
              const next = list[(list.indexOf(option) + step + list.length) % list.length]!;
              choose(next.value);
              group.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus();
            },
          },
        },
        option.text,
      ),
    );
    group.replaceChildren(...buttons);
    const choose = (next: T) => {
      set(list, next);
      onChange(next);
    };
  };
  set(options, value);
  return Object.assign(group, { set });
}

export function icon(name: keyof typeof icons): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('width', '16');
  svg.setAttribute('height', '16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[name]);
  path.setAttribute('fill', 'none');
  path.setAttribute('stroke', 'currentColor');
  path.setAttribute('stroke-width', '1.4');
  path.setAttribute('stroke-linecap', 'round');
  path.setAttribute('stroke-linejoin', 'round');
  svg.append(path);
  return svg;
}
const icons = {
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  fit: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  left: 'M10 3 5 8l5 5',
  right: 'M6 3l5 5-5 5',
  down: 'M3 6l5 5 5-5',
} as const;
export function iconButton(name: keyof typeof icons, label: string, onClick: () => void): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'g-icon', title: label, attributes: { 'aria-label': label }, on: { click: onClick } },
    icon(name),
  );
}
