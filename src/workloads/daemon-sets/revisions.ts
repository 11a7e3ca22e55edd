import type { ControllerRevision, DaemonSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { DAEMON_SETS } from '../../reconcile/resources.ts';
import { templateHash } from '../../reconcile/template-hash.ts';
import { byNumber, nextNumber, numberOf } from '../revisions/order.ts';
import { type RecordedTemplate, recordOf, records } from '../revisions/recorded-template.ts';
import { newRevision } from '../revisions/write-revisions.ts';
import { HASH_LABEL, hashOf } from './daemon-pods.ts';

/** The revisions of a DaemonSet. */
export interface DaemonRevisions {
  readonly recorded: RecordedTemplate;
  /** Those that record the present template: the one that stays, and others of the same content. */
  readonly current: ControllerRevision | undefined;
  readonly duplicates: readonly ControllerRevision[];
  /** Those of other templates. */
  readonly old: readonly ControllerRevision[];
}

export function divide({ spec }: DaemonSet, revisions: readonly ControllerRevision[]): DaemonRevisions {
  const recorded = recordOf(spec?.template ?? {});
  const isCurrent = (revision: ControllerRevision): boolean => records(revision, recorded);
  const equal = revisions.filter(isCurrent).toSorted(byNumber);
  return {
    recorded,
    current: equal.at(-1),
    duplicates: equal.slice(0, -1),
    old: revisions.filter((revision) => !isCurrent(revision)),
  };
}

/** The number that the revision of the present template must at least have. */
export const currentNumber = ({ old }: DaemonRevisions): number => nextNumber(old);

export const isOutnumbered = (revision: ControllerRevision, revisions: DaemonRevisions): boolean =>
  numberOf(revision) < currentNumber(revisions);

/** The revision of the present template, as it is created. */
export function revisionToCreate(daemonSet: DaemonSet, revisions: DaemonRevisions): ControllerRevision {
  const { template = {} } = daemonSet.spec ?? {};
  const hash = templateHash(template, daemonSet.status?.collisionCount ?? 0);
  return newRevision({
    owner: { resource: DAEMON_SETS, object: daemonSet },
    name: `${daemonSet.metadata?.name}-${hash}`,
    template,
    labels: { [HASH_LABEL]: hash },
    recorded: revisions.recorded,
    number: currentNumber(revisions),
  });
}

/** The hash in a revision's label. One that has none gets its name. */
export function hashOfRevision({ metadata }: ControllerRevision): string {
  const { labels = {}, name = '' } = metadata ?? {};
  return Object.hasOwn(labels, HASH_LABEL) ? labels[HASH_LABEL]! : name;
}

export const lacksHash = ({ metadata }: ControllerRevision): boolean =>
  !Object.hasOwn(metadata?.labels ?? {}, HASH_LABEL);

/** The oldest revisions beyond the limit that no Pod has. @param pods also those that have ended */
export function expiredRevisions(
  { spec }: DaemonSet,
  { old }: DaemonRevisions,
  pods: readonly Pod[],
): readonly ControllerRevision[] {
  const excess = old.length - (spec?.revisionHistoryLimit ?? 0);
  if (excess <= 0) return [];
  const used = new Set(pods.map(hashOf));
  return old
    .filter((revision) => !used.has(hashOfRevision(revision)))
    .toSorted(byNumber)
    .slice(0, excess);
}
