import type { Life } from './life.ts';

/** What rules ask about a server: its release and its feature gates. */
export interface RuleContext {
  /** Returns whether the release has something with this life. */
  has(life: Life): boolean;
  /** Returns whether a feature gate is on; of one that the release no longer has, whether what it switched on is there. */
  isOn(gate: string): boolean;
}
