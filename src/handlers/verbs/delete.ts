import { DecodeError } from '../../codec/decode-error.ts';
import { decodeEnvelope } from '../../codec/envelope.ts';
import { writeJson } from '../../codec/json-write.ts';
import { MAXIMUM_PARTS } from '../../codec/parts.ts';
import { decodeMessage } from '../../codec/protobuf.ts';
import { fromPlain, toPlain } from '../../codec/typed.ts';
import { quote } from '../../errors/quote.ts';
import type { DeleteOptions } from '../../model/generated/meta-v1.ts';
import { type KubernetesObject, parseApiVersion } from '../../model/object.ts';
import { deleteCorruptObject, remove } from '../../operations/delete.ts';
import { deleteOptionsFromQuery, validateDeleteOptions } from '../../operations/delete-options.ts';
import type { DeleteResult } from '../../operations/stages/deletion.ts';
import type { RequestContext } from '../../request/context.ts';
import { CorruptObjectError } from '../../resources/corrupt-object.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ApiError, errors } from '../../status/index.ts';
import { pauseIfLarge } from '../../steps/run.ts';
import { UndecryptableObjectError } from '../../storage/encryption/errors.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { readBody, requestEncoding } from '../request/body.ts';
import { parsePlain, withinParts } from '../request/parse-body.ts';
import { sendPlain } from '../response/answer.ts';
import type { ViewContext } from '../response/view-context.ts';
import { operationContext } from './create.ts';
import { objectOffer, sendRecord, viewContext } from './get.ts';

/** Handles DELETE of one object. */
export async function deleteObject(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const view = viewContext(context, resource, environment, objectOffer(context, resource));
  const options = await readDeleteOptions(context, environment);
  const { name } = context.info;
  const dryRun = (options.dryRun ?? []).length > 0;
  const operation = operationContext(context, resource, environment, {
    dryRun,
    fieldManager: '',
    fieldValidation: 'Warn',
  });
  if (
    environment.features.unsafeDeletion &&
    options.ignoreStoreReadErrorWithClusterBreakingPotential === true
  ) {
    await authorizeUnsafeDeletion(context, environment);
    await deleteCorruptObject(operation, name);
    return sendDeleted(context, resource, view, name, undefined);
  }
  warnAboutOrphans(context, resource, options);
  let result: DeleteResult;
  try {
    result = await remove(operation, name, options, optionsObject(options));
  } catch (error) {
    throw error instanceof CorruptObjectError && !(error instanceof UndecryptableObjectError)
      ? corruptObject(error)
      : error;
  }
  await answerDeletion(context, resource, view, result, options);
}

async function answerDeletion(
  context: RequestContext,
  resource: ServedResource,
  view: ViewContext,
  { record, removed }: DeleteResult,
  options: DeleteOptions,
): Promise<void> {
  if (removed && resource.strategy.deletion?.returnsObject !== true)
    return sendDeleted(context, resource, view, context.info.name, record.header.uid);
  await pauseIfLarge(context);
  // 202 while dependents that must be deleted first still exist.
  await sendRecord(context, view, record, !removed && options.orphanDependents === false ? 202 : 200);
}

/** Sends the Status of a completed deletion. */
async function sendDeleted(
  context: RequestContext,
  { row }: ServedResource,
  { negotiated }: ViewContext,
  name: string,
  uid: string | undefined,
): Promise<void> {
  const details = {
    name,
    ...(row.group === '' ? {} : { group: row.group }),
    kind: row.resource,
    ...(uid === undefined ? {} : { uid }),
  };
  await sendPlain(context, 200, negotiated, '', 'v1', 'Status', {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details,
  });
}

function corruptObject(error: CorruptObjectError): ApiError {
  return new ApiError(500, 'InternalError', `Internal error occurred: ${error.message}`, {
    causes: [{ reason: 'UnexpectedServerResponse', message: error.message }],
  });
}

