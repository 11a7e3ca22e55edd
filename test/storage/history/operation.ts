/** A stored value and the revision that wrote it. Each write of a history has a value of its own. */
export interface Version {
  readonly revision: number;
  readonly value: string;
}

/** What a client asked for. `expected` is the revision that a write depends on; absent: any. */
export type Request =
  | { readonly kind: 'read' }
  | { readonly kind: 'create'; readonly value: string }
  | { readonly kind: 'update'; readonly value: string; readonly expected?: number }
  | { readonly kind: 'delete'; readonly expected?: number };

/**
 * What the client learned. `done`: of a read, the version or absence; of a write, its revision where the answer
 * has it. `refused`: the condition did not hold. `unknown`: the write may be carried out at any time after its
 * invocation, or never.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly version?: Version | undefined; readonly revision?: number | undefined }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' };

/** One operation of a client on one key. Operations that certainly were not carried out are left out. */
export interface Operation {
  readonly client: number;
  readonly key: string;
  readonly request: Request;
  readonly outcome: Outcome;
  /** Times of the invocation and of the answer, on one clock. */
  readonly invoked: number;
  readonly returned: number;
}

export const isWrite = ({ request }: Operation): boolean => request.kind !== 'read';

/** Formats an operation for messages. */
export function describeOperation({ client, key, request, outcome, invoked, returned }: Operation): string {
  const times = `${invoked.toFixed(1)}–${returned.toFixed(1)}`;
  return `client ${client} ${key} ${times}: ${JSON.stringify(request)} → ${JSON.stringify(outcome)}`;
}
