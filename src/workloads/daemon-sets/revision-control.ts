import type { ControllerRevision, DaemonSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { Client } from '../../reconcile/client.ts';
import { CONTROLLER_REVISIONS, DAEMON_SETS, PODS } from '../../reconcile/resources.ts';
import { createRevision, deleteRevision, renumberRevision } from '../revisions/write-revisions.ts';
import { HASH_LABEL, hashOf } from './daemon-pods.ts';
import {
  currentNumber,
  type DaemonRevisions,
  hashOfRevision,
  isOutnumbered,
  lacksHash,
  revisionToCreate,
} from './revisions.ts';

export type RevisionClient = Pick<Client, 'get' | 'create' | 'update' | 'patch' | 'delete'>;

/**
 * Makes the revision of the present template the latest and only one of its content.
 * @param pods all Pods of the DaemonSet
 * @returns its hash; undefined if its name is another object's, so that the next reconcile takes another one
 * @throws ApiError
 */
export async function writeCurrentRevision(
  client: RevisionClient,
  daemonSet: DaemonSet,
  revisions: DaemonRevisions,
  pods: readonly Pod[],
): Promise<string | undefined> {
  const { current, duplicates, old } = revisions;
  for (const revision of old) if (lacksHash(revision)) await nameHash(client, revision);
  if (current === undefined) return create(client, daemonSet, revisions);
  const hash = hashOfRevision(current);
  const named = lacksHash(current) ? await nameHash(client, current) : current;
  for (const duplicate of duplicates) await merge(client, hash, duplicate, pods);
  if (isOutnumbered(named, revisions)) await renumberRevision(client, named, currentNumber(revisions));
  return hash;
}

async function create(
  client: RevisionClient,
  daemonSet: DaemonSet,
  revisions: DaemonRevisions,
): Promise<string | undefined> {
  const revision = revisionToCreate(daemonSet, revisions);
  const created = await createRevision(client, revision, revisions.recorded);
  if (created !== undefined) return hashOfRevision(created);
  const { status = {} } = daemonSet;
  const collisionCount = (status.collisionCount ?? 0) + 1;
  await client.update(
    DAEMON_SETS,
    { ...daemonSet, status: { ...status, collisionCount } },
    { subresource: 'status' },
  );
  return undefined;
}

/** Older releases made revisions without a hash. */
async function nameHash(client: RevisionClient, revision: ControllerRevision): Promise<ControllerRevision> {
  const { labels, name = '' } = revision.metadata ?? {};
  return (await client.update(CONTROLLER_REVISIONS, {
    ...revision,
    metadata: { ...revision.metadata, labels: { ...labels, [HASH_LABEL]: name } },
  })) as ControllerRevision;
}

/** The Pods of a duplicate get the hash of the revision that stays, then the duplicate is deleted. */
async function merge(
  client: RevisionClient,
  hash: string,
  duplicate: ControllerRevision,
  pods: readonly Pod[],
): Promise<void> {
  const duplicated = hashOfRevision(duplicate);
  for (const pod of pods) {
    if (duplicated === hash || hashOf(pod) !== duplicated) continue;
    const { namespace = '', name = '', uid } = pod.metadata ?? {};
    await client.patch(PODS, namespace, name, { metadata: { uid, labels: { [HASH_LABEL]: hash } } });
  }
  await deleteRevision(client, duplicate);
}
