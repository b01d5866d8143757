// When a crashed server is started again: soon at first, then later and later, and finally not at all.
//
// Pure; times are milliseconds of any monotonic clock.

export interface BackoffPolicy {
  // Delay before the n-th restart in a row (the last one repeats).
  delays: readonly number[];
  // This many deaths within `window` are one too many.
  limit: number;
  window: number;
}

export const defaultPolicy: BackoffPolicy = { delays: [200, 1_000, 4_000, 10_000, 30_000], limit: 5, window: 180_000 };

export class Backoff {
  private deaths: number[] = [];

  constructor(private readonly policy: BackoffPolicy = defaultPolicy) {}

  // Notes a death, and returns how long to wait before the next start, or undefined if it died too often.
  died(now: number): number | undefined {
    this.deaths = this.deaths.filter((time) => now - time < this.policy.window);
    this.deaths.push(now);
    if (this.deaths.length >= this.policy.limit) return undefined;
    const { delays } = this.policy;
    return delays[Math.min(this.deaths.length, delays.length) - 1];
  }

  // The user requested a restart, so earlier crashes no longer count.
  forget(): void {
    this.deaths = [];
  }
}
