// The controls of the playground's form: numbers, orders, flags, choices, and text for everything else.
import type { Field } from '../model/layouts.ts';
import { parsePython, printPython, type Py } from '../model/python.ts';
import { h, iconButton, select } from '../ui/dom.ts';

// The control that edits one parameter of a layout.
export function fieldControl(field: Field, value: Py, change: (value: Py) => void): HTMLElement {
  const label = field.name;
  switch (field.kind) {
    case 'powers':
      if (Array.isArray(value) && value.every((v) => typeof v === 'number'))
        return numbersControl(label, value, change);
      break;
    case 'order':
      if (Array.isArray(value) && value.every((v) => typeof v === 'number')) return orderControl(label, value, change);
      break;
    case 'power':
    case 'integer':
      if (typeof value === 'number')
        return numbersControl(label, [value], ([v]) => change(v!), field.kind === 'integer');
      break;
    case 'flag':
      return h('input', {
        type: 'checkbox',
        checked: value === true,
        attributes: { 'aria-label': label, 'data-key': label },
        on: { change: (event) => change((event.target as HTMLInputElement).checked) },
      });
    case 'choice':
      return select(label, withCurrent(field.choices!.map(String), printPython(value)), printPython(value), (v) =>
        change(Number(v)),
      );
    default:
  }
  return h('input', {
    type: 'text',
    value: printPython(value),
    spellcheck: false,
    attributes: { 'aria-label': label, 'data-key': label },
    on: {
      input: (event) => {
        const input = event.target as HTMLInputElement;
        try {
          change(parsePython(input.value));
          input.removeAttribute('aria-invalid');
        } catch {
          input.setAttribute('aria-invalid', 'true');
        }
      },
    },
  });
}

// Numbers with buttons that double and halve them, or count up and down for plain integers.
export function numbersControl(
  label: string,
  values: readonly number[],
  change: (values: number[]) => void,
  counts = false,
): HTMLElement {
  const current = [...values];
  const set = (i: number, value: number) => {
    if (!Number.isInteger(value) || value < (counts ? 0 : 1) || value > 1 << 20) return;
    current[i] = value;
    inputs[i]!.value = String(value);
    change([...current]);
  };
  const step = (i: number, up: boolean) =>
    set(i, counts ? current[i]! + (up ? 1 : -1) : up ? current[i]! * 2 : Math.floor(current[i]! / 2));
  const inputs = current.map((value, i) =>
    h('input', {
      type: 'text',
      inputMode: 'numeric',
      value: String(value),
      attributes: {
        'aria-label': current.length > 1 ? `${label}, dimension ${i}` : label,
        role: 'spinbutton',
        'aria-valuenow': String(value),
        'data-key': `${label}.${i}`,
      },
      on: {
        change: (event) => set(i, Number((event.target as HTMLInputElement).value)),
        keydown: (event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          step(i, event.key === 'ArrowUp');
        },
      },
    }),
  );
  return h(
    'span',
    { class: 'g-vector' },
    ...inputs.map((input, i) =>
      h(
        'span',
        { class: 'g-number' },
        iconButton('minus', `Less ${label}${current.length > 1 ? `, dimension ${i}` : ''}`, () => step(i, false)),
        input,
        iconButton('plus', `More ${label}${current.length > 1 ? `, dimension ${i}` : ''}`, () => step(i, true)),
      ),
    ),
  );
}

// A menu with all orders of the dimensions.
function orderControl(label: string, values: readonly number[], change: (values: number[]) => void): HTMLElement {
  if (values.length < 2) return h('code', {}, printPython([...values]));
  const all = permutations(values.length);
  return select(
    label,
    all.map((p) => ({ value: p.join(), text: `[${p.join(', ')}]` })),
    values.join(),
    (v) => change(v.split(',').map(Number)),
  );
}

function permutations(n: number): number[][] {
  if (n > 4) return [Array.from({ length: n }, (_, i) => n - 1 - i)];
  const result: number[][] = [];
  const build = (rest: number[], made: number[]) => {
    if (!rest.length) result.push(made);
    for (const each of rest)
      build(
        rest.filter((r) => r !== each),
        [...made, each],
      );
  };
  build(
    Array.from({ length: n }, (_, i) => n - 1 - i),
    [],
  );
  return result;
}

// The options of a menu, with the current value if it is another.
export function withCurrent(values: readonly string[], current: string): { value: string; text: string }[] {
  return (values.includes(current) ? values : [current, ...values]).map((value) => ({ value, text: value }));
}
