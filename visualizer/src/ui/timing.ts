// Helpers that decide when work is done: only the latest request counts, after a pause, or at once and then after each
// pause.
import { messageOf } from '../model/words.ts';

// Runs requests of which only the latest counts; the results of earlier ones are dropped.
export class Latest {
  private round = 0;
  async run<T>(work: () => Promise<T>, done: (value: T) => void, failed: (message: string) => void): Promise<void> {
    const round = ++this.round;
    try {
      const value = await work();
      if (round === this.round) done(value);
    } catch (error) {
      if (round === this.round) failed(messageOf(error));
    }
  }
}

export function debounce(milliseconds: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

// Calls `work` at once after a pause. While calls keep coming, it is called once more when they stop.
export function promptly(milliseconds: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  return () => {
    if (timer === undefined) work();
    else again = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      if (!again) return;
      again = false;
      work();
    }, milliseconds);
  };
}
