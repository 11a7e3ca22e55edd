import type { CacheRecord } from '../../cache/record.ts';
import { envelopeHead, envelopeTail, findEnvelopeMessage, type MessageRange } from '../../codec/envelope.ts';
import { encodeMessage } from '../../codec/protobuf.ts';
import {
  findResourceVersion,
  listItemHead,
  listItemSize,
  sizeWithVersion,
  type VersionPosition,
  writeListItemHead,
  writeWithVersion,
} from '../../codec/protobuf-splice.ts';
import { wrapDecodeError } from '../../resources/corrupt-object.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import { type PartSteps, pausing } from '../../steps/steps.ts';
import type { ListState } from '../verbs/read-state.ts';
import type { BodyParts } from './stream-parts.ts';
import type { ListMetadata, ViewContext } from './view-context.ts';
import { listType, prepared, protobufItem } from './views.ts';

const METADATA_TAG = 0x0a;
const ITEMS_TAG = 0x12;

/** Whether the list is of the version whose items come first: field 1, its metadata field 2. */
const isItemsFirst = ({ negotiated: { projection, metaVersion } }: ViewContext): boolean =>
  projection !== 'object' && metaVersion === 'v1beta1';

/** Stored items are joined into pieces of this length, which are long enough to be sent by themselves. */
const PIECE_BYTES = 256 * 1024;

/**
 * Encodes a protobuf list: envelope, list metadata, items. Items whose stored bytes are reused are measured
 * first and joined while they are sent.
 */
export function* protobufList(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
): PartSteps<Uint8Array> {
  const items = yield* itemsOf(view, records);
  yield* listHead(view, metadata, items.size);
  yield* items.parts();
  yield envelopeTail;
}

/**
 * Encodes a list whose records are read page by page: once to compute its length, which is sent first, and
 * once to send it.
 */
export async function* protobufPages(
  view: ViewContext,
  pages: ListState['pages'],
  metadata: ListMetadata,
): AsyncGenerator<BodyParts> {
  let size = 0;
  const measure = function* (page: readonly CacheRecord[]): PartSteps<Uint8Array> {
    size += (yield* itemsOf(view, page)).size;
  };
  const send = function* (page: readonly CacheRecord[]): PartSteps<Uint8Array> {
    yield* (yield* itemsOf(view, page)).parts();
  };
  for await (const page of pages()) yield measure(page);
  yield listHead(view, metadata, size);
  for await (const page of pages()) yield send(page);
  yield [envelopeTail];
}

function itemsOf(
  view: ViewContext,
  records: readonly CacheRecord[],
): PartSteps<Uint8Array, StoredItems | EncodedItems> {
  const stored = view.negotiated.projection === 'object' && view.resource.storesServedMessages;
  return stored ? measureStored(records) : encodeItems(view, records);
}

/** @param size bytes of all items including their headers */
function* listHead(view: ViewContext, metadata: ListMetadata, size: number): Generator<Uint8Array> {
  const listMetadata = encodeMessage(view.resource.types.type('meta_v1.ListMeta'), metadata);
  const { kind, apiVersion } = listType(view);
  yield envelopeHead(apiVersion, kind, listItemSize(listMetadata.length) + size);
  yield listItemHead(listMetadata.length, isItemsFirst(view) ? ITEMS_TAG : METADATA_TAG);
  yield listMetadata;
}

function* encodeItems(
  view: ViewContext,
  records: readonly CacheRecord[],
): PartSteps<Uint8Array, EncodedItems> {
  const pace = new Pace(stepSizes.records);
  const messages: Uint8Array[] = [];
  for (const record of records) {
    const steps = prepared(view, record);
    messages.push(protobufItem(view, steps === undefined ? record : yield* pausing(steps)));
    if (pace.isPause()) yield;
  }
  return new EncodedItems(messages, isItemsFirst(view) ? METADATA_TAG : ITEMS_TAG);
}

function* measureStored(records: readonly CacheRecord[]): PartSteps<Uint8Array, StoredItems> {
  const pace = new Pace(stepSizes.nodes);
  const items = new StoredItems(records);
  for (const record of records) {
    items.measure(record);
    if (pace.isPause()) yield;
  }
  return items;
}

/** Items that were encoded for this response. */
class EncodedItems {
  readonly size: number;

  constructor(
    readonly messages: readonly Uint8Array[],
    readonly tag: number,
  ) {
    this.size = messages.reduce((sum, { length }) => sum + listItemSize(length), 0);
  }

  *parts(): Generator<Uint8Array> {
    for (const message of this.messages) {
      yield listItemHead(message.length, this.tag);
      yield message;
    }
  }
}

const range: MessageRange = { start: 0, end: 0 };

/** Items whose stored bytes are reused, except for the resource version. */
class StoredItems {
  /** Bytes of all items including their headers, once all are measured. */
  size = 0;
  readonly #positions: VersionPosition[] = [];

  constructor(readonly records: readonly CacheRecord[]) {}

  /** Must be called for all records, in order. */
  measure({ key, value, revision }: CacheRecord): void {
    const position = wrapDecodeError(key, value, () => {
      findEnvelopeMessage(value, range);
      return findResourceVersion(value, range.start, range.end);
    });
    this.#positions.push(position);
    this.size += listItemSize(sizeWithVersion(position, String(revision)));
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
