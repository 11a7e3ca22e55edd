import { GATES_A_TO_C } from './gates/gates-a-to-c.ts';
import { GATES_D_TO_L } from './gates/gates-d-to-l.ts';
import { GATES_M_TO_Z } from './gates/gates-m-to-z.ts';
import { hasReached, isAlive, type Life, type Minor } from './life.ts';

/**
 * The feature gates of every release, as `1.27:alpha- 1.30:beta+ 1.33:GA+!`: from each release on a stage, whether
 * the gate is on (`+`) or off (`-`) by default, and whether it is locked (`!`). Stages are not monotonic: a gate can
 * be turned off again. The first release that has the gate is that of its first stage, unless `since` names it; the
 * last one is the release before `until`. Gates without `since` whose first stage is older than all known releases
 * exist in all of them.
 */
const GATES = { ...GATES_A_TO_C, ...GATES_D_TO_L, ...GATES_M_TO_Z };

/** The feature gates of every release. */
export type FeatureGate = keyof typeof GATES;
export const FEATURE_GATES = Object.keys(GATES).sort() as readonly FeatureGate[];

export interface GateSpecification {
  readonly stage: 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';
  readonly enabled: boolean;
  /** Cannot be changed. */
  readonly locked: boolean;
}

/** A feature gate of one release. */
export interface KnownGate extends GateSpecification {
  /** The stages of the gate in this release and those before, the oldest first. */
  readonly history: readonly GateStage[];
}

interface GateStage extends GateSpecification {
  /** Whether the stage was reached in a release, or in one before it. */
  isReached(minor: Minor): boolean;
}

/** Parses `1.33:GA+!`. */
function parseStage(text: string): GateStage {
  const [version, state] = text.split(':') as [string, string];
  const [, stage, onOff, locked] = /^(\w+)([+-])(!?)$/.exec(state)!;
  return {
    stage: stage!.toUpperCase() as GateSpecification['stage'],
    enabled: onOff === '+',
    locked: locked === '!',
    isReached: (minor) => hasReached(minor, version),
  };
}

interface GateDeclaration {
  readonly name: FeatureGate;
  readonly life: Life;
  readonly stages: readonly GateStage[];
}

function parseGate([name, text]: [string, string]): GateDeclaration {
  const marks = new Map<string, string>();
  const stages: GateStage[] = [];
  for (const word of text.split(' ')) {
    const equals = word.indexOf('=');
    if (equals < 0) stages.push(parseStage(word));
    else marks.set(word.slice(0, equals), word.slice(equals + 1));
  }
  const life = { since: marks.get('since'), until: marks.get('until') } as Life;
  return { name: name as FeatureGate, life, stages };
}

let parsed: readonly GateDeclaration[] | undefined;

function declared(): readonly GateDeclaration[] {
  parsed ??= Object.entries(GATES).map(parseGate);
  return parsed;
}

/** The stage of a gate in a release; undefined for a release that is older than all of its stages. */
export const stageIn = (stages: readonly GateStage[], minor: Minor): GateSpecification | undefined =>
  stages.findLast((stage) => stage.isReached(minor));

/** Whether what a gate switched on is there in a release that no longer has the gate, by name. */
export function goneGatesOf(minor: Minor): ReadonlyMap<string, boolean> {
  const isGone = ({ life: { until } }: GateDeclaration): boolean =>
    until !== undefined && !isAlive({ until }, minor);
  return new Map(
    declared()
      .filter(isGone)
      .map(({ name, stages }) => [name, stages.at(-1)!.enabled] as const),
  );
}

/** The feature gates of a release by name, sorted. */
export function gatesOf(minor: Minor): ReadonlyMap<string, KnownGate> {
  const gates = new Map<string, KnownGate>();
  for (const { name, life, stages } of declared()) {
    const current = isAlive(life, minor) ? stageIn(stages, minor) : undefined;
    if (current === undefined) continue;
    const { stage, enabled, locked } = current;
    gates.set(name, { stage, enabled, locked, history: stages.filter((one) => one.isReached(minor)) });
  }
  return gates;
}
