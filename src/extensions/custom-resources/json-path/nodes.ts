import { BinnacleError } from '../../../errors/binnacle-error.ts';

/** One step of a path in the Kubernetes JSONPath dialect. */
export type Node =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'union'; readonly members: readonly (readonly Node[])[] }
  | {
      readonly type: 'filter';
      readonly left: readonly Node[];
      /** `exists`, or a comparison; unknown comparisons fail when they are evaluated. */
      readonly operator: string;
      readonly right: readonly Node[];
    }
  | { readonly type: 'literal'; readonly value: Literal }
  /** A keyword, which has no meaning in a column. */
  | { readonly type: 'identifier'; readonly name: string };

/** A constant with the kind that it has in comparisons: an integer never equals a float. */
export interface Literal {
  readonly kind: 'string' | 'boolean' | 'integer' | 'float';
  readonly value: string | boolean | number;
}

/** `[start:end:step]`; an absent bound is undefined. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Whether `end` was derived from a single index: an end of 0 is then the end of the list. */
  readonly single: boolean;
  readonly step: number | undefined;
}

/** The text is not a path in the Kubernetes JSONPath dialect. */
export class JsonPathError extends BinnacleError {
  override name = 'JsonPathError';
  readonly code = 'ERR_BINNACLE_JSON_PATH';
}
