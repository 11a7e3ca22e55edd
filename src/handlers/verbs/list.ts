import type { CacheRecord } from '../../cache/record.ts';
import { parseJson } from '../../codec/json-parse.ts';
import { LazyList } from '../../codec/lazy-list.ts';
import { prettyParts } from '../../codec/pretty.ts';
import { GzipWriter } from '../../connection/compress.ts';
import type { BodyWriter } from '../../connection/exchange.ts';
import { inSpan } from '../../observability/span.ts';
import { wrapDecodeError } from '../../registry/corrupt-object.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { AuditRecord } from '../../request/audit.ts';
import type { RequestContext } from '../../request/context.ts';
import { errors } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import {
  acceptsGzip,
  COMPRESSION_THRESHOLD,
  objectEncodings,
  send,
  servedEncodings,
  writeWarnings,
} from '../response/answer.ts';
import { isAList } from '../response/metadata-view.ts';
import { checkMediaTypes, type Offer } from '../response/negotiation.ts';
import { protobufList, protobufPages } from '../response/protobuf-list.ts';
import { tableHead, tableRow } from '../response/table-view.ts';
import type { ListMetadata, ViewContext } from '../response/view-context.ts';
import { jsonItem, listType } from '../response/views.ts';
import { viewContext } from './get.ts';
import { checkFieldLabels, parseListOptions } from './list-options.ts';
import { type ListPosition, type ListState, readState } from './read-state.ts';
import { selectionOf } from './selection.ts';

/** Parts are sent at this length together; what exceeds it fits the high-water mark of the connection. */
const CHUNK_BYTES = 240 * 1024;
/** Records that are encoded without a pause: a few milliseconds of work if no form is cached. */
const RECORDS_AT_ONCE = 64;
const PAUSE = new Uint8Array(0);

export function listOffer(context: RequestContext, { schema }: ServedResource): Offer {
  return {
    encodings: servedEncodings(context),
    objectEncodings: objectEncodings(context, schema),
    isUntyped: schema.isUntyped,
    projections: ['table', 'metadata', 'metadata-list'],
    streams: true,
  };
}

/** Handles GET of a collection. */
export async function listObjects(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const offer = listOffer(context, resource);
  checkMediaTypes(context.exchange.header('accept'), offer);
  const options = parseListOptions(context.query, false, environment.features.watchList);
  const view = viewContext(context, resource, environment, offer);
  checkFieldLabels(options, resource.row);
  const { stored } = resource;
  const namespace = resource.namespaceOf(context.info.namespace);
  const name = options.fieldSelector.exact('metadata.name');
  const exactKey =
    name === undefined || (resource.namespaced && namespace === '') ? undefined : stored.key(namespace, name);
  const state = await inSpan(context.span, 'cacher.GetList', () =>
    readState(resource, namespace, exactKey, options, selectionOf(resource, options), environment),
  );
  context.span?.event('Listing from storage done');
  if (view.negotiated.projection === 'metadata')
    throw errors.notAcceptableProjection(
      isAList(resource.row.group, resource.row.listKind, resource.schema.isUntyped),
    );
  await inSpan(context.span, 'SerializeObject', () => sendList(context, view, state));
}

/** @param isUntyped the list has sorted members, and a continue token even at its end */
export function listMetadata(
  { revision, continueToken, remaining }: ListPosition,
  isUntyped = false,
): ListMetadata {
  const rest = remaining === undefined || remaining === 0 ? {} : { remainingItemCount: remaining };
  if (isUntyped) return { continue: continueToken, ...rest, resourceVersion: String(revision) };
  return {
    resourceVersion: String(revision),
    ...(continueToken === '' ? {} : { continue: continueToken }),
    ...rest,
  };
}

/**
 * Sends a list. A large list is streamed in chunks, so that its size does not determine the memory in use.
 */
export async function sendList(context: RequestContext, view: ViewContext, state: ListState): Promise<void> {
  const { negotiated } = view;
  if (context.audit?.recordsResponseBody) await recordList(context, context.audit, view, state);
  await streamParts(
    context,
    negotiated.contentType,
    await partsOf(view, state),
    negotiated.projection !== 'metadata-list',
  );
}

/** The parts of a response in groups; the parts of a page of records are created while they are sent. */
type Parts = Iterable<Iterable<Uint8Array>> | AsyncIterable<Iterable<Uint8Array>>;

