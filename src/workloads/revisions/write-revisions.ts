import type { ControllerRevision } from '../../model/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../model/generated/core-v1.ts';
import type { RawJson } from '../../model/object.ts';
import type { Client } from '../../reconcile/client.ts';
import { controllerReference, type Owner } from '../../reconcile/pods/pod-control.ts';
import { CONTROLLER_REVISIONS } from '../../reconcile/resources.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { ApiError } from '../../status/index.ts';
import { type RecordedTemplate, records, textOf } from './recorded-template.ts';

export interface NewRevision {
  readonly owner: Owner;
  readonly name: string;
  readonly template: PodTemplateSpec;
  /** Besides those of the template. */
  readonly labels: Readonly<Record<string, string>>;
  readonly recorded: RecordedTemplate;
  readonly number: number;
}

/** A revision as it is created. It takes over the annotations of its owner. */
export function newRevision({
  owner,
  name,
  template,
  labels,
  recorded,
  number,
}: NewRevision): ControllerRevision {
  const { namespace, annotations } = owner.object.metadata ?? {};
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...template.metadata?.labels, ...labels },
      ...(annotations && { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    // Members are stored in the order of the text.
    data: JSON.parse(textOf(recorded)) as RawJson,
    revision: number,
  };
}

/**
 * Creates a revision.
 * @returns undefined if another object has its name; the one that is there if it records the same
 * @throws ApiError
 */
export async function createRevision(
  client: Pick<Client, 'get' | 'create'>,
  revision: ControllerRevision,
  recorded: RecordedTemplate,
): Promise<ControllerRevision | undefined> {
  try {
    return (await client.create(CONTROLLER_REVISIONS, revision)) as ControllerRevision;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
  const { namespace = '', name = '' } = revision.metadata ?? {};
  const holder = (await client.get(CONTROLLER_REVISIONS, namespace, name)) as ControllerRevision | undefined;
  return holder !== undefined && records(holder, recorded) ? holder : undefined;
}

/** @throws ApiError */
export const renumberRevision = async (
  client: Pick<Client, 'update'>,
  revision: ControllerRevision,
  number: number,
): Promise<ControllerRevision> =>
  (await client.update(CONTROLLER_REVISIONS, { ...revision, revision: number })) as ControllerRevision;

/** One that has gone needs no deletion. @throws ApiError */
export function deleteRevision(
  client: Pick<Client, 'delete'>,
  { metadata = {} }: ControllerRevision,
): Promise<void> {
  const { namespace = '', name = '', uid } = metadata;
  return ignoreSettledErrors(
    client.delete(CONTROLLER_REVISIONS, namespace, name, { preconditions: { uid } }),
  );
}
