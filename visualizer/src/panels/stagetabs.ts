// The tabs of the IR explorer: one for each stage of the kernel's target.
import type { StageIRResult } from '../protocol.ts';
import { h, replace } from '../ui/dom.ts';

type Stage = StageIRResult['stages'][number];

export class StageTabs {
  readonly element = h('div', {
    class: 'g-tabs g-stage-tabs',
    attributes: { role: 'tablist', 'aria-label': 'Stages' },
  });

  constructor(private readonly onChoose: (stage: string) => void) {}

  // `failed` is the first stage that cannot be generated.
  draw(stages: readonly Stage[], chosen: string, failed: string | null): void {
    replace(
      this.element,
      ...stages.map((stage) =>
        h(
          'button',
          {
            type: 'button',
            class: `g-tab${stage.id === chosen ? ' g-on' : ''}${stage.id === failed ? ' g-tab-failed' : ''}`,
            title: stage.id === failed ? `${stage.title}: cannot be generated` : stage.title,
            attributes: {
              role: 'tab',
              'aria-selected': String(stage.id === chosen),
              'data-stage': stage.id,
              tabindex: stage.id === chosen ? '0' : '-1',
            },
            on: {
              click: () => this.onChoose(stage.id),
              keydown: (event) => {
                const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
                const next = stages[(stages.indexOf(stage) + step + stages.length) % stages.length];
                if (step && next) {
                  event.preventDefault();
                  this.onChoose(next.id);
                }
              },
            },
          },
          stage.id,
        ),
      ),
    );
  }
}
