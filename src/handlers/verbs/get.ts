import type { CacheRecord } from '../../cache/record.ts';
import { inSpan } from '../../observability/span.ts';
import { checkPathName } from '../../operations/object-metadata.ts';
import type { RequestContext } from '../../request/context.ts';
import { wrapDecodeError } from '../../resources/corrupt-object.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ConversionFailedError } from '../../status/api-error.ts';
import { errors } from '../../status/index.ts';
import { isLarge, pauseIfLarge, recordSize, runInTurns } from '../../steps/run.ts';
import type { MaybePromise, Steps } from '../../steps/steps.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { parseIncludeObject } from '../request/parameters.ts';
import {
  documentParts,
  negotiateRequest,
  objectEncodings,
  send,
  servedEncodings,
} from '../response/answer.ts';
import { notAList } from '../response/metadata-view.ts';
import type { Offer } from '../response/negotiation.ts';
import { streamParts } from '../response/stream-parts.ts';
import type { ViewContext } from '../response/view-context.ts';
import { jsonDocument, prepared, protobufDocument } from '../response/views.ts';
import { hasWatchCache, INVALID_VERSION, parseRevision } from './list-options.ts';

/** The offer of a response with one object. */
export function objectOffer(context: RequestContext, { schema }: ServedResource): Offer {
  return {
    encodings: servedEncodings(context),
    objectEncodings: objectEncodings(context, schema),
    isUntyped: schema.isUntyped,
    projections: ['table', 'metadata', 'metadata-list'],
  };
}

export function viewContext(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  offer: Offer,
): ViewContext {
  const negotiated = negotiateRequest(context, offer);
  // The object of a write is encoded again only for watches and later reads.
  const keep = context.exchange.method === 'GET' || isWatched(context, resource);
  return negotiatedView(context, resource, environment, { negotiated, keep });
}

/** The form of the objects in a response whose encoding and projection are chosen. */
export const negotiatedView = (
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  { negotiated, keep }: Pick<ViewContext, 'negotiated' | 'keep'>,
): ViewContext => ({
  resource,
  negotiated,
  includeObject: negotiated.projection === 'table' ? parseIncludeObject(context) : 'Metadata',
  now: environment.now(),
  keep,
});

function isWatched({ info }: RequestContext, { cache, stored, row }: ServedResource): boolean {
  return cache.isWatched(stored.scope(row.namespaced ? info.namespace : ''));
}

/** Handles GET of one object; synchronous if nothing has to be awaited. */
export function getObject(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): MaybePromise<void> {
  const view = viewContext(context, resource, environment, objectOffer(context, resource));
  const { stored } = resource;
  checkPathName(context.info.name);
  if (context.query.boolean('export'))
    throw errors.badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const revision = context.query.empty
    ? undefined
    : parseRevision(
        context.query.get('resourceVersion'),
        hasWatchCache(resource.row, environment.features) ? '' : INVALID_VERSION,
      );
  // A read of the store, in the words of kube-apiserver: the cache learns which version is the latest.
  const fresh = inSpan(context.span, 'cacher.Get', (span) =>
    inSpan(
      span,
      'etcdserverpb.KV/Range',
      () => stored.cache.waitFresh(revision ?? 'latest', environment.operations.futureRevisionWait),
      'client',
    ),
  );
  const { unsafeDeletion } = environment.features;
  if (fresh === undefined) return sendFound(context, resource, view, unsafeDeletion);
  return fresh.then(() => sendFound(context, resource, view, unsafeDeletion));
}

/** @param isExplained whether an object that cannot be converted is reported as one that can be deleted */
function sendFound(
  context: RequestContext,
  resource: ServedResource,
  view: ViewContext,
  isExplained: boolean,
): MaybePromise<void> {
  const { stored } = resource;
  const { info } = context;
  const record = stored.cache.get(stored.key(resource.namespaceOf(info.namespace), info.name));
  if (record === undefined) throw errors.notFound(resource.row, info.name);
  recordSize(context, record.value.length);
  if (!isExplained) return sendRecord(context, view, record, 200);
  try {
    const sent = sendRecord(context, view, record, 200);
    return sent instanceof Promise ? sent.catch((error) => explain(error, record)) : sent;
  } catch (error) {
    explain(error, record);
  }
}

/**
 * Reports an object that cannot be converted as a corrupt one, as kube-apiserver does where such objects can be
 * deleted (`AllowUnsafeMalformedObjectDeletion`).
 */
function explain(error: unknown, { key, revision }: CacheRecord): never {
  if (!(error instanceof ConversionFailedError)) throw error;
  const place = `Code: 7, Key: ${key.replace(/^\/registry/, '')}, ResourceVersion: 0`;
  const reason = `object not decodable revision=${revision}: ${error.message}`;
  throw errors.internal(`StorageError: corrupt object, ${place}, AdditionalErrorMsg: ${reason}`);
}

