import { crowdedSituation } from './crowded.ts';
import { deviceSituation } from './devices.ts';
import { randomSituation } from './generate.ts';
import type { Situation } from './situation.ts';
import { volumeSituation } from './volumes.ts';

/** Kinds of random situations, each made from a seed, and the gates that they need. */
export const SITUATIONS: Readonly<
  Record<string, { readonly generate: (seed: number) => Situation; readonly gates: readonly string[] }>
> = {
  general: { generate: randomSituation, gates: [] },
  crowded: { generate: crowdedSituation, gates: [] },
  volumes: { generate: volumeSituation, gates: [] },
  devices: { generate: deviceSituation, gates: ['DynamicResourceAllocation'] },
};
