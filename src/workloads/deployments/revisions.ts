import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';
import { boundsOf, byAge, wanted } from './replica-sets.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAXIMUM = 'deployment.kubernetes.io/max-replicas';
export const ROLLBACK = 'deprecated.deployment.rollback.rollback-to';

/** Annotations of a Deployment that its ReplicaSets do not get. */
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  HISTORY,
  DESIRED,
  MAXIMUM,
  ROLLBACK,
]);

/** Characters of the history of one ReplicaSet. */
const LONGEST_HISTORY = 2000;

type Annotations = Readonly<Record<string, string>>;

const annotation = ({ metadata }: ReplicaSet | Deployment, name: string): string | undefined => {
  const { annotations } = metadata ?? {};
  return annotations !== undefined && Object.hasOwn(annotations, name) ? annotations[name] : undefined;
};

const integerOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Revisions are whole numbers of 64 bits. */
function revisionIn(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The revision of a ReplicaSet; 0 without one, undefined for an annotation that is no revision. */
export function revisionOf(set: ReplicaSet): bigint | undefined {
  const text = annotation(set, REVISION);
  return text === undefined || text === '' ? 0n : revisionIn(text);
}

/** The revision of a ReplicaSet, for an order. */
const knownRevision = (set: ReplicaSet): bigint => revisionOf(set) ?? 0n;

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

/** The revision that a ReplicaSet gets when it becomes the current one. */
export const nextRevision = (old: readonly ReplicaSet[]): bigint => {
  const [highest = 0n] = [0n, ...old.map(knownRevision)].sort((one, other) => compare(other, one));
  return BigInt.asIntN(64, highest + 1n);
};

/** The second highest revision; 0 if there is none. */
export const previousRevision = (sets: readonly ReplicaSet[]): bigint =>
  sets.map(knownRevision).sort((one, other) => compare(other, one))[1] ?? 0n;

/** The lowest revision first. */
export const byRevision = (one: ReplicaSet, other: ReplicaSet): number =>
  compare(knownRevision(one), knownRevision(other)) || byAge(one, other);

/** The wanted number at the time at which a ReplicaSet was scaled; undefined if it does not say. */
export const desiredReplicas = (set: ReplicaSet): number | undefined => integerOf(annotation(set, DESIRED));

/** The maximum of all Pods at that time. */
export const maximumReplicas = (set: ReplicaSet): number | undefined => integerOf(annotation(set, MAXIMUM));

/** The annotations by which a ReplicaSet says for which number of the Deployment it was scaled. */
export function replicaAnnotations(deployment: Deployment): Annotations {
  const replicas = wanted(deployment);
  return { [DESIRED]: String(replicas), [MAXIMUM]: String(replicas + boundsOf(deployment).surge) };
}

/** Whether the annotations of a ReplicaSet contain others. */
export const hasAnnotations = ({ metadata }: ReplicaSet, annotations: Annotations): boolean =>
  Object.entries(annotations).every(([name, value]) => metadata?.annotations?.[name] === value);

/** The annotations of a Deployment that its ReplicaSets have too. */
export const copiedAnnotations = ({ metadata }: Deployment): Annotations =>
  Object.fromEntries(Object.entries(metadata?.annotations ?? {}).filter(([name]) => !NOT_COPIED.has(name)));

/**
 * What a ReplicaSet says of its revision when it becomes the current one. One that had a lower revision before keeps it
 * in its history.
 */
export function revisionAnnotations(set: ReplicaSet, revision: bigint): Annotations {
  const before = revisionOf(set);
  if (before === undefined || before >= revision) return {};
  const text = annotation(set, REVISION);
  const history = text === undefined ? undefined : longerHistory(annotation(set, HISTORY) ?? '', text);
  return { [REVISION]: String(revision), ...(history !== undefined && { [HISTORY]: history }) };
}

/** The oldest revisions leave a history that is too long. */
function longerHistory(history: string, revision: string): string {
  const revisions = history === '' ? [revision] : [...history.split(','), revision];
  while (revisions.length > 1 && revisions.join(',').length > LONGEST_HISTORY) revisions.shift();
  return revisions.join(',');
}

/** The annotations of a Deployment after a rollback to a ReplicaSet: those of the set, and what is not copied. */
export function restoredAnnotations(deployment: Deployment, set: ReplicaSet): Annotations {
  const own = Object.entries(deployment.metadata?.annotations ?? {}).filter(([name]) => NOT_COPIED.has(name));
  const theirs = Object.entries(set.metadata?.annotations ?? {}).filter(([name]) => !NOT_COPIED.has(name));
  return Object.fromEntries([...own, ...theirs]);
}

/** The revision to which a Deployment is to be rolled back, 0 for the previous one; undefined if it is not. */
export const rollbackRevision = (deployment: Deployment): bigint | undefined =>
  revisionIn(annotation(deployment, ROLLBACK));