/** Sends one stored record in the negotiated form and the version of the request. */
export function sendRecord(
  context: RequestContext,
  view: ViewContext,
  record: CacheRecord,
  status: number,
): MaybePromise<void> {
  const serialize = (one: CacheRecord) =>
    inSpan(context.span, 'SerializeObject', () => sendPrepared(context, view, one, status));
  const prepared = view.resource.conversion.prepare(record, context);
  return prepared instanceof Promise ? prepared.then((one) => serialize(one)) : serialize(prepared);
}

function sendPrepared(
  context: RequestContext,
  view: ViewContext,
  record: CacheRecord,
  status: number,
): MaybePromise<void> {
  if (view.negotiated.projection === 'metadata-list') {
    const { row, schema } = view.resource;
    throw errors.notAcceptableProjection(notAList(row.group, row.kind, schema.isUntyped));
  }
  if (context.exchange.ignoresAnswer === true && context.audit?.recordsResponseBody !== true)
    return send(context, status, view.negotiated.contentType, '');
  if (isLarge(context) || takesSteps(context, view, record)) return sendLarge(context, view, record, status);
  recordBody(context, view, record);
  return sendDocument(context, view, documentOf(view, record), status);
}

/** Whether the answer is made in steps: of a large record, unless its encoding is cached. */
const takesSteps = ({ audit }: RequestContext, view: ViewContext, record: CacheRecord): boolean =>
  audit?.recordsResponseBody === true ? view.resource.isLarge(record) : prepared(view, record) !== undefined;

async function sendLarge(
  context: RequestContext,
  view: ViewContext,
  record: CacheRecord,
  status: number,
): Promise<void> {
  await pauseIfLarge(context);
  const document = await runInTurns(context.turns, largeDocument(context, view, record));
  await sendDocument(context, view, document, status);
}

function* largeDocument(context: RequestContext, view: ViewContext, record: CacheRecord): Steps<Uint8Array> {
  let shown = record;
  if (context.audit?.recordsResponseBody) {
    const asJson: ViewContext = { ...view, negotiated: { ...view.negotiated, encoding: 'json' } };
    const steps = prepared(asJson, record);
    if (steps !== undefined) shown = yield* steps;
    recordBody(context, view, shown);
    yield;
    // It has the JSON, which other encodings than protobuf begin with.
    if (view.negotiated.encoding !== 'protobuf') return documentOf(view, shown);
  }
  const steps = prepared(view, record);
  return documentOf(view, steps === undefined ? record : yield* steps);
}

/** Records the JSON of an audited response, whatever its encoding. */
function recordBody({ audit }: RequestContext, view: ViewContext, record: CacheRecord): void {
  if (audit?.recordsResponseBody)
    audit.setResponseBody(
      wrapDecodeError(record.key, record.value, () => textOf(jsonDocument(view, record, record.revision))),
    );
}

/** The document of a record in the encoding of the response, or the JSON of which it is made. */
const documentOf = (view: ViewContext, record: CacheRecord): Uint8Array =>
  wrapDecodeError(record.key, record.value, () =>
    view.negotiated.encoding === 'protobuf'
      ? protobufDocument(view, record, record.revision)
      : jsonDocument(view, record, record.revision),
  );

function sendDocument(
  context: RequestContext,
  view: ViewContext,
  document: Uint8Array,
  status: number,
): MaybePromise<void> {
  const { encoding, contentType } = view.negotiated;
  return encoding === 'protobuf'
    ? send(context, status, contentType, document)
    : sendJson(context, view, document, status);
}

function sendJson(
  context: RequestContext,
  view: ViewContext,
  json: Uint8Array,
  status: number,
): MaybePromise<void> {
  const { negotiated } = view;
  if (negotiated.encoding === 'json' && !negotiated.pretty)
    return send(context, status, negotiated.contentType, json);
  return sendEncoded(context, view, json, status);
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

/**
 * Bytes of one object that are sent at once. More are streamed: indentation makes the text of a deep object many
 * times as long as its JSON.
 */
const WHOLE_BYTES = 4 << 20;

async function sendEncoded(
  context: RequestContext,
  { negotiated, resource }: ViewContext,
  { buffer, byteOffset, byteLength }: Uint8Array,
  status: number,
): Promise<void> {
  const json = Buffer.from(buffer, byteOffset, byteLength);
  const schema = negotiated.projection === 'object' ? resource.schema : undefined;
  const parts = await documentParts(context.turns, json, negotiated, schema);
  await streamParts(context, negotiated.contentType, [parts], {
    compressible: true,
    status,
    wholeBytes: WHOLE_BYTES,
  });
}
