import { DecodeError } from '../../codec/decode-error.ts';
import { writePlain } from '../../codec/json-plain.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { type KubernetesObject, parseApiVersion } from '../../model/object.ts';
import type { OperationContext } from '../../operations/environment.ts';
import { checkNamespace } from '../../operations/object-metadata.ts';
import {
  fieldManager,
  makingServedForm,
  setEntries,
  unchangedOwnership,
} from '../../operations/ownership.ts';
import { update } from '../../operations/update.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import { pauseIfLarge, runIfLarge, waitIfLarge } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { readBody } from '../request/body.ts';
import { type FieldValidation, parseApplyOptions } from '../request/parameters.ts';
import { checkingParts, type PlainBody, parsePlain } from '../request/parse-body.ts';
import { decodingTyped } from '../request/typed-object.ts';
import { expectedKind, operationContext, optionsObject, requireCreations } from './create.ts';
import { objectOffer, sendRecord, viewContext } from './get.ts';
import { authorizeCreate, checkName } from './update.ts';

/** Handles PATCH with an applied configuration: creates a missing object, merges into an existing one. */
export async function applyObject(
  context: RequestContext,
  resource: ServedResource,
  environment: HandlerEnvironment,
  encoding: 'yaml' | 'cbor',
): Promise<void> {
  const view = viewContext(context, resource, environment, objectOffer(context, resource));
  const body = await readBody(context, environment.maximumBodyBytes);
  const options = parseApplyOptions(context);
  const { name, subresource } = context.info;
  const { strategy } = resource;
  const createsWhenMissing =
    subresource === '' ||
    (subresource === 'status' && (strategy.createsOnUpdate ?? strategy.status?.applyCreates) === true);
  const readConfiguration = async (): Promise<Configuration> => {
    const parsed = await configurationOf(context, encoding, body);
    checkConfiguration(resource.apiVersion, resource.row.kind, parsed.value);
    return parsed;
  };
  const applied = createsWhenMissing
    ? { value: await readConfiguration() }
    : await outcomeOf(readConfiguration());

  const operation: OperationContext = {
    ...operationContext(context, resource, environment, options),
    environment: { ...environment.operations, ownership: unchangedOwnership },
  };
  let hasEmptyMetadata = false;
  const result = await update(operation, {
    name,
    unconditional: true,
    checksUid: false,
    createsWhenMissing,
    options: optionsObject('UpdateOptions', options),
    // As in kube-apiserver, such an object is stored with them, and read without.
    alwaysWrites: () => hasEmptyMetadata,
    authorizeCreate: async () => {
      requireCreations(resource.row, context);
      return authorizeCreate(context, environment);
    },
    transform: async (current) => {
      if ('error' in applied) throw applied.error;
      const live =
        current === undefined ? undefined : await runIfLarge(context, makingServedForm(resource, current));
      await pauseIfLarge(context);
      const { object, managedFields } = await runIfLarge(
        context,
        fieldManager(operation).apply(live, applied.value.value, options.fieldManager, options.force),
      );
      reportDuplicates(context, applied.value, options.fieldValidation);
      await pauseIfLarge(context);
      if (object !== undefined) await runIfLarge(context, checkingParts(object));
      await pauseIfLarge(context);
      hasEmptyMetadata =
        resource.schema.isUntyped && object !== undefined && setsEmptyMetadata(object as KubernetesObject);
      const typed =
        object === undefined ? undefined : await runIfLarge(context, typedObject(context, resource, object));
      await pauseIfLarge(context);
      const next = typed === undefined ? current! : resource.toWorking(typed, { keepsNulls: true });
      setEntries(next, managedFields);
      // A configuration without a name applies to the object of the path if that exists.
      checkNamespace(next, context.info.namespace);
      checkName(next.metadata?.name ?? '', name);
      return next;
    },
  });
  await pauseIfLarge(context);
  await sendRecord(context, view, result.record, result.created ? 201 : 200);
}

