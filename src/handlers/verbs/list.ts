import type { CacheRecord } from '../../cache/record.ts';
import { prettyParts } from '../../codec/pretty.ts';
import { inSpan } from '../../observability/span.ts';
import type { AuditRecord } from '../../request/audit.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { objectEncodings, servedEncodings, utf8Parts } from '../response/answer.ts';
import { compressedList, sendsKeptParts } from '../response/compressed-list.ts';
import { jsonList, jsonPages, plainList, showsSorted } from '../response/json-list.ts';
import { isAList } from '../response/metadata-view.ts';
import { checkMediaTypes, type Offer } from '../response/negotiation.ts';
import { protobufList, protobufPages } from '../response/protobuf-list.ts';
import { type BodyParts, type Parts, streamParts } from '../response/stream-parts.ts';
import type { ListMetadata, ViewContext } from '../response/view-context.ts';
import { viewContext } from './get.ts';
import { checkFieldLabels, parseListOptions } from './list-options.ts';
import { type ListPosition, type ListState, readState } from './read-state.ts';
import { selectionOf } from './selection.ts';

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
    readState(resource, namespace, exactKey, options, selectionOf(resource, options), context, environment),
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
  const metadata = listMetadata(state, showsSorted(view));
  const isGzip = sendsKeptParts(context, view, state.records);
  const parts = isGzip
    ? compressedList(context.turns, view, state.records!, metadata)
    : await partsOf(view, state, metadata);
  await streamParts(context, negotiated.contentType, parts, {
    compressible: negotiated.projection !== 'metadata-list',
    isGzip,
  });
}

async function partsOf(view: ViewContext, state: ListState, metadata: ListMetadata): Promise<Parts> {
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

/** Returns the parts of a list in the negotiated encoding; `undefined` marks a pause. */
async function listParts(
  view: ViewContext,
  records: readonly CacheRecord[],
  metadata: ListMetadata,
): Promise<BodyParts> {
  const { encoding, projection, pretty } = view.negotiated;
  switch (encoding) {
    case 'protobuf':
      return protobufList(view, records, metadata);
    case 'yaml':
      return utf8Parts((await import('../../codec/yaml.ts')).yamlParts(plainList(view, records, metadata)));
    case 'cbor': {
      const { cborParts } = await import('../../codec/cbor.ts');
      const { schema } = view.resource;
      return cborParts(
        plainList(view, records, metadata, (item) =>
          projection === 'object' ? schema.binaryForm(item) : item,
        ),
      );
    }
    default:
      return pretty ? prettyParts(jsonList(view, records, metadata)) : jsonList(view, records, metadata);
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
      if (part === undefined) {
        await turns.pause();
        continue;
      }
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
