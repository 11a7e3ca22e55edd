import type { CacheRecord } from '../cache/record.ts';
import { envelopeHead, envelopeTail } from '../codec/envelope.ts';
import { encodeMessage } from '../codec/protobuf.ts';
import { findResourceVersion, listItemHead, listItemSize, sizeWithVersion, splicedParts } from '../codec/protobuf-splice.ts';
import { messageType } from '../model/scheme.ts';
import { readingStored } from '../registry/corrupt-object.ts';
import type { ListMetadata, ViewContext } from './view-context.ts';
import { listType, protobufItem } from './views.ts';

const METADATA_TAG = 0x0a;

/** The parts of a protobuf list: envelope, list metadata, items. What is as it is stored is measured first and put together while it is sent. */
export function* protobufList(view: ViewContext, records: readonly CacheRecord[], metadata: ListMetadata): Generator<Uint8Array> {
  const spliced = view.negotiated.projection === 'object' && records.length > 0 && view.resource.storedMessage(records[0]!) !== undefined;
  const items = spliced ? undefined : records.map((record) => protobufItem(view, record));
  const sizes = items?.map(({ length }) => length) ?? records.map((record) => readingStored(record.key, () => splicedSize(view, record)));
  const listMetadata = encodeMessage(messageType('meta_v1.ListMeta'), metadata);
  const { kind, apiVersion } = listType(view);
  const length = sizes.reduce((sum, size) => sum + listItemSize(size), listItemSize(listMetadata.length));
  yield envelopeHead(apiVersion, kind, length);
  const head = listItemHead(listMetadata.length);
  head[0] = METADATA_TAG;
  yield head;
  yield listMetadata;
  for (let index = 0; index < records.length; index += 1) {
    yield listItemHead(sizes[index]!);
    if (items !== undefined) yield items[index]!;
    else yield* splicedParts(view.resource.storedMessage(records[index]!)!, String(records[index]!.revision));
  }
  yield envelopeTail;
}

function splicedSize({ resource }: ViewContext, record: CacheRecord): number {
  const message = resource.storedMessage(record)!;
  return sizeWithVersion(message, findResourceVersion(message), String(record.revision));
}
