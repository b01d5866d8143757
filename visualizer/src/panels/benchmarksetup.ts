// The setup of a benchmark: the grid and the arguments of the launch, and the values that a sweep tries.
import { splitValues } from '../model/benchmark.ts';
import { plural } from '../model/words.ts';
import type { BenchmarkPlanResult } from '../protocol.ts';
import { h, replace } from '../ui/dom.ts';
import type { Session } from './session.ts';

interface Values {
  axes: { name: string; values: string[] }[];
  arguments: string[];
  grid: string;
}

export class BenchmarkSetup {
  readonly element = h('details', { class: 'g-bench-setup' });
  // The texts that the user typed, by kernel and field.
  private readonly typed = new Map<string, string>();

  constructor(
    private readonly session: Session,
    private readonly onChange: () => void,
  ) {}

  private field(plan: BenchmarkPlanResult, name: string): string {
    return `${this.session.uri}\n${plan.kernel}\n${name}`;
  }

  // The run that the user asks for, without the arguments and the grid that are as in the plan.
  values(plan: BenchmarkPlanResult | null): Values {
    if (!plan) return { axes: [], arguments: [], grid: '' };
    const text = (name: string, standard: string) => this.typed.get(this.field(plan, name)) ?? standard;
    return {
      axes: plan.axes
        .map((axis) => ({
          name: axis.name,
          values: splitValues(text(`axis ${axis.name}`, axis.suggestions.join(axis.value.includes('(') ? '\n' : ', '))),
        }))
        .filter((axis) => axis.values.length),
      arguments: plan.arguments.flatMap((argument) => {
        const given = text(`argument ${argument.name}`, '').trim();
        return given && given !== argument.text ? [`${argument.name}=${given}`] : [];
      }),
      grid: text('grid', '').trim() === plan.grid ? '' : text('grid', '').trim(),
    };
  }

  draw(plan: BenchmarkPlanResult): void {
    const input = (name: string, standard: string, label: string, long = false) => {
      const key = this.field(plan, name);
      const typed = (element: HTMLInputElement | HTMLTextAreaElement) => {
        if (element.value.trim() === '') element.value = standard;
        this.typed.set(key, element.value);
        this.onChange();
      };
      const value = this.typed.get(key) ?? standard;
      return long
        ? h('textarea', {
            value,
            rows: Math.min(6, value.split('\n').length),
            spellcheck: false,
            attributes: { 'aria-label': label },
            on: { change: (event) => typed(event.target as HTMLTextAreaElement) },
          })
        : h('input', {
            type: 'text',
            value,
            spellcheck: false,
            attributes: { 'aria-label': label },
            on: { change: (event) => typed(event.target as HTMLInputElement) },
          });
    };
    const row = (name: string, note: string, control: HTMLElement) =>
      h(
        'tr',
        {},
        h('th', { attributes: { scope: 'row' } }, h('code', {}, name)),
        h('td', { class: 'g-muted' }, note),
        h('td', {}, control),
      );
    const assumed = plan.arguments.filter((argument) => argument.assumed).length;
    replace(
      this.element,
      h(
        'summary',
        {},
        assumed || !plan.grid
          ? `Arguments and sweep: ${plural(assumed + (plan.grid ? 0 : 1), 'value')} assumed`
          : 'Arguments and sweep',
      ),
      h(
        'div',
        { class: 'g-bench-forms' },
        h(
          'table',
          {},
          h('caption', {}, 'Launched with'),
          row('grid', 'programs', input('grid', plan.grid, 'grid')),
          ...plan.arguments.map((argument) =>
            row(
              argument.name,
              `${argument.type}${argument.assumed ? ', assumed' : ''}`,
              input(`argument ${argument.name}`, argument.text, `value of ${argument.name}`),
            ),
          ),
        ),
        h(
          'table',
          {},
          h('caption', {}, 'A sweep tries every combination of'),
          ...plan.axes.map((axis) => {
            const isLayout = axis.value.includes('(');
            return row(
              axis.name,
              isLayout ? 'layouts, one per line' : `now ${axis.value}`,
              input(
                `axis ${axis.name}`,
                axis.suggestions.join(isLayout ? '\n' : ', '),
                `values of ${axis.name}`,
                isLayout,
              ),
            );
          }),
        ),
      ),
    );
  }
}
