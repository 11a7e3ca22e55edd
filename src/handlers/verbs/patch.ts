import { DecodeError } from '../../codec/decode-error.ts';
import { writePlain } from '../../codec/json-plain.ts';
import { resultErrors } from '../../codec/json-strict.ts';
import { quote } from '../../errors/quote.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { apiVersionOf, type KubernetesObject } from '../../model/object.ts';
import { checkNamespace } from '../../operations/object-metadata.ts';
import { update } from '../../operations/update.ts';
import { jsonPatchReaches, jsonPatchRules, mergePatchReaches } from '../../patch/index.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ObjectSchema } from '../../resources/object-schema.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { plainText } from '../../schema/structural/go-text.ts';
import { ApiError, errors } from '../../status/index.ts';
import { isLarge, pauseIfLarge, runIfLarge, runInTurns, waitIfLarge } from '../../steps/run.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { readBody } from '../request/body.ts';
import { type ExpectedKind, typeMetaProblem } from '../request/expected-kind.ts';
import { type FieldValidation, parsePatchOptions } from '../request/parameters.ts';
import { checkingParts, parseJsonBody } from '../request/parse-body.ts';
import { applyObject } from './apply.ts';
import { expectedKind, operationContext, optionsObject } from './create.ts';
import { objectOffer, sendRecord, viewContext } from './get.ts';
import {
  beginningOf,
  decodingResult,
  encodedBeginningOf,
  invalidPatchResult,
  showsResult,
} from './patch-result.ts';
import { findingJsonPatchProblems, PATCH_TYPES, type Patcher, patcherOf } from './patchers.ts';
import { checkName } from './update.ts';

/** Returns the media type of a patch. @throws ApiError 415 */
export function patchType({ exchange, responses }: RequestContext, schema: ObjectSchema): string {
  const type = (exchange.header('content-type') ?? '').split(';', 1)[0]!.trim();
  const accepted: string[] = [
    PATCH_TYPES.json,
    PATCH_TYPES.merge,
    ...(schema.strategicMerge === undefined ? [] : [PATCH_TYPES.strategic]),
    PATCH_TYPES.apply,
    ...(responses.cbor ? [PATCH_TYPES.applyCbor] : []),
  ];
  if (!accepted.includes(type))
    throw schema.isUntyped ? errors.unsupportedMediaType(accepted) : unroutablePatch(exchange);
  return type;
}

/** The errors of kube-apiserver's router for a patch of an unknown type, by the `Content-Length` of the request. */
function unroutablePatch(exchange: RequestContext['exchange']): ApiError {
  // The length of a body in this process is known.
  const known = exchange.protocol === 'in-process' && exchange.hasBody ? '1' : undefined;
  const length = exchange.header('content-length') ?? known;
  const none = '\n\nAvailable representations: ';
  if (length !== undefined && /^0+$/.test(length))
    return new ApiError(406, 'NotAcceptable', `406: Not Acceptable${none}`, {});
  const text = '415: Unsupported Media Type';
  return new ApiError(415, 'UnsupportedMediaType', length === undefined ? text + none : text, {});
}

/** Handles PATCH of an object or of a subresource with the form of the object. */
export async function patchObject(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
): Promise<void> {
  const type = patchType(context, resource.schema);
  if (type === PATCH_TYPES.apply || type === PATCH_TYPES.applyCbor)
    return applyObject(context, resource, environment, type === PATCH_TYPES.apply ? 'yaml' : 'cbor');
  const view = viewContext(context, resource, environment, objectOffer(context, resource));
  const body = await readBody(context, environment.maximumBodyBytes);
  const options = parsePatchOptions(context);
  const expected = expectedKind(resource);
  const patch = await readPatch(context, body, type, expected.schema, options.fieldValidation);
  const result = await update(operationContext(context, resource, environment, options), {
    name: context.info.name,
    unconditional: true,
    checksUid: false,
    createsWhenMissing: false,
    options: optionsObject('UpdateOptions', options),
    // A conversion may modify its input.
    leavesCurrent: resource.conversion.worksInServedVersion,
    transform: async (current) =>
      resource.toWorking(
        await patchedObject(context, expected, patch, resource.conversion.toServed(current!)),
      ),
  });
  await pauseIfLarge(context);
  await sendRecord(context, view, result.record, 200);
}

/**
 * Reads a patch of one of the three merge forms from a body.
 * @param schema of the patched object
 * @throws ApiError 400 or 422
 */
export async function readPatch(
  context: RequestContext,
  body: Buffer,
  type: string,
  schema: ObjectSchema,
  validation: FieldValidation,
): Promise<PatchRequest> {
  const { patch, duplicates, failure } = await parsePatchBody(context, body, type);
  if (failure !== undefined) return unreadable(failure, validation);
  if (type === PATCH_TYPES.merge && validation === 'Ignore' && patch !== null && !isJsonObject(patch))
    return unreadable(unmergeable(patch), validation);
  return {
    patcher: patcherOf(type, schema, patch, duplicates, body, jsonPatchRules(context.scheme)),
    formatValue:
      type === PATCH_TYPES.strategic
        ? () => plainText(patch)
        : schema.isUntyped
          ? beginningOf
          : encodedBeginningOf,
    problems:
      type === PATCH_TYPES.json
        ? await runInTurns(context.turns, findingJsonPatchProblems(body, patch, duplicates))
        : duplicates.map((path) => `duplicate field ${quote(path)}`),
    namesVersion: type !== PATCH_TYPES.strategic,
    leavesEntries: !(type === PATCH_TYPES.json ? jsonPatchReaches : mergePatchReaches)(patch, [
      'metadata',
      'managedFields',
    ]),
    validation,
  };
}

