import type { KubernetesObject } from '../../model/object.ts';
import { create } from '../../operations/create.ts';
import type { OperationContext } from '../../operations/environment.ts';
import {
  DEFINITION_IS_TERMINATING,
  REFUSES_IN_ADMISSION,
} from '../../operations/stages/terminating-definition.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ResourceRow } from '../../resources/resource-set.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ApiError, errors } from '../../status/index.ts';
import { pauseIfLarge } from '../../steps/run.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { decodeObject, readBody, requestEncoding } from '../request/body.ts';
import type { ExpectedKind } from '../request/expected-kind.ts';
import { parseWriteOptions, type WriteOptions } from '../request/parameters.ts';
import { objectOffer, sendRecord, viewContext } from './get.ts';

export function expectedKind(resource: ServedResource): ExpectedKind {
  const { row, schema, strategy, types } = resource;
  const normalizeAnnotations = strategy.metadata?.normalizeAnnotations;
  const preparingDefaults = strategy.defaulting?.preparing?.[row.version];
  return {
    group: row.group,
    version: row.version,
    kind: row.kind,
    schema,
    types,
    setDefaults: (object) => resource.conversion.setDefaults(object),
    ...(preparingDefaults && { preparingDefaults }),
    ...(normalizeAnnotations && { normalizeAnnotations }),
    ...(strategy.fromFormerVersion && { fromFormerVersion: strategy.fromFormerVersion }),
  };
}

/** Creates the operation context of a write request. */
export function operationContext(
  request: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  { dryRun, fieldManager }: WriteOptions,
): OperationContext {
  return {
    environment: environment.operations,
    request,
    resource,
    subresource: request.info.subresource,
    namespace: resource.namespaceOf(request.info.namespace),
    dryRun,
    fieldManager: managerOf(request, fieldManager),
  };
}

/** The field manager of a write: the one that the client sent, else the default. */
export const managerOf = (context: RequestContext, sent: string): string =>
  sent === '' ? managerFromAgent(context) : sent;

/** The default field manager: the User-Agent up to the first slash. */
function managerFromAgent({ exchange }: RequestContext): string {
  const agent = exchange.header('user-agent') ?? '';
  const slash = agent.indexOf('/');
  const prefix = (slash < 0 ? agent : agent.slice(0, slash)).slice(0, 128);
  let printable = '';
  for (const character of prefix) {
    if (character < ' ' || character === '\u007f') break;
    printable += character;
  }
  return printable;
}

/** Handles POST to a collection. */
export async function createObject(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const view = viewContext(context, resource, environment, objectOffer(context, resource));
  // The type of the body is checked before a client is asked to send it.
  requestEncoding(context);
  const body = await readBody(context, environment.maximumBodyBytes);
  const options = parseWriteOptions(context, 'CreateOptions');
  const object = await decodeObject(context, expectedKind(resource), body, options.fieldValidation);
  await pauseIfLarge(context);
  const record = await create(
    operationContext(context, resource, environment, options),
    resource.toWorking(object),
    optionsObject('CreateOptions', options),
  );
  await pauseIfLarge(context);
  await sendRecord(context, view, record, 201);
}

/** Returns the options as an object for admission, which sees patches as updates. */
export function optionsObject(
  kind: 'CreateOptions' | 'UpdateOptions',
  { dryRun, fieldManager, sentFieldValidation }: WriteOptions,
): KubernetesObject {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(sentFieldValidation === undefined ? {} : { fieldValidation: sentFieldValidation }),
  };
}

/**
 * Refuses creations of a custom resource whose definition is being deleted, in the releases that refuse them before
 * the body is read; the others do so in admission.
 * @throws ApiError 405
 */
export function requireCreations(row: ResourceRow, { scheme }: Pick<RequestContext, 'scheme'>): void {
  if (row.verbs.includes('create') || scheme.has(REFUSES_IN_ADMISSION)) return;
  const { code, reason, details } = errors.methodNotSupported(row, 'create');
  throw new ApiError(code, reason, DEFINITION_IS_TERMINATING, details);
}
