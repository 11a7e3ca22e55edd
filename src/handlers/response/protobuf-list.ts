import type { CacheRecord } from '../../cache/record.ts';
import { envelopeHead, envelopeTail, findEnvelopeMessage, type MessageRange } from '../../codec/envelope.ts';
import { encodeMessage } from '../../codec/protobuf.ts';
import {
  findResourceVersion,
  listItemHead,
  listItemSize,
  sizeWithVersion,
  type VersionPosition,
  writeHeadWithVersion,
  writeListItemHead,
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

/** Bytes of a stored message, up to which it is copied rather than sent as a part of its own. */
const COPIED_BYTES = 768;
/** What precedes the stored messages is written into pieces of this length. */
const PIECE_BYTES = 32 * 1024;

/**
 * Encodes a protobuf list: envelope, list metadata, items. Items whose stored bytes are reused are measured
 * first; their parts are made while they are sent.
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
  for await (const page of pages()) yield measure(page);
  yield listHead(view, metadata, size);
  for await (const page of pages()) yield protobufItems(view, page);
  yield [envelopeTail];
}

function itemsOf(
  view: ViewContext,
  records: readonly CacheRecord[],
): PartSteps<Uint8Array, StoredItems | EncodedItems> {
  return sendsStored(view) ? measureStored(records) : encodeItems(view, records);
}

/** Whether the items are stored messages. */
export const sendsStored = ({ negotiated, resource }: ViewContext): boolean =>
  negotiated.projection === 'object' && resource.storesServedMessages;

/** Encodes what precedes the items of a list. */
export function* protobufHead(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
): PartSteps<Uint8Array> {
  const { size } = yield* itemsOf(view, records);
  yield* listHead(view, metadata, size);
}

/** Encodes items of a list. */
export function* protobufItems(view: ViewContext, records: readonly CacheRecord[]): PartSteps<Uint8Array> {
  yield* (yield* itemsOf(view, records)).parts();
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
const EMPTY = Buffer.alloc(0);

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
    let piece: Buffer = EMPTY;
    let from = 0;
    let at = 0;
    for (const [index, { value, revision }] of this.records.entries()) {
      const position = this.#positions[index]!;
      const version = String(revision);
      const size = sizeWithVersion(position, version);
      const whole = listItemSize(size);
      const rest = value.subarray(position.to, position.end);
      const isCopied = rest.length <= COPIED_BYTES;
      const written = isCopied ? whole : whole - rest.length;
      if (at + written > piece.length) {
        if (at > from) yield piece.subarray(from, at);
        piece = Buffer.allocUnsafeSlow(Math.max(written, Math.min(PIECE_BYTES, left)));
        from = 0;
        at = 0;
      }
      at = writeHeadWithVersion(piece, writeListItemHead(piece, at, size), value, position, version);
      left -= whole;
      if (isCopied) {
        piece.set(rest, at);
        at += rest.length;
        continue;
      }
      yield piece.subarray(from, at);
      from = at;
      yield rest;
    }
    if (at > from) yield piece.subarray(from, at);
  }
}
