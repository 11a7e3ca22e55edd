import { crc32 } from 'node:zlib';

/**
 * Encoding of the records on disk. Integers are 48 bits, big-endian.
 *
 *   live     key → revision, createRevision, deadline (milliseconds since the epoch, 0 for none), check (32
 * bits)
 *   log      revision → kind (2 put, 3 deletion), checksum (32 bits), createRevision, previous revision,
 *            key length (16 bits), key, value
 *   deleted  key → revision of its tombstone, until compaction
 *   leases   deadline, key → empty
 *
 * The checksum of a log record is the CRC-32 of the bytes after it, seeded with the revision and the kind.
 * Format 1 had neither checksum nor check; its records (kinds 0 and 1, heads of 18 bytes) are readable, and
 * replaced when their keys are written.
 */

/** The newest change of a key. */
export interface Head {
  readonly revision: number;
  /** 0 when the newest change is a deletion. */
  readonly createRevision: number;
  readonly deadline: number;
  /** The bytes are corrupt. */
  readonly corrupt?: boolean;
}

/** One change in the log. `value` is a view that the reader must copy. */
export interface LogRecord {
  readonly deletion: boolean;
  readonly createRevision: number;
  /** Revision of the previous change of the key, 0 for none. It may be compacted. */
  readonly previousRevision: number;
  readonly key: string;
  readonly value: Buffer;
}

const deletionKind = 1;
const checkedKind = 2;
/** Kind and checksum; the checksum does not cover them. */
const checkedFrom = 5;
const fixedFields = 14;
const headSize = 22;
const uncheckedHeadSize = 18;

export const logRecordSize = (key: string, valueLength: number): number =>
  checkedFrom + fixedFields + key.length + valueLength;

const checksumOf = (record: Buffer, revision: number): number =>
  crc32(record.subarray(checkedFrom), ((revision % 2 ** 32) ^ record[0]!) >>> 0);

/**
 * Encodes the change at `revision` in a buffer of its own: events outlive their commit, and a shared slab
 * would keep unrelated records alive.
 */
export function writeLogRecord(
  revision: number,
  key: string,
  record: { value: Uint8Array | undefined; createRevision: number; previousRevision: number },
): { record: Buffer; value: Uint8Array } {
  const target = Buffer.allocUnsafeSlow(logRecordSize(key, record.value?.length ?? 0));
  target[0] = checkedKind | (record.value ? 0 : deletionKind);
  target.writeUIntBE(record.createRevision, checkedFrom, 6);
  target.writeUIntBE(record.previousRevision, checkedFrom + 6, 6);
  target.writeUInt16BE(key.length, checkedFrom + 12);
  target.write(key, checkedFrom + fixedFields, key.length, 'latin1');
  const valueStart = checkedFrom + fixedFields + key.length;
  if (record.value) target.set(record.value, valueStart);
  target.writeUInt32BE(checksumOf(target, revision), 1);
  return { record: target, value: new Uint8Array(target.buffer, valueStart, target.length - valueStart) };
}

const unreadable: LogRecord = {
  deletion: false,
  createRevision: 0,
  previousRevision: 0,
  key: '',
  value: Buffer.alloc(0),
};

/** Reads the record in the first `size` bytes of `source` without verifying it. */
export function readLogRecord(source: Buffer, size: number): LogRecord {
  const start = size > 0 && source[0]! & checkedKind ? checkedFrom : 1;
  if (size < start + fixedFields) return unreadable;
  const keyStart = start + fixedFields;
  const valueStart = Math.min(keyStart + source.readUInt16BE(start + 12), size);
  return {
    deletion: (source[0]! & deletionKind) !== 0,
    createRevision: source.readUIntBE(start, 6),
    previousRevision: source.readUIntBE(start + 6, 6),
    key: source.toString('latin1', keyStart, valueStart),
    value: source.subarray(valueStart, size),
  };
}

/**
 * Whether the record of `revision` in the first `size` bytes of `source` matches its checksum; true without a
 * checksum.
 */
export function isIntact(source: Buffer, size: number, revision: number): boolean {
  if (size === 0) return false;
  const kind = source[0]!;
  if (kind === 0 || kind === deletionKind) return size >= 1 + fixedFields;
  if (kind !== checkedKind && kind !== (checkedKind | deletionKind)) return false;
  return (
    size >= checkedFrom + fixedFields &&
    source.readUInt32BE(1) === checksumOf(source.subarray(0, size), revision)
  );
}

/** A change of any one of the six words changes the result: each step is one-to-one. */
function checkOf(head: Head): number {
  let check = 0x9e3779b9;
  for (const number of [head.revision, head.createRevision, head.deadline]) {
    check = Math.imul(check ^ (number | 0), 0x85ebca6b);
    check = Math.imul(check ^ (check >>> 15) ^ Math.floor(number / 2 ** 32), 0xc2b2ae35);
  }
  return (check ^ (check >>> 13)) >>> 0;
}

export function writeHead(head: Head): Buffer {
  const target = Buffer.allocUnsafe(headSize);
  target.writeUIntBE(head.revision, 0, 6);
  target.writeUIntBE(head.createRevision, 6, 6);
  target.writeUIntBE(head.deadline, 12, 6);
  target.writeUInt32BE(checkOf(head), uncheckedHeadSize);
  return target;
}

export function readHead(source: Buffer, size: number): Head {
  if (size !== headSize && size !== uncheckedHeadSize)
    return { revision: 0, createRevision: 0, deadline: 0, corrupt: true };
  const head = {
    revision: source.readUIntBE(0, 6),
    createRevision: source.readUIntBE(6, 6),
    deadline: source.readUIntBE(12, 6),
  };
  return size === uncheckedHeadSize || source.readUInt32BE(uncheckedHeadSize) === checkOf(head)
    ? head
    : { ...head, corrupt: true };
}

export function writeNumber(value: number): Buffer {
  const target = Buffer.allocUnsafe(6);
  target.writeUIntBE(value, 0, 6);
  return target;
}

export const readNumber = (source: Buffer): number => source.readUIntBE(0, 6);

export const leaseKey = (deadline: number, key: string): string =>
  writeNumber(deadline).toString('latin1') + key;

export function readLeaseKey(leaseKey: string): { deadline: number; key: string } {
  return { deadline: readNumber(Buffer.from(leaseKey.slice(0, 6), 'latin1')), key: leaseKey.slice(6) };
}
