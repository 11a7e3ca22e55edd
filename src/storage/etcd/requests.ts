import { bytes, encode, integer, key, message, type WriteField } from '../message-fields.ts';

/* The requests of etcd's API that the store uses; see messages.ts for the answers. */

export interface RangeRequest {
  readonly key: string;
  /** Exclusive; '' reads the single key. */
  readonly rangeEnd?: string;
  readonly limit?: number;
  readonly revision?: number;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
  /** Only keys changed at or after this revision; the count contains all. */
  readonly leastModRevision?: number;
}

export interface TransactionRequest {
  readonly key: string;
  /** The condition: equal to the modification revision, or to the version of the key. */
  readonly modRevision?: number;
  readonly version?: number;
  /** Undefined deletes. */
  readonly value: Uint8Array | undefined;
  readonly lease?: number | bigint;
}

export interface WatchCreateRequest {
  readonly key: string;
  readonly rangeEnd: string;
  readonly startRevision: number;
}

const rangeFields = (request: RangeRequest): WriteField[] => [
  key(1, request.key),
  request.rangeEnd ? key(2, request.rangeEnd) : undefined,
  request.limit ? integer(3, request.limit) : undefined,
  request.revision ? integer(4, request.revision) : undefined,
  request.keysOnly && integer(8, 1),
  request.countOnly && integer(9, 1),
  request.leastModRevision ? integer(10, request.leastModRevision) : undefined,
];

export const encodeRange = (request: RangeRequest): Buffer => encode(...rangeFields(request));

/** Compares one key; changes it if the condition holds, else reads it. */
export function encodeTransaction(request: TransactionRequest): Buffer {
  const { key: name, modRevision, version, value, lease } = request;
  return encode(
    modRevision === undefined
      ? message(1, key(3, name), integer(4, version!))
      : message(1, integer(2, 2), key(3, name), integer(6, modRevision)),
    message(
      2,
      value === undefined
        ? message(3, key(1, name))
        : message(2, key(1, name), bytes(2, value), lease !== undefined && integer(3, lease)),
    ),
    message(3, message(1, ...rangeFields({ key: name }))),
  );
}

/** Reads single keys at revisions of their own, in one transaction. */
export const encodeReads = (reads: readonly RangeRequest[]): Buffer =>
  encode(...reads.map((read) => message(2, message(1, ...rangeFields(read)))));

export const encodeCompaction = (revision: number): Buffer => encode(integer(1, revision));
export const encodePut = (name: string, value: Uint8Array): Buffer => encode(key(1, name), bytes(2, value));
export const encodeLeaseTimeToLive = (id: number | bigint): Buffer => encode(integer(1, id));
export const encodeLeaseGrant = (seconds: number): Buffer => encode(integer(1, seconds));
export const encodeProgressRequest = (): Buffer => encode(message(3));
export const encodeStatus = (): Buffer => encode();

/** With previous values, progress notifications, and long revisions in fragments. */
export const encodeWatchCreate = ({ key: name, rangeEnd, startRevision }: WatchCreateRequest): Buffer =>
  encode(
    message(
      1,
      key(1, name),
      key(2, rangeEnd),
      startRevision > 0 && integer(3, startRevision),
      integer(4, 1),
      integer(6, 1),
      integer(8, 1),
    ),
  );
