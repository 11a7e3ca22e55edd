import { getMember } from '../../model/object.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

export const LABEL_PREFIX = 'pod-security.kubernetes.io/';
const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
const MODES = ['enforce', 'audit', 'warn'] as const;
/** The release whose rules the newest are: later ones mean the same. */
const NEWEST = 32;

export type Level = (typeof LEVELS)[number];
export type Mode = (typeof MODES)[number];

/** What pods have to keep to: a level as a release of Kubernetes understood it. */
export interface LevelVersion {
  readonly level: Level;
  /** Minor version of the rules. */
  readonly minor: number;
  /** As it is shown: `baseline:latest`. */
  readonly text: string;
}
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** The policy in a namespace's labels, and what is wrong with them. A level that nobody can read is the strictest. */
export function policyOf(labels: Readonly<Record<string, string>> = {}): { readonly policy: Policy; readonly faults: FieldError[] } {
  const faults: FieldError[] = [];
  const read = (mode: Mode): LevelVersion => {
    const level = label(labels, mode);
    const version = label(labels, `${mode}-version`);
    const known = LEVELS.find((one) => one === level);
    if (level !== undefined && known === undefined) faults.push(invalid(field(mode), level, `must be one of ${LEVELS.join(', ')}`));
    const minor = version === undefined || version === 'latest' ? NEWEST : minorOf(version);
    if (minor === undefined) faults.push(invalid(field(`${mode}-version`), version, 'must be "latest" or "v1.x"'));
    // Only enforcement is worth being strict when in doubt.
    const fallback: Level = level !== undefined && mode === 'enforce' ? 'restricted' : 'privileged';
    const shown = known ?? fallback;
    return { level: shown, minor: Math.min(minor ?? NEWEST, NEWEST), text: `${shown}:${version !== undefined && minor !== undefined ? version : 'latest'}` };
  };
  return { policy: { enforce: read('enforce'), audit: read('audit'), warn: read('warn') }, faults };
}

const field = (name: string): string => `metadata.labels[${LABEL_PREFIX}${name}]`;
const minorOf = (version: string): number | undefined => (/^v1\.(0|[1-9]\d{0,5})$/.test(version) ? Number(version.slice(3)) : undefined);

function label(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  const value = getMember(labels, LABEL_PREFIX + name);
  return typeof value === 'string' ? value : undefined;
}

/** Whether a policy forbids what the other allowed. */
export const isStricter = (next: LevelVersion, previous: LevelVersion): boolean =>
  next.level !== 'privileged' &&
  (LEVELS.indexOf(next.level) > LEVELS.indexOf(previous.level) || (next.level === previous.level && next.minor !== previous.minor));
