import type { ServedResource } from '../../registry/served-resource.ts';
import type { Negotiated } from './negotiation.ts';

/** Which part of the object a table row carries (`includeObject`). */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** How the objects of one answer look: encoding and projection, fixed once per request. */
export interface ViewContext {
  readonly resource: ServedResource;
  readonly negotiated: Negotiated;
  readonly includeObject: IncludeObject;
  /** Wall clock in milliseconds, for ages. */
  readonly now: number;
  /**
   * Whether forms made for this view are kept for the next reader: not those of a written object that nobody
   * watches.
   */
  readonly keep: boolean;
}

/** Metadata of a list. */
export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}