/** Whether an object has an empty list or map, or a null in a map, in its metadata. */
const setsEmptyMetadata = ({ metadata = {} }: KubernetesObject): boolean =>
  [metadata.labels, metadata.annotations, metadata.finalizers, metadata.ownerReferences].some(
    (value) =>
      value !== undefined &&
      (Object.keys(value ?? {}).length === 0 || Object.values(value).some((one) => one === null)),
  );

/** The value of a promise, or its error: that of a configuration is reported when its object is found. */
export const outcomeOf = <Value>(promise: Promise<Value>): Promise<{ value: Value } | { error: unknown }> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** An applied configuration. */
export interface Configuration {
  readonly value: object;
  /** The name of its encoding in errors. */
  readonly format: string;
  /** A message for each repeated member. */
  readonly duplicates: readonly string[];
}

/** Parses the configuration as a plain tree. @throws ApiError 400 */
export async function configurationOf(
  context: RequestContext,
  encoding: 'yaml' | 'cbor',
  body: Buffer,
): Promise<Configuration> {
  const format = encoding.toUpperCase();
  let parsed: PlainBody;
  try {
    await waitIfLarge(context);
    parsed = await parsePlain(context, encoding, body);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw errors.badRequest(
      `error decoding ${format}: ${encoding === 'yaml' ? 'error converting YAML to JSON: ' : ''}${error.message}`,
    );
  }
  const { value, duplicates } = parsed;
  if (context.audit?.recordsRequestBody) context.audit.setRequestBody(writePlain(value));
  if (value === null || value === undefined) return { value: {}, format, duplicates };
  if (typeof value === 'object' && !Array.isArray(value)) return { value, format, duplicates };
  const found = Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'string'
        ? 'string'
        : 'number';
  throw errors.badRequest(
    `error decoding ${format}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
  );
}

/**
 * Reports the repeated members of a configuration that was applied without another error.
 * @throws ApiError 400 with strict validation
 */
export function reportDuplicates(
  context: RequestContext,
  { format, duplicates }: Configuration,
  validation: FieldValidation,
): void {
  if (duplicates.length > 0 && validation === 'Strict')
    throw errors.badRequest(
      `error strict decoding ${format}: error converting ${format} to JSON: yaml: unmarshal errors:\n${duplicates.map((text) => `  ${text}`).join('\n')}`,
    );
  if (validation === 'Warn') for (const text of duplicates) context.warnings.add(text);
}

/** Checks that a configuration names its kind and has no managedFields. @throws ApiError 400 */
export function checkConfiguration(apiVersion: string, kind: string, applied: object): void {
  const given = applied as { apiVersion?: unknown; kind?: unknown; metadata?: unknown };
  if (given.apiVersion !== apiVersion || given.kind !== kind) {
    const { group, version } = parseApiVersion(
      typeof given.apiVersion === 'string' ? given.apiVersion : '',
    ) ?? {
      group: '',
      version: String(given.apiVersion),
    };
    throw errors.badRequest(
      `invalid object type: ${group}/${version}, Kind=${typeof given.kind === 'string' ? given.kind : ''}`,
    );
  }
  const { metadata } = given;
  if (typeof metadata !== 'object' || metadata === null) return;
  const { managedFields } = metadata as { managedFields?: unknown };
  if (!Array.isArray(managedFields)) return;
  if (managedFields.every((entry) => isJsonObject(entry)))
    throw errors.badRequest('metadata.managedFields must be nil');
  // As in kube-apiserver, a list with a value that is not an object counts as unset.
  delete (metadata as { managedFields?: unknown }).managedFields;
}

function* typedObject(
  context: RequestContext,
  resource: ServedResource,
  plain: object,
): Steps<KubernetesObject> {
  const { schema, row, apiVersion } = resource;
  try {
    // Free-form data is sorted in the whole object, as kube-apiserver encodes it again.
    const sorted = schema.normalizePatched(plain, () => true) as object;
    yield;
    return (yield* decodingTyped(context, expectedKind(resource), sorted, { restores: true })).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw errors.badRequest(
      `failed to convert new object (${apiVersion}, Kind=${row.kind}) to proper version: ${error.message}`,
    );
  }
}
