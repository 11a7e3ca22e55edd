import type { ServedResource } from '../../resources/served-resource.ts';
import type { Negotiated } from './negotiation.ts';

/** The part of the object that a table row includes (`includeObject`). */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The form of the objects in one response: encoding and projection, fixed once per request. */
export interface ViewContext {
  readonly resource: ServedResource;
  readonly negotiated: Negotiated;
  readonly includeObject: IncludeObject;
  /** Wall clock in milliseconds, for ages. */
  readonly now: number;
  /** Whether encoded forms are cached for the next reader; false for a written object without watchers. */
  readonly keep: boolean;
}

/** Metadata of a list. */
export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}
