import type { ControllerRevision } from '../../model/generated/apps-v1.ts';
import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { claim } from '../../reconcile/claims.ts';
import type { Client } from '../../reconcile/client.ts';
import { candidates } from '../../reconcile/owned.ts';
import type { Owner } from '../../reconcile/pods/pod-control.ts';
import { CONTROLLER_REVISIONS } from '../../reconcile/resources.ts';

export interface ClaimRevisionsOptions {
  readonly client: Pick<Client, 'get' | 'patch'>;
  readonly revisions: IndexedSource;
  readonly owner: Owner;
  readonly selector: LabelSelector | undefined;
  /** Whether the owner lets go what it does not select any more. */
  readonly releases: boolean;
}

/** The revisions that an owner controls and selects, with those that it adopts. @throws ApiError */
export function claimRevisions({
  client,
  revisions,
  owner,
  selector,
  releases,
}: ClaimRevisionsOptions): Promise<readonly ControllerRevision[]> {
  const selects = ({ metadata }: ControllerRevision): boolean =>
    labelSelectorMatches(selector, metadata?.labels);
  const found = Array.from(
    candidates(revisions, owner.object),
    ({ object }) => object as ControllerRevision,
  ).filter((revision) => releases || selects(revision));
  return claim(
    { client, owner, resource: CONTROLLER_REVISIONS, selects: (metadata) => selects({ metadata }) },
    found,
  );
}
