import {
  ALPHA_OFF,
  ALPHA_ON,
  BETA_OFF,
  BETA_ON,
  DEPRECATED_OFF,
  GENERAL,
  LOCKED_OFF,
  LOCKED_ON,
} from './feature-gate-table.ts';

/** The feature gates of every release. */
export type FeatureGate =
  | (typeof ALPHA_OFF)[number]
  | (typeof ALPHA_ON)[number]
  | (typeof BETA_OFF)[number]
  | (typeof BETA_ON)[number]
  | (typeof GENERAL)[number]
  | (typeof LOCKED_ON)[number]
  | (typeof DEPRECATED_OFF)[number]
  | (typeof LOCKED_OFF)[number];

export interface GateSpecification {
  readonly stage: 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';
  readonly enabled: boolean;
  /** Cannot be changed. */
  readonly locked: boolean;
}

const group = (
  gates: readonly FeatureGate[],
  stage: GateSpecification['stage'],
  enabled: boolean,
  locked = false,
) => gates.map((gate): [FeatureGate, GateSpecification] => [gate, { stage, enabled, locked }]);

/** The feature gates of release 1.32 by name. */
export const GATES_OF_1_32: ReadonlyMap<string, GateSpecification> = new Map(
  [
    ...group(ALPHA_OFF, 'ALPHA', false),
    ...group(ALPHA_ON, 'ALPHA', true),
    ...group(BETA_OFF, 'BETA', false),
    ...group(BETA_ON, 'BETA', true),
    ...group(GENERAL, 'GA', true),
    ...group(LOCKED_ON, 'GA', true, true),
    ...group(DEPRECATED_OFF, 'DEPRECATED', false),
    ...group(LOCKED_OFF, 'DEPRECATED', false, true),
  ].sort(([left], [right]) => (left < right ? -1 : 1)),
);
