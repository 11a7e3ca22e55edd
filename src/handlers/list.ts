import type { CacheRecord } from '../cache/record.ts';
import { GzipWriter } from '../connection/compress.ts';
import type { BodyWriter } from '../connection/exchange.ts';
import { readingStored } from '../registry/corrupt-object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { tableOf } from '../registry/tables/index.ts';
import type { AuditRecord } from '../request/audit.ts';
import type { RequestContext } from '../request/context.ts';
import { errors } from '../status/index.ts';
import { acceptsGzip, COMPRESSION_THRESHOLD, encodeJsonDocument, send, servedEncodings, writeWarnings } from './answer.ts';
import { Chunk } from './chunk.ts';
import type { HandlerEnvironment } from './environment.ts';
import { viewContext } from './get.ts';
import { parseListOptions } from './list-options.ts';
import type { Offer } from './negotiation.ts';
import { protobufList } from './protobuf-list.ts';
import { type ListState, readState } from './read-state.ts';
import { selectionOf } from './selection.ts';
import { tableHead, tableRow } from './table-view.ts';
import type { ListMetadata, ViewContext } from './view-context.ts';
import { jsonItem, listType } from './views.ts';

/** A chunk is sent once it is this long; what then stands in it fits the writer's own measure. */
const CHUNK_BYTES = 240 * 1024;
/** A part as long as this is sent as it is; copying it behind others would cost more than one write more. */
const PASSED_ON_BYTES = 120 * 1024;

export function listOffer(context: RequestContext): Offer {
  return { encodings: servedEncodings(context), projections: ['table', 'metadata', 'metadata-list'], streams: true };
}

/** GET of a collection. */
export async function listObjects(context: RequestContext, resource: ServedResource, environment: HandlerEnvironment): Promise<void> {
  const view = viewContext(context, resource, environment, listOffer(context));
  if (view.negotiated.projection === 'metadata')
    throw errors.notAcceptableProjection(
      `you requested PartialObjectMetadata, but the requested object is a list (*${resource.row.group === '' ? 'core' : resource.row.group.split('.')[0]}.${resource.row.listKind})`,
    );
  const options = parseListOptions(context.query, resource.row, false, environment.features.watchList);
  const { stored } = resource;
  const namespace = resource.namespaceOf(context.info.namespace);
  const name = options.fieldSelector.exact('metadata.name');
  const exactKey = name === undefined || (resource.namespaced && namespace === '') ? undefined : stored.key(namespace, name);
  const state = await readState(stored, namespace, exactKey, options, selectionOf(resource, options), environment);
  await sendList(context, view, state);
}

export function listMetadata({ revision, continueToken, remaining }: ListState): ListMetadata {
  return {
    resourceVersion: String(revision),
    ...(continueToken === '' ? {} : { continue: continueToken }),
    ...(remaining === undefined || remaining === 0 ? {} : { remainingItemCount: remaining }),
  };
}

/** Answers with a list; a large one is streamed in chunks, so that memory does not grow with it. */
export async function sendList(context: RequestContext, view: ViewContext, state: ListState): Promise<void> {
  const { negotiated } = view;
  if (context.audit?.wantsResponse) recordList(context.audit, view, state);
  const parts =
    negotiated.encoding === 'protobuf' ? protobufList(view, state.records, listMetadata(state)) : jsonList(view, state.records, listMetadata(state));
  if ((negotiated.encoding === 'json' && !negotiated.pretty) || negotiated.encoding === 'protobuf')
    return streamParts(context, negotiated.contentType, parts, negotiated.projection !== 'metadata-list');
  const whole = Buffer.concat([...parts]);
  await send(
    context,
    200,
    negotiated.contentType,
    await encodeJsonDocument(whole, negotiated, negotiated.projection === 'object' ? view.resource.listType : undefined),
    negotiated.projection !== 'metadata-list',
  );
}

/** Bytes of a list above which its audit event goes without it. */
const RECORDED_BYTES = 8 << 20;

function recordList(audit: AuditRecord, view: ViewContext, state: ListState): void {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (const part of jsonList(view, state.records, listMetadata(state))) {
    bytes += part.length;
    if (bytes > RECORDED_BYTES) {
      audit.responseBodyLeftOut();
      return;
    }
    parts.push(part);
  }
  audit.responseBody(Buffer.concat(parts).toString('utf8'));
}

const FIRST = Buffer.from('{');
const NEXT = Buffer.from(',{');
const COMMA = Buffer.from(',');
const LIST_END = Buffer.from(']}\n');

/** The parts of a JSON list in order; items come from the records' memoised bytes. */
function* jsonList(view: ViewContext, records: readonly CacheRecord[], metadata: ListMetadata): Generator<Uint8Array> {
  if (view.negotiated.projection === 'table') {
    const definition = tableOf(view.resource.row.group, view.resource.row.resource);
    yield Buffer.from(`${tableHead(view.negotiated.metaVersion, definition, metadata, true)}"rows":[`);
    for (let index = 0; index < records.length; index += 1) {
      const record = records[index]!;
      if (index > 0) yield COMMA;
      yield* tableRow(view, definition, record, record.revision);
    }
  } else {
    const { kind, apiVersion } = listType(view);
    yield Buffer.from(`{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`);
    for (let index = 0; index < records.length; index += 1) {
      yield index > 0 ? NEXT : FIRST;
      const record = records[index]!;
      yield readingStored(record.key, () => jsonItem(view, record));
    }
  }
  yield LIST_END;
}

/** Sends parts as one body when they are few, else as a stream of large chunks with back-pressure, compressed when wanted. */
async function streamParts(context: RequestContext, contentType: string, parts: Iterable<Uint8Array>, compressible: boolean): Promise<void> {
  const chunk = new Chunk();
  let writer: (BodyWriter | GzipWriter) | undefined;
  for (const part of parts) {
    const alone = part.length >= PASSED_ON_BYTES;
    if (!alone) chunk.add(part);
    if (!alone && chunk.length < CHUNK_BYTES) continue;
    writer ??= startStream(context, contentType, compressible);
    if (writer.closed) return;
    if (alone && chunk.length > 0) writer.write(chunk.take());
    if (!writer.write(alone ? part : chunk.take())) await writer.drained();
    else await new Promise((resolve) => setImmediate(resolve));
  }
  if (writer === undefined) return send(context, 200, contentType, chunk.take(), compressible);
  if (chunk.length > 0) writer.write(chunk.take());
  writer.end();
}

function startStream(context: RequestContext, contentType: string, compressible: boolean): BodyWriter | GzipWriter {
  writeWarnings(context);
  context.status = 200;
  const compress = compressible && CHUNK_BYTES > COMPRESSION_THRESHOLD && acceptsGzip(context);
  const writer = context.exchange.startStream(200, contentType, compress ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {});
  return compress ? new GzipWriter(writer) : writer;
}