/** A patch that cannot be read fails when it is applied: an object that is missing is reported first. */
const unreadable = (failure: ApiError, validation: FieldValidation): PatchRequest => ({
  patcher: () => {
    throw failure;
  },
  formatValue: beginningOf,
  problems: [],
  namesVersion: false,
  leavesEntries: true,
  validation,
});

interface ParsedPatch {
  readonly patch: unknown;
  readonly duplicates: readonly string[];
  readonly failure?: ApiError;
}

async function parsePatchBody(context: RequestContext, body: Buffer, type: string): Promise<ParsedPatch> {
  await waitIfLarge(context);
  try {
    const parsed = await parseJsonBody(context, body);
    if (context.audit?.recordsRequestBody) context.audit.setRequestBody(writePlain(parsed.value));
    return { patch: parsed.value, duplicates: parsed.duplicates };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { patch: undefined, duplicates: [], failure: errors.badRequest(decodingMessage(type, error)) };
  }
}

function decodingMessage(type: string, { message }: DecodeError): string {
  if (type === PATCH_TYPES.strategic) return message;
  // Numbers that are too large are found while the operations are decoded.
  const told =
    type === PATCH_TYPES.json
      ? message.replace('Go value of type float64', 'Go struct field jsonPatchOp.value of type float64')
      : message;
  return `error decoding patch: ${told}`;
}

/** The error for a merge patch that is not an object and is not validated: it replaces the object. */
const unmergeable = (patch: unknown): ApiError =>
  Array.isArray(patch)
    ? invalidPatchResult(beginningOf(patch), typeMetaProblem(patch)!)
    : errors.badRequest('Invalid JSON Patch');

/** A parsed patch; it can be applied again after a write conflict. */
export interface PatchRequest {
  readonly patcher: Patcher;
  /** The text for the value in errors of a patch with an invalid result. */
  readonly formatValue: (result: unknown, decoded: ReadonlySet<object>) => string;
  /** Strict validation errors of the patch itself. */
  readonly problems: readonly string[];
  /** The result must have apiVersion and kind; those of a strategic merge patch are ignored. */
  readonly namesVersion: boolean;
  /** The patch does not touch managedFields, which are a large part of an object. */
  readonly leavesEntries: boolean;
  readonly validation: FieldValidation;
}

/**
 * Applies a patch to an object in its served version.
 * @throws ApiError 422 if the result does not match the expected kind, 400 if it has no name
 */
export async function patchedObject(
  context: RequestContext,
  expected: ExpectedKind,
  request: PatchRequest,
  served: KubernetesObject,
): Promise<KubernetesObject> {
  const { managedFields, ...metadata } = served.metadata ?? {};
  if (managedFields === undefined || !request.leavesEntries)
    return patchedWhole(context, expected, request, served);
  try {
    const value = await patchedWhole(context, expected, request, { ...served, metadata });
    value.metadata!.managedFields = managedFields.map((entry) => ({ ...entry }));
    return value;
  } catch (error) {
    if (!(error instanceof ApiError) || !showsResult(error)) throw error;
    // The error contains the whole object.
    await pauseIfLarge(context);
    return patchedWhole(context, expected, request, served);
  }
}

async function patchedWhole(
  context: RequestContext,
  expected: ExpectedKind,
  { patcher, formatValue, problems, namesVersion, validation }: PatchRequest,
  served: KubernetesObject,
): Promise<KubernetesObject> {
  const typeMeta = { apiVersion: apiVersionOf(expected.group, expected.version), kind: expected.kind };
  const before = isLarge(context)
    ? await runInTurns(context.turns, expected.schema.makingPlain(served, typeMeta))
    : expected.schema.toPlain(served, typeMeta);
  await pauseIfLarge(context);
  const decoded = new Set<object>();
  const duplicates = new Map<string, string[]>();
  const result = await runInTurns(context.turns, patcher(before, decoded, duplicates));
  await pauseIfLarge(context);
  await runIfLarge(context, checkingParts(result));
  await pauseIfLarge(context);
  const text = () => formatValue(result, decoded);
  const { value, unknown } = await runInTurns(
    context.turns,
    decodingResult(context, expected, { value: result, decoded, text, namesVersion }),
  );
  const found = [...problems, ...resultErrors(unknown, duplicates, namesVersion)];
  if (validation === 'Warn') for (const problem of found) context.warnings.add(problem);
  if (validation === 'Strict' && found.length > 0)
    throw invalidPatchResult(text(), `strict decoding error: ${found.join(', ')}`);
  checkNamespace(value, context.info.namespace);
  checkName(value.metadata?.name ?? '', context.info.name);
  await pauseIfLarge(context);
  return value;
}