/** @throws ApiError 403 */
async function authorizeUnsafeDeletion(
  { attributes, user }: RequestContext,
  environment: HandlerEnvironment,
): Promise<void> {
  const deleteAttributes = { ...attributes!, verb: 'unsafe-delete-ignore-read-errors' };
  const { decision } = await environment.authorize(deleteAttributes);
  if (decision !== 'allow')
    throw errors.forbidden(
      deleteAttributes,
      deleteAttributes.name,
      `User ${quote(user.name)} may not delete objects that cannot be read: the verb "${deleteAttributes.verb}" is needed besides "delete"`,
    );
}

/** Warns of a deletion that leaves dependents although the client did not ask for it. */
export function warnAboutOrphans(
  context: RequestContext,
  { strategy }: ServedResource,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): void {
  const warning = strategy.deletion?.orphanWarning;
  if (warning !== undefined && propagationPolicy === undefined && orphanDependents === undefined)
    context.warnings.add(warning);
}

/** The options with kind and apiVersion, for admission. */
export const optionsObject = (options: DeleteOptions): KubernetesObject => ({
  kind: 'DeleteOptions',
  apiVersion: 'meta.k8s.io/v1',
  ...(options as Record<string, unknown>),
});

/**
 * Reads the options from the body, or from the query if the body is empty. As in kube-apiserver, a body
 * replaces the query, also its `dryRun`.
 * @throws ApiError
 */
export async function readDeleteOptions(
  context: RequestContext,
  environment: HandlerEnvironment,
): Promise<DeleteOptions> {
  const body = await readBody(context, environment.maximumBodyBytes);
  let options =
    body.length === 0 ? deleteOptionsFromQuery(context.query) : await decodeDeleteOptions(context, body);
  if (!environment.features.unsafeDeletion)
    options = { ...options, ignoreStoreReadErrorWithClusterBreakingPotential: undefined };
  validateDeleteOptions(options, context.scheme);
  return options;
}

async function decodeDeleteOptions(context: RequestContext, body: Buffer): Promise<DeleteOptions> {
  const encoding = requestEncoding(context);
  const type = context.scheme.types.type('meta_v1.DeleteOptions');
  try {
    if (encoding === 'protobuf') {
      const { raw } = await withinParts(() => decodeEnvelope(body));
      const options = { untrusted: true, maximumParts: MAXIMUM_PARTS };
      return recorded(context, await withinParts(() => decodeMessage(type, raw, options)));
    }
    const { value } = await parsePlain(context, encoding, body);
    const { kind, apiVersion } = (value ?? {}) as { kind?: unknown; apiVersion?: unknown };
    if (kind !== undefined && kind !== 'DeleteOptions')
      throw errors.badRequest(`the body of a deletion must be DeleteOptions, not ${JSON.stringify(kind)}`);
    if (encoding !== 'cbor' && typeof apiVersion === 'string' && parseApiVersion(apiVersion) === undefined)
      throw errors.badRequest(`unexpected GroupVersion string: ${apiVersion}`);
    return recorded(context, fromPlain(type, value ?? {}).value);
  } catch (error) {
    if (error instanceof DecodeError)
      throw errors.badRequest(`the body of a deletion must be DeleteOptions: ${error.message}`);
    throw error;
  }
}

/** The version of deletion options in audit events, whatever the client named. */
const INTERNAL_VERSION = 'meta.k8s.io/__internal';

/** Returns the options for the handlers; records them in the audit event. */
function recorded({ audit, scheme }: RequestContext, options: object): DeleteOptions {
  const type = scheme.types.type('meta_v1.DeleteOptions');
  if (audit?.recordsRequestBody)
    audit.setRequestBody(writeJson(type, options, { apiVersion: INTERNAL_VERSION, kind: 'DeleteOptions' }));
  return toPlain(type, options as KubernetesObject) as DeleteOptions;
}
