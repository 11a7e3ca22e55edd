/**
 * Bytes of the records on disk. Integers are 48 bits, big-endian.
 *
 *   live     key → revision, createRevision, deadline (milliseconds since the epoch, 0 for none)
 *   log      revision → kind (0 put, 1 deletion), createRevision, revision of the change before, key length (16 bits), key, value
 *   deleted  key → revision of its tombstone, until compaction
 *   leases   deadline, key → nothing
 */

/** The newest change of a key. */
export interface Head {
  readonly revision: number;
  /** 0 when the newest change is a deletion. */
  readonly createRevision: number;
  readonly deadline: number;
}

/** One change as the log holds it. `value` is a view that its reader must copy. */
export interface LogRecord {
  readonly deletion: boolean;
  readonly createRevision: number;
  /** Revision of the change before of the same key, 0 for none. It may be compacted. */
  readonly previousRevision: number;
  readonly key: string;
  readonly value: Buffer;
}

const logHeader = 15;

export const logRecordSize = (key: string, valueLength: number): number => logHeader + key.length + valueLength;

/** Writes a record at `offset` of `target`; its value begins at the returned offset. */
export function writeLogRecord(
  target: Buffer,
  offset: number,
  key: string,
  record: { value: Uint8Array | undefined; createRevision: number; previousRevision: number },
): number {
  target[offset] = record.value ? 0 : 1;
  target.writeUIntBE(record.createRevision, offset + 1, 6);
  target.writeUIntBE(record.previousRevision, offset + 7, 6);
  target.writeUInt16BE(key.length, offset + 13);
  target.write(key, offset + logHeader, key.length, 'latin1');
  const valueStart = offset + logHeader + key.length;
  if (record.value) target.set(record.value, valueStart);
  return valueStart;
}

/** Reads the record in the first `size` bytes of `source`. */
export function readLogRecord(source: Buffer, size: number): LogRecord {
  const valueStart = logHeader + source.readUInt16BE(13);
  return {
    deletion: source[0] === 1,
    createRevision: source.readUIntBE(1, 6),
    previousRevision: source.readUIntBE(7, 6),
    key: source.toString('latin1', logHeader, valueStart),
    value: source.subarray(valueStart, size),
  };
}

export function writeHead(head: Head): Buffer {
  const target = Buffer.allocUnsafe(18);
  target.writeUIntBE(head.revision, 0, 6);
  target.writeUIntBE(head.createRevision, 6, 6);
  target.writeUIntBE(head.deadline, 12, 6);
  return target;
}

export function readHead(source: Buffer): Head {
  return { revision: source.readUIntBE(0, 6), createRevision: source.readUIntBE(6, 6), deadline: source.readUIntBE(12, 6) };
}

export function writeNumber(value: number): Buffer {
  const target = Buffer.allocUnsafe(6);
  target.writeUIntBE(value, 0, 6);
  return target;
}

export const readNumber = (source: Buffer): number => source.readUIntBE(0, 6);

export const leaseKey = (deadline: number, key: string): string => writeNumber(deadline).toString('latin1') + key;

export function readLeaseKey(leaseKey: string): { deadline: number; key: string } {
  return { deadline: readNumber(Buffer.from(leaseKey.slice(0, 6), 'latin1')), key: leaseKey.slice(6) };
}
