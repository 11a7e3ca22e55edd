import { encodeEnvelope } from '../../codec/envelope.ts';
import { writeJson } from '../../codec/json-write.ts';
import { encodeMessage } from '../../codec/protobuf.ts';
import type { TableDefinition } from '../../kinds/table.ts';
import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import type { RequestContext } from '../../request/context.ts';
import {
  builtinSchema,
  encodeProtobufObject,
  type ObjectSchema,
  type TypeMeta,
} from '../../resources/object-schema.ts';
import { errors } from '../../status/index.ts';
import { runInTurns } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import { parseIncludeObject } from '../request/parameters.ts';
import { encodeJsonDocument, negotiateRequest, send, sendPlain, servedEncodings } from './answer.ts';
import { notAList } from './metadata-view.ts';
import type { Encoding, Negotiated } from './negotiation.ts';
import { plainTableJson } from './table-view.ts';

/**
 * Sends an object of a kind without storage.
 * @param table its Table form, if it has one, and the cluster's time for ages
 * @param objectEncodings the encodings of the object, if they are fewer than those of its Table
 */
export async function sendObject(
  context: RequestContext,
  status: number,
  group: string,
  version: string,
  kind: string,
  object: KubernetesObject,
  table?: { readonly definition: TableDefinition; readonly now: number },
  objectEncodings: readonly Encoding[] = servedEncodings(context),
): Promise<void> {
  const negotiated = negotiateRequest(context, {
    encodings: servedEncodings(context),
    objectEncodings,
    projections: table === undefined ? ['metadata', 'metadata-list'] : ['table', 'metadata', 'metadata-list'],
  });
  if (negotiated.projection === 'metadata-list') throw errors.notAcceptableProjection(notAList(group, kind));
  if (negotiated.projection === 'metadata') return sendMetadata(context, status, negotiated, object);
  const schema = builtinSchema(context.scheme.types, group, version, kind)!;
  const typeMeta = { apiVersion: apiVersionOf(group, version), kind };
  if (negotiated.projection === 'table')
    return send(
      context,
      status,
      negotiated.contentType,
      await encodeJsonDocument(
        context.turns,
        plainTableJson(table!.definition, [object], {
          types: context.scheme.types,
          metaVersion: negotiated.metaVersion,
          includeObject: parseIncludeObject(context),
          objectJson: (one) => schema.writeJson(one, typeMeta).trimEnd(),
          now: table!.now,
        }),
        negotiated,
      ),
    );
  if (context.audit?.recordsResponseBody) {
    const json = await jsonOf(context, schema, object, typeMeta);
    context.audit.setResponseBody(
      typeof json === 'string' ? json : Buffer.from(json).toString('utf8').trimEnd(),
    );
  }
  if (negotiated.encoding === 'protobuf' && schema.protobuf !== undefined)
    return send(context, status, negotiated.contentType, encodeProtobufObject(schema, typeMeta, object));
  return send(
    context,
    status,
    negotiated.contentType,
    await encodeJsonDocument(context.turns, await jsonOf(context, schema, object, typeMeta), negotiated),
  );
}

/** The JSON of an object; that of a large request is written in steps, as bytes with a newline. */
async function jsonOf(
  { turns, workingSetBytes }: RequestContext,
  schema: ObjectSchema,
  object: KubernetesObject,
  typeMeta: TypeMeta,
): Promise<Uint8Array | string> {
  const revision = object.metadata?.resourceVersion ?? '0';
  const steps =
    workingSetBytes > stepSizes.objectBytes
      ? schema.writingDocument?.(object, typeMeta, revision)
      : undefined;
  return steps === undefined ? schema.writeJson(object, typeMeta) : (await runInTurns(turns, steps)).bytes;
}

/** Sends the metadata of an object without storage. */
async function sendMetadata(
  context: RequestContext,
  status: number,
  negotiated: Negotiated,
  { metadata }: KubernetesObject,
): Promise<void> {
  const type = context.scheme.types.type('meta_v1.PartialObjectMetadata');
  const typeMeta = { apiVersion: `meta.k8s.io/${negotiated.metaVersion}`, kind: 'PartialObjectMetadata' };
  const partial = { metadata: metadata ?? {} };
  await send(
    context,
    status,
    negotiated.contentType,
    negotiated.encoding === 'protobuf'
      ? encodeEnvelope(typeMeta.apiVersion, typeMeta.kind, encodeMessage(type, partial))
      : await encodeJsonDocument(context.turns, writeJson(type, partial, typeMeta), negotiated),
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
