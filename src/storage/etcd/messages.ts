import { ProtobufReader } from '../../codec/protobuf-reader.ts';

/*
 * The answers of etcd's API that the store uses (etcdserverpb/rpc.proto, mvccpb/kv.proto of etcd 3.5). Keys are
 * strings with one byte per character. Revisions are safe integers; lease and cluster ids have 64 bits.
 */

export interface ResponseHeader {
  /** A 64-bit number. */
  readonly clusterId: number | bigint;
  readonly revision: number;
}

export interface KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Number of changes since the key was created. */
  readonly version: number;
  readonly value: Uint8Array;
  /** The lease of the key; 0 for none. */
  readonly lease: number | bigint;
}

export interface RangeResponse {
  readonly header: ResponseHeader;
  readonly entries: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

export interface TransactionResponse {
  readonly header: ResponseHeader;
  readonly succeeded: boolean;
  /** The key, if the condition failed and it exists. */
  readonly current: KeyValue | undefined;
}

/** The answer to reads of single keys in one transaction. */
export interface ReadsResponse {
  readonly header: ResponseHeader;
  /** In the order of the reads; undefined where the key does not exist. */
  readonly entries: readonly (KeyValue | undefined)[];
}

export interface WatchEvent {
  readonly deleted: boolean;
  readonly entry: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchResponse {
  readonly header: ResponseHeader;
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: number;
  /** More events of the last revision follow. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

export interface StatusResponse {
  readonly header: ResponseHeader;
  readonly version: string;
  readonly databaseBytes: number;
}

const noHeader: ResponseHeader = { clusterId: 0, revision: 0 };
const noBytes = new Uint8Array(0);
const noEntry: KeyValue = {
  key: '',
  createRevision: 0,
  modRevision: 0,
  version: 0,
  value: noBytes,
  lease: 0,
};

type Field<Target> = (reader: ProtobufReader, end: number, target: Target) => void;
type Fields<Target> = readonly (Field<Target> | undefined)[];
type Mutable<Target> = { -readonly [Name in keyof Target]: Target[Name] };

const varint = 0;
const delimited = 2;

/** Reads a message up to `end`; `fields` are indexed by `number << 3 | wire type`, sparse. */
function readInto<Target>(
  reader: ProtobufReader,
  end: number,
  fields: Fields<Target>,
  target: Target,
): Target {
  while (reader.position < end) {
    const tag = reader.tag(end);
    const field = fields[tag];
    if (field === undefined) reader.skip(tag, end, 'message');
    else field(reader, end, target);
  }
  return target;
}

function fieldsOf<Target>(
  entries: readonly (readonly [number: number, type: number, field: Field<Target>])[],
): Fields<Target> {
  const fields: (Field<Target> | undefined)[] = [];
  for (const [number, type, field] of entries) fields[(number << 3) | type] = field;
  return fields;
}

function nested<Target>(reader: ProtobufReader, end: number, fields: Fields<Target>, target: Target): Target {
  const inner = reader.delimited(end);
  return readInto(reader, inner, fields, target);
}

const number = (reader: ProtobufReader, end: number): number => Number(reader.int64(end));

function latin1(reader: ProtobufReader, end: number): string {
  const inner = reader.delimited(end);
  const from = reader.position;
  reader.position = inner;
  return reader.buffer.toString('latin1', from, inner);
}

const headerFields = fieldsOf<Mutable<ResponseHeader>>([
  [1, varint, (reader, end, target) => (target.clusterId = reader.int64(end))],
  [3, varint, (reader, end, target) => (target.revision = number(reader, end))],
]);
const keyValueFields = fieldsOf<Mutable<KeyValue>>([
  [1, delimited, (reader, end, target) => (target.key = latin1(reader, end))],
  [2, varint, (reader, end, target) => (target.createRevision = number(reader, end))],
  [3, varint, (reader, end, target) => (target.modRevision = number(reader, end))],
  [4, varint, (reader, end, target) => (target.version = number(reader, end))],
  [
    5,
    delimited,
    (reader, end, target) => {
      const inner = reader.delimited(end);
      // A copy: values are retained, and a view would keep the whole message.
      const copy = new Uint8Array(inner - reader.position);
      copy.set(reader.buffer.subarray(reader.position, inner));
      target.value = copy;
      reader.position = inner;
    },
  ],
  [6, varint, (reader, end, target) => (target.lease = reader.int64(end))],
]);
const readHeader = (reader: ProtobufReader, end: number): ResponseHeader =>
  nested(reader, end, headerFields, { ...noHeader });
const readEntry = (reader: ProtobufReader, end: number): KeyValue =>
  nested(reader, end, keyValueFields, { ...noEntry });

type RangeTarget = Mutable<RangeResponse> & { entries: KeyValue[] };
const rangeResponseFields = fieldsOf<RangeTarget>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
  [2, delimited, (reader, end, target) => target.entries.push(readEntry(reader, end))],
  [3, varint, (reader, end, target) => (target.more = reader.boolean(end))],
  [4, varint, (reader, end, target) => (target.count = number(reader, end))],
]);
const emptyRange = (): RangeTarget => ({ header: noHeader, entries: [], more: false, count: 0 });

const responseOpFields = fieldsOf<{ entry: KeyValue | undefined }>([
  [
    1,
    delimited,
    (reader, end, target) => {
      target.entry = nested(reader, end, rangeResponseFields, emptyRange()).entries[0];
    },
  ],
]);
const transactionFields = fieldsOf<Mutable<TransactionResponse>>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
  [2, varint, (reader, end, target) => (target.succeeded = reader.boolean(end))],
  [
    3,
    delimited,
    (reader, end, target) => {
      target.current = nested(reader, end, responseOpFields, { entry: undefined }).entry;
    },
  ],
]);

