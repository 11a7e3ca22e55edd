import { getMember } from '../../model/object.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

export const LABEL_PREFIX = 'pod-security.kubernetes.io/';
const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
const MODES = ['enforce', 'audit', 'warn'] as const;
/** The newest minor version with rules; later versions mean the same. */
const NEWEST = 32;
const LATEST = 'latest';

export type Level = (typeof LEVELS)[number];
export type Mode = (typeof MODES)[number];

/** A level with the version of its rules. */
export interface LevelVersion {
  readonly level: Level;
  /** Minor version of the rules. */
  readonly minor: number;
  /** `latest`, or `v1.x` as it was given. */
  readonly version: string;
  /** Formatted: `baseline:latest`. */
  readonly text: string;
}
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/**
 * Parses the policy in a namespace's labels, with errors. An invalid enforce level means `restricted`; an
 * invalid audit or warn level has no effect. Without a warn level the enforce level is used for warnings.
 */
export function policyOf(labels: Readonly<Record<string, string>> = {}): {
  readonly policy: Policy;
  readonly errors: FieldError[];
} {
  const errors: FieldError[] = [];
  const levelFor = (mode: Mode): Level | undefined => {
    const given = label(labels, mode);
    if (given === undefined) return undefined;
    const known = LEVELS.find((one) => one === given);
    if (known === undefined) errors.push(invalid(field(mode), given, `must be one of ${LEVELS.join(', ')}`));
    return known ?? (mode === 'enforce' ? 'restricted' : 'privileged');
  };
  const versionFor = (mode: Mode): string | undefined => {
    const given = label(labels, `${mode}-version`);
    if (given === undefined || given === LATEST || minorOf(given) !== undefined) return given;
    errors.push(invalid(field(`${mode}-version`), given, 'must be "latest" or "v1.x"'));
    return LATEST;
  };
  const read = (mode: Mode): Given => ({ level: levelFor(mode), version: versionFor(mode) });
  const [enforce, audit, warn] = [read('enforce'), read('audit'), read('warn')];
  const isKnown = label(labels, 'enforce') === enforce.level;
  const follows =
    warn.level === undefined && isKnown && enforce.level !== undefined && enforce.level !== 'privileged';
  return {
    policy: {
      enforce: levelVersion(enforce),
      audit: levelVersion(audit),
      warn: levelVersion(follows ? { level: enforce.level, version: warn.version ?? enforce.version } : warn),
    },
    errors,
  };
}

/** The labels of a mode. */
interface Given {
  readonly level: Level | undefined;
  readonly version: string | undefined;
}

function levelVersion({ level = 'privileged', version = LATEST }: Given): LevelVersion {
  return { level, version, minor: Math.min(minorOf(version) ?? NEWEST, NEWEST), text: `${level}:${version}` };
}

/** Whether nothing is enforced, audited or warned about. */
export const isFullyPrivileged = (policy: Policy): boolean =>
  MODES.every((mode) => policy[mode].level === 'privileged');

const field = (name: string): string => `metadata.labels[${LABEL_PREFIX}${name}]`;
const minorOf = (version: string): number | undefined =>
  /^v1\.(0|[1-9]\d{0,5})$/.test(version) ? Number(version.slice(3)) : undefined;

function label(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  const value = getMember(labels, LABEL_PREFIX + name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Whether a level may reject pods that the previous one allowed: it is stricter or has another version.
 */
export const isStricter = (next: LevelVersion, previous: LevelVersion): boolean =>
  next.level !== 'privileged' &&
  (next.version !== previous.version || LEVELS.indexOf(next.level) > LEVELS.indexOf(previous.level));