async function partsOf(view: ViewContext, state: ListState): Promise<Parts> {
  const metadata = listMetadata(state, showsSorted(view));
  if (state.records !== undefined)
    return [await listParts(view, inTableOrder(view, state.records), metadata)];
  // Records that were read for this response only are not cached.
  const uncached = { ...view, keep: false };
  const { encoding, pretty } = view.negotiated;
  if (encoding === 'protobuf') return protobufPages(uncached, state.pages, metadata);
  if (encoding === 'json' && !pretty) return jsonPages(uncached, state.pages, metadata);
  // The other encodings need all records in memory.
  const records: CacheRecord[] = [];
  for await (const page of state.pages()) for (const record of page) records.push(record);
  return [await listParts(uncached, records, metadata)];
}

/** Sorts the rows of tables that define an order. */
function inTableOrder(
  { negotiated, resource }: ViewContext,
  records: readonly CacheRecord[],
): readonly CacheRecord[] {
  const { compare } = resource.table;
  if (negotiated.projection !== 'table' || compare === undefined) return records;
  const objects = new Map(records.map((record) => [record, resource.object(record)]));
  return [...records].sort((a, b) => compare(objects.get(a)!, objects.get(b)!));
}

/** Returns the parts of a list in the negotiated encoding; an empty part marks a pause. */
async function listParts(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
): Promise<Iterable<Uint8Array>> {
  const { encoding, projection, pretty } = view.negotiated;
  switch (encoding) {
    case 'protobuf':
      return protobufList(view, records, metadata);
    case 'yaml':
      return textParts((await import('../../codec/yaml.ts')).yamlParts(plainList(view, records, metadata)));
    case 'cbor': {
      const { cborParts } = await import('../../codec/cbor.ts');
      const { schema } = view.resource;
      return withPauses(
        cborParts(
          plainList(view, records, metadata, (item) =>
            projection === 'object' ? schema.binaryForm(item) : item,
          ),
        ),
      );
    }
    default:
      return pretty ? prettyParts(jsonList(view, records, metadata)) : jsonList(view, records, metadata);
  }
}

function* textParts(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) {
    if (text !== '') yield Buffer.from(text);
    yield PAUSE;
  }
}

/** Adds pauses to parts of one record each. */
function* withPauses(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let records = 0;
  for (const part of parts) {
    yield part;
    if (++records % RECORDS_AT_ONCE === 0) yield PAUSE;
  }
}

/** Larger lists are left out of audit events. */
const RECORDED_BYTES = 8 << 20;

async function recordList(
  { turns }: RequestContext,
  audit: AuditRecord,
  view: ViewContext,
  state: ListState,
): Promise<void> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const metadata = listMetadata(state);
  const groups: Parts =
    state.records === undefined
      ? jsonPages({ ...view, keep: false }, state.pages, metadata)
      : [jsonList(view, state.records, metadata)];
  for await (const group of groups) {
    for (const part of group) {
      if (part.length === 0) await turns.pause();
      bytes += part.length;
      if (bytes > RECORDED_BYTES) {
        audit.omitResponseBody();
        return;
      }
      parts.push(part);
    }
  }
  audit.setResponseBody(Buffer.concat(parts).toString('utf8'));
}

const FIRST = Buffer.from('{');
const NEXT = Buffer.from(',{');
const COMMA = Buffer.from(',');
const LIST_END = Buffer.from(']}\n');
const NULL_LIST_END = Buffer.from('null}\n');

/** Yields the parts of a JSON list; items come from the encoding cache of the records. */
function* jsonList(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
): Generator<Uint8Array> {
  const [head, end] = jsonFrame(view, metadata, hasNullItems(view, records));
  yield head;
  yield* jsonItems(view, records, true);
  yield end;
}

/** Like {@link jsonList}, for records that are read page by page. */
async function* jsonPages(
  view: ViewContext,
  pages: ListState['pages'],
  metadata: ListMetadata,
): AsyncGenerator<Iterable<Uint8Array>> {
  const [head, end] = jsonFrame(view, metadata);
  yield [head];
  let first = true;
  for await (const page of pages()) {
    yield jsonItems(view, page, first);
    if (page.length > 0) first = false;
  }
  yield [end];
}

/** Whether the list has the objects of a kind whose JSON has sorted members. */
const showsSorted = ({ resource, negotiated }: ViewContext): boolean =>
  negotiated.projection === 'object' && resource.schema.isUntyped;

/** Whether the items of an empty list are null, as those of metadata are, and the rows of some tables. */
const hasNullItems = (
  { resource, negotiated: { projection } }: ViewContext,
  records: readonly CacheRecord[],
): boolean =>
  records.length === 0 &&
  (projection === 'metadata-list' || (projection === 'table' && resource.table.nullWhenEmpty === true));