const readsFields = fieldsOf<Mutable<ReadsResponse> & { entries: (KeyValue | undefined)[] }>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
  [
    3,
    delimited,
    (reader, end, target) =>
      target.entries.push(nested(reader, end, responseOpFields, { entry: undefined }).entry),
  ],
]);

const eventFields = fieldsOf<Mutable<WatchEvent>>([
  [1, varint, (reader, end, target) => (target.deleted = reader.int32(end) === 1)],
  [2, delimited, (reader, end, target) => (target.entry = readEntry(reader, end))],
  [3, delimited, (reader, end, target) => (target.previous = readEntry(reader, end))],
]);
const watchFields = fieldsOf<Mutable<WatchResponse> & { events: WatchEvent[] }>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
  [2, varint, (reader, end, target) => (target.watchId = number(reader, end))],
  [3, varint, (reader, end, target) => (target.created = reader.boolean(end))],
  [4, varint, (reader, end, target) => (target.canceled = reader.boolean(end))],
  [5, varint, (reader, end, target) => (target.compactRevision = number(reader, end))],
  [7, varint, (reader, end, target) => (target.fragment = reader.boolean(end))],
  [
    11,
    delimited,
    (reader, end, target) =>
      target.events.push(
        nested(reader, end, eventFields, { deleted: false, entry: noEntry, previous: undefined }),
      ),
  ],
]);

const leaseFields = fieldsOf<{ header: ResponseHeader; id: number | bigint }>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
  [2, varint, (reader, end, target) => (target.id = reader.int64(end))],
]);
const timeToLiveFields = fieldsOf<{ header: ResponseHeader; seconds: number }>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
  [3, varint, (reader, end, target) => (target.seconds = number(reader, end))],
]);
const statusFields = fieldsOf<Mutable<StatusResponse>>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
  [2, delimited, (reader, end, target) => (target.version = reader.string(end))],
  [3, varint, (reader, end, target) => (target.databaseBytes = number(reader, end))],
]);
const headerOnlyFields = fieldsOf<{ header: ResponseHeader }>([
  [1, delimited, (reader, end, target) => (target.header = readHeader(reader, end))],
]);

function decode<Target>(input: Buffer, fields: Fields<Target>, target: Target): Target {
  const reader = new ProtobufReader();
  reader.buffer = input;
  return readInto(reader, input.length, fields, target);
}

export const decodeRange = (input: Buffer): RangeResponse => decode(input, rangeResponseFields, emptyRange());
export const decodeTransaction = (input: Buffer): TransactionResponse =>
  decode(input, transactionFields, { header: noHeader, succeeded: false, current: undefined });
export const decodeReads = (input: Buffer): ReadsResponse =>
  decode(input, readsFields, { header: noHeader, entries: [] });
export const decodeWatch = (input: Buffer): WatchResponse =>
  decode(input, watchFields, {
    header: noHeader,
    watchId: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    fragment: false,
    events: [],
  });
export const decodeLeaseGrant = (input: Buffer): { header: ResponseHeader; id: number | bigint } =>
  decode(input, leaseFields, { header: noHeader, id: 0 });
/** The remaining seconds of a lease; negative when it has ended. */
export const decodeLeaseTimeToLive = (input: Buffer): { header: ResponseHeader; seconds: number } =>
  decode(input, timeToLiveFields, { header: noHeader, seconds: -1 });
export const decodeStatus = (input: Buffer): StatusResponse =>
  decode(input, statusFields, { header: noHeader, version: '', databaseBytes: 0 });
export const decodeHeaderOnly = (input: Buffer): { header: ResponseHeader } =>
  decode(input, headerOnlyFields, { header: noHeader });
