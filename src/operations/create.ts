import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Allocation } from '../registry/strategy.ts';
import { validateObjectMeta } from '../registry/validation/object-meta.ts';
import { ApiError, errors } from '../status/index.ts';
import { pauseIfLarge } from '../steps/run.ts';
import { CorruptObjectError } from '../storage/corrupt-object.ts';
import { OutcomeUnknownError } from '../storage/storage.ts';
import { admissionRequest } from './admission.ts';
import type { AdmissionAttempt } from './admission-request.ts';
import { restoreInvalidOwnership } from './admitted-ownership.ts';
import { currentRecord, stateOf } from './compare-and-swap.ts';
import { type OperationContext, strategyContext } from './environment.ts';
import {
  checkNamespace,
  generateName,
  initializeMetadata,
  metadataOf,
  wipeServerMetadata,
} from './object-metadata.ts';
import { deduplicateOwnerReferences } from './owner-references.ts';
import { toDryResult, toResult } from './result.ts';
import { transact } from './transact.ts';
import { metadataRules, recordObjectSize, validate, warn } from './validation.ts';

const GENERATED_NAME_ATTEMPTS = 8;

/**
 * Creates an object: mutating admission, preparation, allocation, validation, validating admission, write.
 * @param object in the storage version, defaulted
 * @returns the stored record; it is decoded from its storage bytes on demand
 * @throws ApiError
 */
export async function create(
  context: OperationContext,
  object: KubernetesObject,
  options?: KubernetesObject,
): Promise<CacheRecord> {
  checkNamespace(object, context.namespace);
  const metadata = metadataOf(object);
  return createAfterAdmission(context, await admitCreation(context, object, metadata.name ?? '', options));
}

/** The object after mutating admission, and the attempt that validating admission continues. */
export interface AdmittedCreation {
  readonly object: KubernetesObject;
  /** Undefined if no plugin handles the request. */
  readonly admission: AdmissionAttempt | undefined;
}

/** Records the ownership of a new object and admits it. @throws ApiError */
export async function admitCreation(
  context: OperationContext,
  object: KubernetesObject,
  name: string,
  options: KubernetesObject | undefined,
): Promise<AdmittedCreation> {
  const { environment, subresource } = context;
  const { row } = context.resource;
  wipeServerMetadata(object);
  deduplicateOwnerReferences(context, object, false);
  recordObjectSize(context.request, context.resource, object);
  await pauseIfLarge(context.request);
  await environment.ownership.created(context, object);
  await pauseIfLarge(context.request);
  if (!environment.admission.handles('CREATE', row.group, row.resource, subresource)) {
    environment.admission.passed?.('CREATE', row.group, row.resource, subresource);
    return { object, admission: undefined };
  }
  const admission = admissionRequest(context, 'CREATE', name, object, undefined, options);
  await admitNew(context, admission);
  return { object: admission.object!, admission };
}

/** Mutating admission of a new object. @throws ApiError */
async function admitNew(context: OperationContext, admission: AdmissionAttempt): Promise<void> {
  const before = admission.object!.metadata?.managedFields;
  const isVersioned = namesVersion(admission.object!);
  await context.environment.admission.admit(admission);
  const object = admission.object!;
  restoreInvalidOwnership(admission, object, before);
  checkNamespace(object, context.namespace);
  if (!context.dryRun && !isVersioned && namesVersion(object)) throw errors.internal(VERSION_SET);
  deduplicateOwnerReferences(context, object, true);
}

const VERSION_SET = 'resourceVersion should not be set on objects to be created';

/**
 * Whether the object sets a resourceVersion other than 0. The store refuses to create such an object; a dry run
 * does not reach the store. A resourceVersion that is not a decimal number is ignored.
 */
const namesVersion = ({ metadata }: KubernetesObject): boolean =>
  /^0*[1-9]\d*$/.test(metadata?.resourceVersion ?? '');

