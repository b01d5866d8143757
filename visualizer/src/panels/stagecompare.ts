// The menu of the IR explorer that chooses what the IR is compared with.
import { tellApart } from '../model/labels.ts';
import type { SpecializationInfo, StageIRResult } from '../protocol.ts';
import { select, setOptions } from '../ui/dom.ts';

// Another stage, another specialization, or the IR before the selected pass. Null if there is nothing to compare with.
export type Comparand = { kind: 'stage' | 'specialization'; id: string } | { kind: 'pass' } | null;

const beforePass = 'pass:before';

export class StageCompare {
  readonly element: HTMLSelectElement;
  private value = '';

  constructor(onChoose: () => void) {
    this.element = select('Compare with', [{ value: '', text: 'no comparison' }], '', (value) => {
      this.value = value;
      onChoose();
    });
    this.element.title = 'Compare with another stage or specialization; numbers of values and registers are ignored';
  }

  // A text that differs whenever the choice does.
  get key(): string {
    return this.value;
  }

  get comparand(): Comparand {
    if (!this.value) return null;
    if (this.value === beforePass) return { kind: 'pass' };
    const colon = this.value.indexOf(':');
    return { kind: this.value.slice(0, colon) as 'stage' | 'specialization', id: this.value.slice(colon + 1) };
  }

  // After a pass was chosen, its effect is shown. `pass` is '' for none.
  followPass(pass: string): void {
    this.value = pass ? beforePass : this.value === beforePass ? '' : this.value;
  }

  // A stage is not compared with itself.
  leaveStage(stage: string): void {
    if (this.value === `stage:${stage}`) this.value = '';
  }

  fill(
    stages: StageIRResult['stages'],
    stage: string,
    specializations: readonly SpecializationInfo[],
    pass: string,
  ): void {
    const labels = tellApart(specializations.map((s) => s.label));
    const options = [
      { value: '', text: 'no comparison' },
      ...(pass ? [{ value: beforePass, text: 'before the pass' }] : []),
      ...stages
        .filter((s) => s.id !== stage)
        .map((s) => ({ value: `stage:${s.id}`, text: `${s.id}: ${s.title}`, group: 'another stage' })),
      ...specializations
        .map((s, i) => ({
          value: `specialization:${s.id}`,
          text: labels[i]!,
          group: 'another specialization',
          selected: s.selected,
        }))
        .filter((s) => !s.selected),
    ];
    if (!options.some((o) => o.value === this.value)) this.value = '';
    setOptions(this.element, options, this.value);
  }
}
