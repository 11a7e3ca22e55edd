import type { Resource } from '../reconcile/client.ts';

/** A resource of an extension server. */
export interface RemoteKind extends Resource {
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** What the server knows of the resources of extension servers, from their discovery documents. */
export interface RemoteKinds {
  /** Each resource in its preferred version. Those of a server that cannot be reached stay as they were. */
  preferred(): readonly RemoteKind[];
  /** The preferred version of a kind, whichever version is named; undefined if it is not known. */
  findKind(apiVersion: string, kind: string): RemoteKind | undefined;
  /** Whether an extension server is registered for a version, reachable or not. */
  isRemote(group: string, version: string): boolean;
  /** Reports changes. @returns ends that */
  onChange(listener: () => void): () => void;
}

/** Bounds of the responses of extension servers. */
export const REMOTE_BOUNDS = { milliseconds: 30_000, bytes: 32 * 1024 * 1024 };
