import type { EndpointSlice } from '../../model/generated/discovery-v1.ts';
import type { Writer } from '../../reconcile/client.ts';
import { ENDPOINT_SLICES } from '../../reconcile/resources.ts';
import { isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { ApiError } from '../../status/index.ts';
import type { SliceChanges } from './changes.ts';

/** A write that failed. */
export interface FailedWrite {
  readonly error: unknown;
  /** What failed, for events: `failed to update web-abcde EndpointSlice for Service ns/web: …`. */
  readonly text: string;
}

export interface SliceOwner {
  /** Kind and key, for texts of failures: `Service ns/web`. */
  readonly title: string;
  /** It is being deleted: nothing is created for it any more. */
  readonly isGoing: boolean;
  /** Whether a slice that is to be removed may become another one of the owner. */
  readonly mayReuse: (slice: EndpointSlice) => boolean;
}

/** Writes what was decided on the slices of an owner. */
export class SliceWriter {
  readonly #client: Pick<Writer, 'create' | 'update' | 'delete'>;

  constructor(client: Pick<Writer, 'create' | 'update' | 'delete'>) {
    this.#client = client;
  }

  /**
   * Creates, updates and deletes, in this order, up to the first failure.
   * @param written called after each write that succeeded
   */
  async write(
    owner: SliceOwner,
    changes: SliceChanges,
    written: () => void,
  ): Promise<FailedWrite | undefined> {
    const { create, update, remove } = reuseRemoved(owner, changes);
    let doing = '';
    try {
      for (const slice of owner.isGoing ? [] : create) {
        doing = 'create EndpointSlice';
        await this.#client.create(ENDPOINT_SLICES, slice);
        written();
      }
      for (const slice of update) {
        doing = `update ${slice.metadata?.name} EndpointSlice`;
        await this.#client.update(ENDPOINT_SLICES, slice);
        written();
      }
      for (const slice of remove) {
        doing = `delete ${slice.metadata?.name} EndpointSlice`;
        if (await this.#delete(slice)) written();
      }
      return undefined;
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      return { error, text: `failed to ${doing} for ${owner.title}: ${(error as Error).message}` };
    }
  }

  /** @returns whether the slice was there */
  async #delete({ metadata = {} }: EndpointSlice): Promise<boolean> {
    const { namespace = '', name = '', uid } = metadata;
    try {
      await this.#client.delete(ENDPOINT_SLICES, namespace, name, { preconditions: { uid } });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }
}

/** Whether an object had changed since it was read. */
export const isOutdated = ({ error }: FailedWrite): boolean =>
  error instanceof ApiError && (error.code === 409 || error.code === 404);

/** Writes new slices over old ones of their family, which would be deleted. */
function reuseRemoved(
  { mayReuse }: SliceOwner,
  { create, update, remove }: SliceChanges,
): Omit<SliceChanges, 'keep'> {
  const left = [...create];
  const reused: EndpointSlice[] = [];
  const removed = remove.filter((old) => {
    const index = mayReuse(old) ? left.findIndex(({ addressType }) => addressType === old.addressType) : -1;
    const [slice] = index < 0 ? [] : left.splice(index, 1);
    if (slice === undefined) return true;
    const { name, uid, resourceVersion } = old.metadata ?? {};
    const identity = {
      ...(name && { name }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    };
    reused.push({ ...slice, metadata: { ...slice.metadata, ...identity } });
    return false;
  });
  return { create: left, update: [...update, ...reused], remove: removed };
}
