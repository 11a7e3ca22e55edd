import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import { builtinSchema, encodeProtobufObject } from '../../registry/object-schema.ts';
import type { TableDefinition } from '../../registry/table.ts';
import type { RequestContext } from '../../request/context.ts';
import { encodeJsonDocument, negotiateRequest, send, sendPlain, servedEncodings } from './answer.ts';
import type { Encoding } from './negotiation.ts';
import { plainTableJson } from './table-view.ts';

/**
 * Sends an object of a kind without storage.
 * @param table its Table form, if it has one
 * @param objectEncodings the encodings of the object, if they are fewer than those of its Table
 */
export async function sendObject(
  context: RequestContext,
  status: number,
  group: string,
  version: string,
  kind: string,
  object: KubernetesObject,
  table?: TableDefinition,
  objectEncodings: readonly Encoding[] = servedEncodings(context),
): Promise<void> {
  const negotiated = negotiateRequest(context, {
    encodings: servedEncodings(context),
    objectEncodings,
    projections: table === undefined ? [] : ['table'],
  });
  if (negotiated.projection === 'table')
    return send(
      context,
      status,
      negotiated.contentType,
      await encodeJsonDocument(
        context.turns,
        plainTableJson(table!, [object], negotiated.metaVersion, Date.now()),
        negotiated,
      ),
    );
  const schema = builtinSchema(group, version, kind)!;
  const typeMeta = { apiVersion: apiVersionOf(group, version), kind };
  if (context.audit?.recordsResponseBody) context.audit.setResponseBody(schema.writeJson(object, typeMeta));
  if (negotiated.encoding === 'protobuf' && schema.protobuf !== undefined)
    return send(context, status, negotiated.contentType, encodeProtobufObject(schema, typeMeta, object));
  return send(
    context,
    status,
    negotiated.contentType,
    await encodeJsonDocument(context.turns, schema.writeJson(object, typeMeta), negotiated),
  );
}

/** Sends the Status of an action without a resulting object: bindings and evictions. */
export async function sendSuccess(context: RequestContext, code: number): Promise<void> {
  const negotiated = negotiateRequest(context, { encodings: servedEncodings(context), projections: [] });
  await sendPlain(context, code, negotiated, '', 'v1', 'Status', {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code,
  });
}
