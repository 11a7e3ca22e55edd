import { aggregate } from '../errors/aggregate.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { type FeatureGate, type GateSpecification, stageIn } from '../model/feature-gates.ts';
import type { Minor } from '../model/life.ts';
import type { Scheme } from '../model/scheme.ts';
import { parseBoolean } from './flags/forms.ts';

const STAGE_WIDE = new Set(['AllAlpha', 'AllBeta']);

/** The values of all feature gates for one server. */
export interface FeatureGates {
  enabled(gate: FeatureGate): boolean;
  /**
   * {@link enabled} for parts that may not import the names of the gates. Of a gate that the release no longer has,
   * whether what it switched on is there; false for an unknown one.
   */
  readonly isOn: (gate: string) => boolean;
  /** Every gate with its value, for metrics and logs. */
  readonly all: ReadonlyMap<string, boolean>;
  readonly warnings: readonly string[];
}

/**
 * Parses `--feature-gates`: `Gate=true` or `kube:Gate=true`. `AllAlpha` and `AllBeta` set every gate of the
 * stage that is not set itself.
 * @param scheme the release with its gates
 * @param emulated the release whose stages and defaults the gates have
 * @throws ConfigurationError for unknown and locked gates and invalid values
 */
export function readFeatureGates(
  entries: readonly string[],
  { gates, goneGates, minor }: Pick<Scheme, 'gates' | 'goneGates' | 'minor'>,
  emulated: Minor = minor,
): FeatureGates {
  const specifications = emulatedGates(gates, emulated);
  const requested = new Map<string, boolean>();
  rejectMixedPrefixes(entries);
  for (const entry of entries) {
    // `kube:` names no gate.
    if (/^(kube)?:$/.test(entry)) continue;
    const equals = entry.indexOf('=');
    const gate = componentGate(equals < 0 ? entry : entry.slice(0, equals).trim());
    if (equals < 0) throw new ConfigurationError(`missing bool value for ${gate}`);
    const text = entry.slice(equals + 1).trim();
    try {
      requested.set(gate, parseBoolean(text));
    } catch (error) {
      throw new ConfigurationError(`invalid value of ${gate}=${text}, err: ${(error as Error).message}`);
    }
  }

  const problems: string[] = [];
  const warnings: string[] = [];
  for (const [gate, value] of requested) {
    const known = specifications.get(gate);
    if (known === undefined && gates.has(gate)) {
      problems.push(
        `cannot set feature gate ${gate} to ${value}, feature is PreAlpha at emulated version ${emulated}`,
      );
      continue;
    }
    if (known === undefined) {
      problems.push(`unrecognized feature gate: ${gate}`);
      break;
    }
    if (known.locked && known.enabled !== value)
      problems.push(`cannot set feature gate ${gate} to ${value}, feature is locked to ${known.enabled}`);
    else if (known.stage === 'GA' || known.stage === 'DEPRECATED') {
      warnings.push(
        `Setting ${known.stage === 'GA' ? 'GA' : 'deprecated'} feature gate ${gate}=${value}. It will be removed in a future release.`,
      );
    }
  }
  if (problems.length > 0) throw new ConfigurationError(aggregate(problems));

  const stageWide = {
    ALPHA: requested.get('AllAlpha'),
    BETA: requested.get('AllBeta'),
    GA: undefined,
    DEPRECATED: undefined,
  };
  const all = new Map(
    [...specifications].map(([gate, { stage, enabled }]) => [
      gate,
      requested.get(gate) ?? (STAGE_WIDE.has(gate) ? undefined : stageWide[stage]) ?? enabled,
    ]),
  );
  const isOn = (gate: string): boolean => all.get(gate) ?? goneGates.get(gate) ?? false;
  return { all, warnings, enabled: isOn, isOn };
}

/** The gates with the stages that they have in a release, without those that came later. */
function emulatedGates(gates: Scheme['gates'], emulated: Minor): Map<string, GateSpecification> {
  const emulation = new Map<string, GateSpecification>();
  for (const [gate, { history }] of gates) {
    const stage = stageIn(history, emulated);
    if (stage !== undefined) emulation.set(gate, stage);
  }
  return emulation;
}

/** Gates are named with the component `kube:` throughout, or without. */
function rejectMixedPrefixes(entries: readonly string[]): void {
  const prefixed = entries.filter((entry) => entry.startsWith('kube:')).length;
  if (prefixed > 0 && prefixed < entries.length)
    throw new ConfigurationError(
      'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
    );
}

function componentGate(name: string): string {
  const colon = name.indexOf(':');
  if (colon < 0) return name;
  const component = name.slice(0, colon);
  if (component !== 'kube' && component !== '')
    throw new ConfigurationError(`component not registered: ${component}`);
  return name.slice(colon + 1);
}
