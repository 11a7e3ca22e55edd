import type { Resource } from './client.ts';

/** Objects whose presence gives a controller something to do. */
export interface AwaitedResource extends Resource {
  /** The key, `namespace/name`, of an object that every cluster has: alone it is nothing to do. */
  readonly besides?: string;
}

/** Tells whether objects of a resource are stored, without reading them: neither a cache nor a reader is filled. */
export interface StoredPresence {
  /** @throws the errors of the store */
  hasAny(resource: AwaitedResource): Promise<boolean>;
  /**
   * Calls `listener` once, as soon as an object of the resource is stored: one that this server writes before the
   * promise of the write resolves. Never for a resource that is not served.
   * @returns a function that ends that
   */
  whenAny(resource: AwaitedResource, listener: () => void): () => void;
}
