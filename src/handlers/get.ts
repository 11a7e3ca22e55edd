import type { RequestContext } from '../request/context.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { errors } from '../status/index.ts';
import { readingStored } from '../operations/store-errors.ts';
import type { CacheRecord } from '../cache/record.ts';
import { encodeJsonDocument, negotiateRequest, send, servedEncodings } from './answer.ts';
import type { HandlerEnvironment } from './environment.ts';
import { parseRevision } from './list-options.ts';
import { mediaTypes, type Offer } from './negotiation.ts';
import { parseIncludeObject } from './parameters.ts';
import { waitForRevision } from './read-state.ts';
import { jsonDocument, protobufDocument, type ViewContext } from './views.ts';

/** Offer of an answer that shows one object. */
export function objectOffer(): Offer {
  return { encodings: servedEncodings(), projections: ['table', 'metadata'] };
}

export function viewContext(context: RequestContext, resource: ServedResource, environment: HandlerEnvironment, offer: Offer): ViewContext {
  const negotiated = negotiateRequest(context, offer);
  if (negotiated.projection === 'table' && (negotiated.encoding === 'protobuf' || negotiated.encoding === 'cbor')) throw errors.notAcceptableForm(mediaTypes(servedEncodings()));
  return { resource, negotiated, includeObject: negotiated.projection === 'table' ? parseIncludeObject(context) : 'Metadata', now: environment.now() };
}

/** GET of one object. */
export async function getObject(context: RequestContext, resource: ServedResource, environment: HandlerEnvironment): Promise<void> {
  const view = viewContext(context, resource, environment, objectOffer());
  const { stored } = resource;
  const revision = parseRevision(context.query.get('resourceVersion')) ?? 0;
  const ready = stored.cache.ready();
  if (ready instanceof Promise) await ready;
  if (revision > stored.cache.revision) await waitForRevision(stored, revision, environment.operations.futureRevisionWait);
  const { info } = context;
  const record = stored.cache.get(stored.key(resource.namespaceOf(info.namespace), info.name));
  if (record === undefined) throw errors.notFound(resource.row, info.name);
  await sendRecord(context, view, record, 200);
}

/** Answers with one record in the negotiated form. */
export async function sendRecord(context: RequestContext, view: ViewContext, record: CacheRecord, status: number): Promise<void> {
  const { negotiated } = view;
  if (negotiated.encoding === 'protobuf') {
    await send(context, status, negotiated.contentType, readingStored(record.key, () => protobufDocument(view, record, record.revision)));
    return;
  }
  const json = readingStored(record.key, () => jsonDocument(view, record, record.revision));
  await send(context, status, negotiated.contentType, await encodeJsonDocument(json, negotiated, negotiated.projection === 'object' ? view.resource.type : undefined));
}
