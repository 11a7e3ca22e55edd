import type { ControllerRevision, StatefulSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { Client } from '../../reconcile/client.ts';
import { fnv1, safeHash } from '../../reconcile/hash.ts';
import { STATEFUL_SETS } from '../../reconcile/resources.ts';
import { byNumber, nextNumber } from '../revisions/order.ts';
import {
  type RecordedTemplate,
  recordOf,
  records,
  templateOf,
  textOf,
} from '../revisions/recorded-template.ts';
import { createRevision, newRevision, renumberRevision } from '../revisions/write-revisions.ts';
import { revisionOf } from './identity.ts';
import type { TemplateRevision } from './new-pod.ts';

const HASH_LABEL = 'controller.kubernetes.io/hash';
/** Longest part of a name that is the name of the set. */
const LONGEST_PREFIX = 223;
/** Names that one reconcile tries. */
const MOST_NAMES = 100;

/** How the revisions of a set come to have its present template as the latest one. */
export type RevisionStep =
  | { readonly does: 'keep'; readonly revision: ControllerRevision }
  /** An earlier revision becomes the latest one. */
  | { readonly does: 'renumber'; readonly revision: ControllerRevision; readonly number: number }
  | { readonly does: 'create'; readonly number: number };

export function revisionStep(
  recorded: RecordedTemplate,
  revisions: readonly ControllerRevision[],
): RevisionStep {
  const sorted = revisions.toSorted(byNumber);
  const equal = sorted.findLast((revision) => records(revision, recorded));
  const number = nextNumber(sorted);
  if (equal === undefined) return { does: 'create', number };
  return equal === sorted.at(-1)
    ? { does: 'keep', revision: equal }
    : { does: 'renumber', revision: equal, number };
}

/** The revision that records the present template of a set, after it was written. */
export interface WrittenRevision {
  readonly revision: ControllerRevision;
  readonly collisions: number;
}

/** @throws ApiError */
export async function writeUpdateRevision(
  client: Pick<Client, 'get' | 'create' | 'update'>,
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
): Promise<WrittenRevision> {
  const { collisionCount = 0 } = set.status ?? {};
  const recorded = recordOf(set.spec?.template ?? {});
  const step = revisionStep(recorded, revisions);
  if (step.does === 'keep') return { revision: step.revision, collisions: collisionCount };
  if (step.does === 'renumber')
    return {
      revision: await renumberRevision(client, step.revision, step.number),
      collisions: collisionCount,
    };
  for (let collisions = collisionCount; collisions < collisionCount + MOST_NAMES; collisions += 1) {
    const revision = revisionToCreate(set, recorded, step.number, collisionCount, collisions);
    const created = await createRevision(client, revision, recorded);
    if (created !== undefined) return { revision: created, collisions };
  }
  throw new Error(`the names of ${MOST_NAMES} revisions belong to other objects`);
}

/** The label keeps the first hash that was tried, as in the reference. */
function revisionToCreate(
  set: StatefulSet,
  recorded: RecordedTemplate,
  number: number,
  first: number,
  collisions: number,
): ControllerRevision {
  const hash = (count: number): string => safeHash(fnv1(`${textOf(recorded)}${count}`));
  return newRevision({
    owner: { resource: STATEFUL_SETS, object: set },
    name: `${(set.metadata?.name ?? '').slice(0, LONGEST_PREFIX)}-${hash(collisions)}`,
    template: set.spec?.template ?? {},
    labels: { [HASH_LABEL]: hash(first) },
    recorded,
    number,
  });
}

/** The revision that Pods have which are not to be updated: the one that the status names, else that of the update. */
export function currentRevision(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
  update: TemplateRevision,
): TemplateRevision {
  const name = set.status?.currentRevision ?? '';
  const found = revisions.find(({ metadata }) => metadata?.name === name);
  if (found === undefined || name === update.name) return update;
  return { name, template: templateOf(found) ?? update.template };
}

/** The revisions that no Pod and no update needs, beyond the limit. */
export function expiredRevisions(
  { spec }: StatefulSet,
  revisions: readonly ControllerRevision[],
  pods: readonly Pod[],
  updating: readonly TemplateRevision[],
): readonly ControllerRevision[] {
  const { revisionHistoryLimit: limit = 0 } = spec ?? {};
  if (limit < 0) return [];
  const used = new Set([...updating.map(({ name }) => name), ...pods.map(revisionOf)]);
  const unused = revisions.filter(({ metadata }) => !used.has(metadata?.name ?? '')).toSorted(byNumber);
  return unused.slice(0, Math.max(0, unused.length - limit));
}
