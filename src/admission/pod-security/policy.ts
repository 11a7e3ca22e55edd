import { getMember } from '../../model/object.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

export const LABEL_PREFIX = 'pod-security.kubernetes.io/';
const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
const MODES = ['enforce', 'audit', 'warn'] as const;
const LATEST = 'latest';
const LEVEL_TEXT = `must be one of ${LEVELS.join(', ')}`;
const VERSION_TEXT = 'must be "latest" or "v1.x"';

export type Level = (typeof LEVELS)[number];
export type Mode = (typeof MODES)[number];

/** A level with the version of its rules. */
export interface LevelVersion {
  readonly level: Level;
  /** Minor version of the rules; infinite for the latest. */
  readonly minor: number;
  /** `latest`, or `v1.x` as it was given. */
  readonly version: string;
  /** Formatted: `baseline:latest`. */
  readonly text: string;
}
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** A policy that allows everything. */
const PRIVILEGED: Policy = {
  enforce: levelVersion('privileged', LATEST),
  audit: levelVersion('privileged', LATEST),
  warn: levelVersion('privileged', LATEST),
};

/** The levels and versions of a configuration document: `enforce`, `enforce-version`, `audit` … */
export type PolicyDefaults = Readonly<Partial<Record<Mode | `${Mode}-version`, string>>>;

/**
 * Parses the policy for namespaces without labels. An absent or empty level means `privileged`.
 * @returns also the errors, each with the name of the member
 */
export function defaultPolicy(given: PolicyDefaults = {}): {
  readonly policy: Policy;
  readonly errors: readonly string[];
} {
  const errors: string[] = [];
  const read = (mode: Mode): LevelVersion => {
    const level = given[mode] || 'privileged';
    const version = given[`${mode}-version`] || LATEST;
    if (!isLevel(level)) errors.push(`${mode}: ${LEVEL_TEXT}`);
    if (!isVersion(version)) errors.push(`${mode}-version: ${VERSION_TEXT}`);
    return levelVersion(isLevel(level) ? level : 'restricted', isVersion(version) ? version : LATEST);
  };
  return { policy: { enforce: read('enforce'), audit: read('audit'), warn: read('warn') }, errors };
}

/**
 * Parses the policy in a namespace's labels, with errors. An invalid enforce level means `restricted`; an
 * invalid audit or warn level has no effect. Without a warn level a stricter enforce level is used for
 * warnings.
 * @param defaults what applies without labels
 */
export function policyOf(
  labels: Readonly<Record<string, string>> = {},
  defaults: Policy = PRIVILEGED,
): { readonly policy: Policy; readonly errors: FieldError[] } {
  const errors: FieldError[] = [];
  const levelFor = (mode: Mode): Level | undefined => {
    const given = label(labels, mode);
    if (given === undefined || isLevel(given)) return given;
    errors.push(invalid(field(mode), given, LEVEL_TEXT));
    return mode === 'enforce' ? 'restricted' : 'privileged';
  };
  const versionFor = (mode: Mode): string | undefined => {
    const given = label(labels, `${mode}-version`);
    if (given === undefined || isVersion(given)) return given;
    errors.push(invalid(field(`${mode}-version`), given, VERSION_TEXT));
    return LATEST;
  };
  const read = (mode: Mode) => ({ level: levelFor(mode), version: versionFor(mode) });
  const [enforceLabels, auditLabels, warnLabels] = [read('enforce'), read('audit'), read('warn')];
  const merge = (mode: Mode, { level, version }: ReturnType<typeof read>): LevelVersion =>
    level === undefined && version === undefined
      ? defaults[mode]
      : levelVersion(level ?? defaults[mode].level, version ?? defaults[mode].version);
  const enforce = merge('enforce', enforceLabels);
  const follows =
    warnLabels.level === undefined &&
    label(labels, 'enforce') === enforce.level &&
    LEVELS.indexOf(enforce.level) > LEVELS.indexOf(defaults.warn.level);
  return {
    policy: {
      enforce,
      audit: merge('audit', auditLabels),
      warn: follows
        ? levelVersion(enforce.level, warnLabels.version ?? enforce.version)
        : merge('warn', warnLabels),
    },
    errors,
  };
}

function levelVersion(level: Level, version: string): LevelVersion {
  return { level, version, minor: minorOf(version) ?? Number.POSITIVE_INFINITY, text: `${level}:${version}` };
}

/** Whether nothing is enforced, audited or warned about. */
export const isFullyPrivileged = (policy: Policy): boolean =>
  MODES.every((mode) => policy[mode].level === 'privileged');

/** Whether two policies have the same effect. The version of `privileged` does not matter. */
export const isSamePolicy = (one: Policy, other: Policy): boolean =>
  MODES.every(
    (mode) =>
      one[mode].text === other[mode].text ||
      (one[mode].level === 'privileged' && other[mode].level === 'privileged'),
  );

/** Formats the modes that labels set, as `enforce=baseline:latest, …`, without privileged ones. */
export const formatLabelled = (policy: Policy, labels: Readonly<Record<string, string>> = {}): string =>
  MODES.filter(
    (mode) =>
      policy[mode].level !== 'privileged' &&
      (label(labels, mode) ?? label(labels, `${mode}-version`)) !== undefined,
  )
    .map((mode) => `${mode}=${policy[mode].text}`)
    .join(', ');

const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);
const isVersion = (text: string): boolean => text === LATEST || minorOf(text) !== undefined;
const field = (name: string): string => `metadata.labels[${LABEL_PREFIX}${name}]`;

function minorOf(version: string): number | undefined {
  return /^v1\.(0|[1-9]\d{0,5})$/.test(version) ? Number(version.slice(3)) : undefined;
}

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
