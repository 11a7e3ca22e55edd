import type { CacheRecord } from '../cache/record.ts';
import { encodeMessage } from '../codec/protobuf.ts';
import { messageType } from '../model/scheme.ts';
import { readingStored } from '../registry/corrupt-object.ts';
import { type ListMetadata, listType, protobufItem, type ViewContext } from './views.ts';

/** The parts of a protobuf list: envelope, list metadata, items spliced from their stored bytes. */
export function* protobufList(view: ViewContext, records: readonly CacheRecord[], metadata: ListMetadata): Generator<Uint8Array> {
  const items = records.map((record) => readingStored(record.key, () => protobufItem(view, record)));
  const listMeta = encodeMessage(messageType('meta_v1.ListMeta'), metadata);
  let length = 1 + varintLength(listMeta.length) + listMeta.length;
  for (const item of items) length += 1 + varintLength(item.length) + item.length;
  const { kind, apiVersion } = listType(view);
  yield Buffer.concat([MAGIC, field(1, Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))])), tag(2, length), field(1, listMeta)]);
  for (const item of items) {
    yield tag(2, item.length);
    yield item;
  }
  yield EMPTY_CONTENT_FIELDS;
}

const MAGIC = Buffer.from('k8s\0', 'latin1');
/** contentEncoding and contentType of the envelope, both empty. */
const EMPTY_CONTENT_FIELDS = Buffer.from([0x1a, 0, 0x22, 0]);

function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([tag(number, bytes.length), bytes]);
}

/** Tag and length of a length-delimited field. */
function tag(number: number, length: number): Buffer {
  const bytes: number[] = [(number << 3) | 2];
  let rest = length;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) length += 1;
  return length;
}
