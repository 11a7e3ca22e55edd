import { encodeEnvelope } from '../codec/envelope.ts';
import { encodeMessage } from '../codec/protobuf.ts';
import type { HandlerEnvironment } from '../handlers/environment.ts';
import { parseIncludeObject } from '../handlers/request/parameters.ts';
import {
  encodeJsonDocument,
  jsonText,
  negotiateRequest,
  send,
  sendPlain,
  servedEncodings,
} from '../handlers/response/answer.ts';
import { isAList } from '../handlers/response/metadata-view.ts';
import type { Negotiated } from '../handlers/response/negotiation.ts';
import { sendObject } from '../handlers/response/send-object.ts';
import { plainTableJson } from '../handlers/response/table-view.ts';
import { checkFieldLabels, parseListOptions } from '../handlers/verbs/list-options.ts';
import { emptyMetadata } from '../model/empty-metadata.ts';
import type { Life } from '../model/life.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { RequestContext } from '../request/context.ts';
import type { ResourceRow } from '../resources/resource-set.ts';
import { ApiError, errors } from '../status/index.ts';
import type { MaybePromise } from '../storage/storage.ts';
import type { ResourceHandler } from './resource-handler.ts';

type ComponentStatus = KubernetesObject & { readonly metadata: { readonly name: string } };

const KIND = { kind: 'ComponentStatus', apiVersion: 'v1' };

const item = (
  name: string,
  status: 'True' | 'False',
  details: { message?: string; error?: string },
  metadata: object,
): ComponentStatus => ({
  metadata: { name, ...metadata },
  conditions: [{ type: 'Healthy', status, ...details }],
});

// As the reference has them: a failed HTTP probe is a message, a failed check of the storage an error.
const absent = (name: string, port: number, metadata: object): ComponentStatus => {
  const message = `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;
  return item(name, 'False', { message }, metadata);
};
const storage = (problem: Error | undefined, metadata: object): ComponentStatus =>
  problem === undefined
    ? item('etcd-0', 'True', { message: 'ok' }, metadata)
    : item('etcd-0', 'False', { error: problem.message }, metadata);

/** The releases that answer 404 for a component that is not there. */
const IS_MISSING: Life = { since: '1.33' };

/**
 * Serves the deprecated component statuses: storage is checked, other components are not part of this server.
 */
export function componentStatuses(
  environment: HandlerEnvironment,
  storageHealth: () => MaybePromise<Error | undefined>,
): ResourceHandler {
  const metadata = emptyMetadata(environment.resources.scheme.types);
  const all = async () => [
    absent('scheduler', 10259, metadata),
    absent('controller-manager', 10257, metadata),
    storage(await storageHealth(), metadata),
  ];
  return async (context, row) => {
    if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
    context.isHandled = true;
    if (context.info.verb === 'watch')
      throw errors.methodNotSupported({ group: '', resource: 'componentstatuses' }, 'watch');
    const { pathName } = context.info;
    if (pathName === '') return sendList(context, row, environment, all);
    const found = (await all()).find(({ metadata }) => metadata.name === pathName);
    if (found === undefined)
      throw context.scheme.has(IS_MISSING)
        ? errors.notFound({ group: '', resource: 'componentstatus' }, pathName)
        : new ApiError(500, '', `Component not found: ${pathName}`, undefined);
    const table = { definition: environment.resources.tableOf(row), now: environment.now() };
    return sendObject(context, 200, '', 'v1', 'ComponentStatus', found, table);
  };
}

async function sendList(
  context: RequestContext,
  row: ResourceRow,
  environment: HandlerEnvironment,
  all: () => Promise<ComponentStatus[]>,
): Promise<void> {
  const selects = selectionOf(context, row, environment);
  const negotiated = negotiateRequest(context, {
    encodings: servedEncodings(context),
    projections: ['table', 'metadata', 'metadata-list'],
  });
  if (negotiated.projection === 'metadata') throw errors.notAcceptableProjection(isAList('', row.listKind));
  const statuses = (await all()).filter(({ metadata }) => selects(metadata.name));
  if (negotiated.projection === 'metadata-list') return sendMetadataList(context, negotiated, statuses);
  if (negotiated.projection === 'object')
    return sendPlain(context, 200, negotiated, '', 'v1', row.listKind, {
      ...KIND,
      kind: row.listKind,
      metadata: {},
      items: statuses,
    });
  const table = plainTableJson(environment.resources.tableOf(row), statuses, {
    types: context.scheme.types,
    metaVersion: negotiated.metaVersion,
    includeObject: parseIncludeObject(context),
    objectJson: (status) => jsonText({ ...KIND, ...status }),
    now: environment.now(),
  });
  await send(
    context,
    200,
    negotiated.contentType,
    await encodeJsonDocument(context.turns, table, negotiated),
  );
}

/** The selectors of a list of component statuses, which have names only. */
function selectionOf(
  { query }: RequestContext,
  row: ResourceRow,
  { features }: HandlerEnvironment,
): (name: string) => boolean {
  const options = parseListOptions(query, false, features.watchList);
  checkFieldLabels(options, row);
  const { labelSelector, fieldSelector } = options;
  return (name) =>
    labelSelector.matches(undefined) &&
    fieldSelector.matches((field) => (field === 'metadata.name' ? name : ''));
}

async function sendMetadataList(
  context: RequestContext,
  negotiated: Negotiated,
  statuses: readonly ComponentStatus[],
): Promise<void> {
  const apiVersion = `meta.k8s.io/${negotiated.metaVersion}`;
  const kind = 'PartialObjectMetadataList';
  const items = statuses.map(({ metadata }) => ({ kind: 'PartialObjectMetadata', apiVersion, metadata }));
  const list = { kind, apiVersion, metadata: {}, items: items.length === 0 ? null : items };
  await send(
    context,
    200,
    negotiated.contentType,
    negotiated.encoding === 'protobuf'
      ? encodeEnvelope(
          apiVersion,
          kind,
          encodeMessage(context.scheme.types.type('meta_v1.PartialObjectMetadataList'), {
            metadata: {},
            items,
          }),
        )
      : await encodeJsonDocument(context.turns, jsonText(list), negotiated),
  );
}
