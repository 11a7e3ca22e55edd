import type { CacheRecord } from '../cache/record.ts';
import { envelopeHead, envelopeTail, findEnvelopeMessage, type MessageRange } from '../codec/envelope.ts';
import { encodeMessage } from '../codec/protobuf.ts';
import {
  findResourceVersion,
  listItemHead,
  listItemSize,
  sizeWithVersion,
  type VersionPosition,
  writeListItemHead,
  writeWithVersion,
} from '../codec/protobuf-splice.ts';
import { messageType } from '../model/scheme.ts';
import { readingStored } from '../registry/corrupt-object.ts';
import type { ListMetadata, ViewContext } from './view-context.ts';
import { listType, protobufItem } from './views.ts';

const METADATA_TAG = 0x0a;
/** Items as they are stored are put together in pieces of this length, so that a long list is copied once only. */
const PIECE_BYTES = 240 * 1024;

/** The parts of a protobuf list: envelope, list metadata, items. What is as it is stored is measured first and put together while it is sent. */
export function* protobufList(view: ViewContext, records: readonly CacheRecord[], metadata: ListMetadata): Generator<Uint8Array> {
  const stored = view.negotiated.projection === 'object' && view.resource.storesServedMessages;
  const items = stored ? new StoredItems(records) : new EncodedItems(records.map((record) => protobufItem(view, record)));
  const listMetadata = encodeMessage(messageType('meta_v1.ListMeta'), metadata);
  const { kind, apiVersion } = listType(view);
  yield envelopeHead(apiVersion, kind, listItemSize(listMetadata.length) + items.size);
  const head = listItemHead(listMetadata.length);
  head[0] = METADATA_TAG;
  yield head;
  yield listMetadata;
  yield* items.parts();
  yield envelopeTail;
}

/** Items that were encoded for this answer. */
class EncodedItems {
  readonly size: number;

  constructor(readonly messages: readonly Uint8Array[]) {
    this.size = messages.reduce((sum, { length }) => sum + listItemSize(length), 0);
  }

  *parts(): Generator<Uint8Array> {
    for (const message of this.messages) {
      yield listItemHead(message.length);
      yield message;
    }
  }
}

const range: MessageRange = { start: 0, end: 0 };

/** Items whose stored bytes are those of the answer but for the version. */
class StoredItems {
  /** Bytes of all items with their heads. */
  readonly size: number;
  readonly #positions: VersionPosition[] = [];

  constructor(readonly records: readonly CacheRecord[]) {
    let size = 0;
    for (const { key, value, revision } of records) {
      const position = readingStored(key, () => {
        findEnvelopeMessage(value, range);
        return findResourceVersion(value, range.start, range.end);
      });
      this.#positions.push(position);
      size += listItemSize(sizeWithVersion(position, String(revision)));
    }
    this.size = size;
  }

  *parts(): Generator<Uint8Array> {
    let left = this.size;
    let piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, left));
    let at = 0;
    for (const [index, { value, revision }] of this.records.entries()) {
      const position = this.#positions[index]!;
      const version = String(revision);
      const size = sizeWithVersion(position, version);
      const whole = listItemSize(size);
      if (at + whole > piece.length) {
        if (at > 0) yield piece.subarray(0, at);
        left -= at;
        piece = Buffer.allocUnsafeSlow(Math.max(whole, Math.min(PIECE_BYTES, left)));
        at = 0;
      }
      at = writeWithVersion(piece, writeListItemHead(piece, at, size), value, position, version);
    }
    if (at > 0) yield piece.subarray(0, at);
  }
}
