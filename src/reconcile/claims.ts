import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import { ApiError } from '../status/index.ts';
import type { Client, Resource } from './client.ts';
import { controllerOf } from './indexes.ts';
import { controllerReference, type Owner } from './pods/pod-control.ts';

/** Codes that say that an object has gone, or is another one now. */
const CHANGED = [404, 409];
/** An object that is to be released may be invalid without the reference. */
const RELEASED = [...CHANGED, 422];

export interface ClaimOptions {
  readonly client: Pick<Client, 'get' | 'patch'>;
  readonly owner: Owner;
  /** The resource of the objects. */
  readonly resource: Resource;
  /** Whether the owner selects an object. */
  readonly selects: (metadata: ObjectMeta) => boolean;
  /** Members of the metadata of an adopted object, in a strategic merge patch, such as finalizers. */
  readonly adoption?: object;
  /** The same for a released object. */
  readonly release?: object;
}

/**
 * The objects that an owner controls: its own that it selects, and those that it selects and nobody controls, which it
 * adopts. Own ones that it does not select any more are released. Each patch names the uid, and nothing is adopted before
 * the API server itself has said that the owner lives. An owner that is being deleted neither adopts nor releases.
 * @param candidates own objects and those that nobody controls
 * @throws ApiError
 */
export async function claim<Object extends KubernetesObject>(
  { client, owner, resource, selects, adoption, release }: ClaimOptions,
  candidates: Iterable<Object>,
): Promise<readonly Object[]> {
  const { uid, deletionTimestamp } = owner.object.metadata ?? {};
  const isGoing = deletionTimestamp !== undefined;
  const claimed: Object[] = [];
  let canAdopt: Promise<void> | undefined;
  for (const object of candidates) {
    const { metadata = {} } = object;
    const controller = controllerOf(metadata);
    if (controller !== undefined) {
      if (controller.uid !== uid) continue;
      if (selects(metadata)) claimed.push(object);
      else if (!isGoing) {
        const ownerReferences = [{ $patch: 'delete', uid }];
        await patchIfPresent(client, resource, metadata, { ...release, ownerReferences }, RELEASED);
      }
    } else if (!isGoing && metadata.deletionTimestamp === undefined && selects(metadata)) {
      canAdopt ??= checkOwner(client, owner);
      await canAdopt;
      const ownerReferences = [controllerReference(owner)];
      if (await patchIfPresent(client, resource, metadata, { ...adoption, ownerReferences }, CHANGED))
        claimed.push(object);
    }
  }
  return claimed;
}

/** @throws Error if the owner is another object now, or is being deleted */
async function checkOwner(client: Pick<Client, 'get'>, { resource, object }: Owner): Promise<void> {
  const { namespace = '', name = '', uid } = object.metadata ?? {};
  const found = await client.get(resource, namespace, name);
  const current = found?.metadata;
  if (current?.uid !== uid)
    throw new Error(
      `original ${resource.kind} ${namespace}/${name} is gone: got uid ${current?.uid}, wanted ${uid}`,
    );
  if (current?.deletionTimestamp !== undefined)
    throw new Error(`${namespace}/${name} has just been deleted at ${current.deletionTimestamp}`);
}

/** @param settled codes that need no other attempt @returns false after one of them */
async function patchIfPresent(
  client: Pick<Client, 'patch'>,
  resource: Resource,
  { namespace = '', name = '', uid }: ObjectMeta,
  change: object,
  settled: readonly number[],
): Promise<boolean> {
  try {
    await client.patch(resource, namespace, name, { metadata: { ...change, uid } }, { isStrategic: true });
    return true;
  } catch (error) {
    if (error instanceof ApiError && settled.includes(error.code)) return false;
    throw error;
  }
}
