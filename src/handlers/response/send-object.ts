import { encodeObject } from '../../codec/envelope.ts';
import { writeJson } from '../../codec/json-write.ts';
import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import { kindType } from '../../model/scheme.ts';
import type { TableDefinition } from '../../registry/table.ts';
import type { RequestContext } from '../../request/context.ts';
import { encodeJsonDocument, negotiateRequest, send, servedEncodings } from './answer.ts';
import { plainTableJson } from './table-view.ts';

/**
 * Sends an object of a kind without storage.
 * @param table its Table form, if it has one
 */
export async function sendObject(
  context: RequestContext,
  status: number,
  group: string,
  version: string,
  kind: string,
  object: KubernetesObject,
  table?: TableDefinition,
): Promise<void> {
  const negotiated = negotiateRequest(context, {
    encodings: servedEncodings(context),
    projections: table === undefined ? [] : ['table'],
  });
  if (negotiated.projection === 'table')
    return send(
      context,
      status,
      negotiated.contentType,
      await encodeJsonDocument(
        plainTableJson(table!, [object], negotiated.metaVersion, Date.now()),
        negotiated,
      ),
    );
  const type = kindType(group, version, kind)!;
  const apiVersion = apiVersionOf(group, version);
  if (context.audit?.wantsResponse) context.audit.responseBody(writeJson(type, object, { apiVersion, kind }));
  if (negotiated.encoding === 'protobuf' && type.protobuf !== undefined)
    return send(context, status, negotiated.contentType, encodeObject(type, apiVersion, kind, object));
  return send(
    context,
    status,
    negotiated.contentType,
    await encodeJsonDocument(writeJson(type, object, { apiVersion, kind }), negotiated),
  );
}