/** Returns the JSON of a list before and after its items. */
function jsonFrame(
  view: ViewContext,
  metadata: ListMetadata,
  nullItems = false,
): [head: Uint8Array, end: Uint8Array] {
  if (view.negotiated.projection === 'table') {
    const head = tableHead(view.negotiated.metaVersion, view.resource.table, metadata, true);
    return nullItems
      ? [Buffer.from(`${head}"rows":`), NULL_LIST_END]
      : [Buffer.from(`${head}"rows":[`), LIST_END];
  }
  const { kind, apiVersion } = listType(view);
  const metadataText = JSON.stringify(metadata);
  if (showsSorted(view))
    return [
      Buffer.from(`{"apiVersion":"${apiVersion}","items":[`),
      Buffer.from(`],"kind":"${kind}","metadata":${metadataText}}\n`),
    ];
  const head = `{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${metadataText},"items":`;
  if (nullItems) return [Buffer.from(head), NULL_LIST_END];
  return [Buffer.from(`${head}[`), LIST_END];
}

/** @param first whether the list has no earlier items */
function* jsonItems(
  view: ViewContext,
  records: readonly CacheRecord[],
  first: boolean,
): Generator<Uint8Array> {
  const table = view.negotiated.projection === 'table' ? view.resource.table : undefined;
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index]!;
    const next = !first || index > 0;
    if (index % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) yield PAUSE;
    if (table !== undefined) {
      if (next) yield COMMA;
      yield* tableRow(view, table, record, record.revision);
    } else {
      yield next ? NEXT : FIRST;
      yield wrapDecodeError(record.key, record.value, () => jsonItem(view, record));
    }
  }
}

/** A list as plain data for encodings that need it; items are created during encoding. */
function plainList(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
  transform = (item: unknown): unknown => item,
): object {
  if (view.negotiated.projection === 'table') {
    const definition = view.resource.table;
    const head = JSON.parse(
      `${tableHead(view.negotiated.metaVersion, definition, metadata, true)}"rows":null}`,
    ) as object;
    if (hasNullItems(view, records)) return head;
    return {
      ...head,
      rows: plainItems(
        records,
        (record) => parseJson(Buffer.concat([...tableRow(view, definition, record, record.revision)])).value,
      ),
    };
  }
  const item = (record: CacheRecord): Uint8Array =>
    wrapDecodeError(record.key, record.value, () => jsonItem(view, record));
  if (hasNullItems(view, records)) return { ...listType(view), metadata, items: null };
  return {
    ...listType(view),
    metadata,
    items: plainItems(records, (record) => transform(parseJson(Buffer.concat([FIRST, item(record)])).value)),
  };
}

const plainItems = (records: readonly CacheRecord[], make: (record: CacheRecord) => unknown): LazyList =>
  new LazyList(
    records.length,
    (function* () {
      for (const record of records) yield make(record);
    })(),
  );

/**
 * Sends few parts as one body, many as a stream of large chunks with back-pressure; compressed if accepted.
 */
async function streamParts(
  context: RequestContext,
  contentType: string,
  groups: Parts,
  compressible: boolean,
): Promise<void> {
  const { turns } = context;
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let writer: BodyWriter | undefined;
  for await (const group of groups) {
    for (const part of group) {
      if (part.length === 0) {
        await turns.pause();
        continue;
      }
      parts.push(part);
      bytes += part.length;
      if (bytes < CHUNK_BYTES) continue;
      writer ??= startStream(context, contentType, compressible);
      if (writer.closed) return;
      if (!writeParts(writer, parts)) await writer.drained();
      parts = [];
      bytes = 0;
      await turns.pause();
    }
  }
  if (writer === undefined) return send(context, 200, contentType, joined(parts), compressible);
  if (bytes > 0) writeParts(writer, parts);
  writer.end();
}

const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  parts.length === 1 ? parts[0]! : Buffer.concat(parts);

const writeParts = (writer: BodyWriter, parts: readonly Uint8Array[]): boolean =>
  writer.writeParts === undefined ? writer.write(joined(parts)) : writer.writeParts(parts);

function startStream(context: RequestContext, contentType: string, compressible: boolean): BodyWriter {
  writeWarnings(context);
  context.status = 200;
  const compress = compressible && CHUNK_BYTES > COMPRESSION_THRESHOLD && acceptsGzip(context);
  const writer = context.exchange.startStream(
    200,
    contentType,
    compress ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {},
  );
  return compress ? new GzipWriter(writer) : writer;
}