/** Creates an object after mutating admission; also used by an update that creates. */
export async function createAfterAdmission(
  context: OperationContext,
  { object, admission }: AdmittedCreation,
): Promise<CacheRecord> {
  const metadata = metadataOf(object);
  const generates = (metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '';
  for (let attempt = 1; ; attempt += 1) {
    if (generates) generateName(context, metadata);
    const allocation = { current: undefined as Allocation | undefined };
    let holder: CacheRecord | undefined;
    try {
      const outcome = await createOnce(context, object, admission, allocation);
      if (outcome.record !== undefined) {
        await (context.dryRun ? allocation.current?.rollback() : allocation.current?.commit());
        return outcome.record;
      }
      holder = outcome.holder;
      await allocation.current?.rollback();
    } catch (error) {
      // An object that may have been stored keeps its allocations, so that no other object gets them.
      if (!(error instanceof OutcomeUnknownError)) await allocation.current?.rollback();
      throw error;
    }
    const { row } = context.resource;
    if ((metadata.generateName ?? '') === '')
      throw nameTaken(holder, errors.alreadyExists(row, metadata.name!));
    if (!generates || attempt === GENERATED_NAME_ATTEMPTS)
      throw nameTaken(holder, errors.generatedNameExists(row, metadata.name!));
  }
}

/** The error for a name in use; it says so if that object is being deleted. */
function nameTaken(holder: CacheRecord | undefined, error: ApiError): ApiError {
  if (holder === undefined || !isBeingDeleted(holder)) return error;
  return new ApiError(error.code, error.reason, `object is being deleted: ${error.message}`, error.details);
}

/** Whether the object is being deleted; false for a corrupt object, whose corruption is reported on read. */
function isBeingDeleted(record: CacheRecord): boolean {
  try {
    return record.header.deletionTimestamp !== undefined;
  } catch (error) {
    if (error instanceof CorruptObjectError) return false;
    throw error;
  }
}

/** One attempt: the created record, or the one that has the name. */
async function createOnce(
  context: OperationContext,
  object: KubernetesObject,
  admission: AdmissionAttempt | undefined,
  allocation: { current: Allocation | undefined },
): Promise<{ readonly record?: CacheRecord; readonly holder?: CacheRecord | undefined }> {
  const { resource, environment, namespace, dryRun } = context;
  const { row, stored, strategy } = resource;
  const strategyView = strategyContext(context);
  initializeMetadata(context, object);
  const isVersioned = !dryRun && namesVersion(object);
  // A dry run shows the version that the client or admission set.
  const givenVersion = dryRun ? (object.metadata!.resourceVersion ?? '') : '';
  delete object.metadata!.resourceVersion;
  if (row.subresources.some(({ name }) => name === 'status') && strategy.keepsStatusOnCreate !== true)
    delete object.status;
  strategy.dropDisabledFields?.(object, undefined, strategyView);
  strategy.prepareForCreate?.(object, strategyView);
  if (strategy.managesGeneration === true) object.metadata!.generation = 1;
  await strategy.load?.();
  await strategy.authorize?.(object, undefined, strategyView);
  // As in kube-apiserver, an object that a write of its status creates gets no addresses.
  if (context.subresource === '')
    allocation.current = await strategy.allocate?.(object, undefined, strategyView);
  await pauseIfLarge(context.request);
  await strategy.validateAsync?.(object, undefined, '', context.request.turns);
  const { request } = context;
  const rules = metadataRules(resource, object);
  const problems = await validate(
    request,
    () => validateObjectMeta(object.metadata, rules),
    () => strategy.validate?.(object, strategyView) ?? [],
    strategy.validatesMetadataLast,
  );
  const name = object.metadata!.name ?? '';
  if (problems.length > 0) throw errors.invalid(resource.kindInErrors(object), name, problems);
  strategy.canonicalize?.(object);
  await pauseIfLarge(request);
  if (strategy.warnings !== undefined)
    await warn(request, () => strategy.warnings!(object, undefined, strategyView));
  if (admission !== undefined) {
    admission.object = object;
    // The name may have been generated.
    admission.name = name;
    await environment.admission.validate(admission);
  }
  if (isVersioned) throw errors.badRequest(VERSION_SET);
  await pauseIfLarge(context.request);
  const key = stored.key(namespace, name);
  const value = await resource.conversion.store(object, context.request);
  await stored.cache.waitFresh(0);
  if (dryRun) {
    const holder = await currentRecord(stored, key);
    const revision = /^\d{1,15}$/.test(givenVersion) ? Number(givenVersion) : 0;
    return holder === undefined ? { record: toDryResult(stored, key, revision, value) } : { holder };
  }
  const timeToLiveSeconds = strategy.timeToLiveSeconds?.(object);
  const creation = { key, expected: 0, value, timeToLiveSeconds, unique: true };
  const outcome = await transact(context, creation, 'Create etcd3');
  if (!outcome.succeeded) return { holder: stateOf(stored, key, outcome.current, outcome.revision).record };
  const record = toResult(stored, key, outcome.revision, value);
  stored.cache.wrote(key, { record, revision: outcome.revision });
  return { record };
}
