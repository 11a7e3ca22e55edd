import { crc32 } from 'node:zlib';
import { concatRetained, type Made } from '../../cache/encoding-cache.ts';
import type { CacheRecord } from '../../cache/record.ts';
import { envelopeTail } from '../../codec/envelope.ts';
import { type DeflatedPart, GzipJoin, storedPart } from '../../codec/gzip-join.ts';
import { deflatePart } from '../../connection/compress.ts';
import type { RequestContext } from '../../request/context.ts';
import type { PartSteps } from '../../steps/steps.ts';
import type { LoopTurns } from '../../steps/turns.ts';
import { acceptsGzip, COMPRESSION_THRESHOLD, joinInTurns } from './answer.ts';
import { jsonFrame, jsonItems } from './json-list.ts';
import { protobufHead, protobufItems, sendsStored } from './protobuf-list.ts';
import { type RecordRun, runsOf } from './record-runs.ts';
import type { BodyParts } from './stream-parts.ts';
import type { ListMetadata, ViewContext } from './view-context.ts';

/** Stored bytes of a list, from which on its body is above the threshold of compression in every form. */
const LEAST_BYTES = 4 * COMPRESSION_THRESHOLD;

/**
 * Whether the client gets a list in compressed parts that are kept for the next one: not where rows depend on the time,
 * nor in forms that few ask for.
 */
export function sendsKeptParts(
  context: RequestContext,
  view: ViewContext,
  records: readonly CacheRecord[] | undefined,
): boolean {
  const { encoding, projection, pretty } = view.negotiated;
  if (records === undefined || !view.keep || projection !== 'object' || !acceptsGzip(context)) return false;
  // Records of a webhook's conversion change without their revisions.
  if (view.resource.conversion.derived !== undefined) return false;
  if (encoding === 'json' ? pretty : encoding !== 'protobuf' || !sendsStored(view)) return false;
  let bytes = 0;
  for (let at = 0; at < records.length && bytes < LEAST_BYTES; at += 1) bytes += records[at]!.value.length;
  return bytes >= LEAST_BYTES;
}

/** How a list is put together of the bytes of its runs. */
interface Joint {
  readonly head: PartSteps<Uint8Array>;
  items(records: readonly CacheRecord[]): PartSteps<Uint8Array>;
  readonly separator: Uint8Array;
  readonly end: Uint8Array;
}

const NOTHING = Buffer.alloc(0);
const COMMA = Buffer.from(',');

function jointOf(view: ViewContext, records: readonly CacheRecord[], metadata: ListMetadata): Joint {
  if (view.negotiated.encoding === 'protobuf')
    return {
      head: protobufHead(view, records, metadata),
      items: (run) => protobufItems(view, run),
      separator: NOTHING,
      end: envelopeTail,
    };
  const [head, end] = jsonFrame(view, metadata);
  return { head: one(head), items: (run) => jsonItems(view, run, true), separator: COMMA, end };
}

function* one(part: Uint8Array): PartSteps<Uint8Array> {
  yield part;
}

const stored = (bytes: Uint8Array): DeflatedPart => storedPart(bytes, crc32(bytes));

/** Yields the gzip body of a list, of which the runs of records are compressed once as long as they do not change. */
export async function* compressedList(
  turns: LoopTurns,
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
): AsyncGenerator<BodyParts> {
  const joint = jointOf(view, records, metadata);
  const body = new GzipJoin();
  yield [body.head, body.add(stored(await joinInTurns(turns, joint.head)))];
  const separator = stored(joint.separator);
  let isFirst = true;
  for (const run of runsOf(records)) {
    if (!isFirst && separator.bytes > 0) yield [body.add(separator)];
    isFirst = false;
    yield [body.add(await compressedRun(turns, view, run, joint))];
  }
  yield [body.add(stored(joint.end)), body.end()];
}

/** The compressed items of a run, and by what it is recognized. */
interface CompressedRun extends DeflatedPart {
  readonly keys: readonly string[];
  readonly revisions: readonly number[];
}

/** Bytes of a key and a revision, for the bound of the cache. */
const RECORD_BYTES = 100;

async function compressedRun(
  turns: LoopTurns,
  view: ViewContext,
  { records, hash }: RecordRun,
  joint: Joint,
): Promise<CompressedRun> {
  const { resource, negotiated } = view;
  const make = async (): Promise<Made<CompressedRun>> => {
    const bytes = await joinInTurns(turns, joint.items(records));
    const deflated = concatRetained(await deflatePart(bytes));
    const value = {
      deflated,
      crc: crc32(bytes),
      bytes: bytes.length,
      keys: records.map(({ key }) => key),
      revisions: records.map(({ revision }) => revision),
    };
    return { value, bytes: deflated.length + records.length * RECORD_BYTES };
  };
  const form = `gzip ${negotiated.encoding} ${resource.form} ${records.length} ${hash}`;
  const known = await resource.cachedEncodingLater(records[0]!, form, make);
  return isOf(known, records) ? known : (await make()).value;
}

/** A record is the same if it has the same key and revision: the first one is the owner of the run. */
const isOf = ({ keys, revisions }: CompressedRun, records: readonly CacheRecord[]): boolean =>
  records.length === keys.length &&
  records.every(({ key, revision }, at) => key === keys[at] && revision === revisions[at]);
