import { CacheRecord } from '../cache/record.ts';
import type { KnownState } from '../cache/written-states.ts';
import { unknownFieldCount } from '../codec/protobuf.ts';
import { quote } from '../errors/quote.ts';
import { type KubernetesObject, type ManagedFieldsEntry, nextGeneration } from '../model/object.ts';
import { restoreMembers } from '../registry/restore-status.ts';
import type { Allocation, Strategy, StrategyContext } from '../registry/strategy.ts';
import { validateObjectMetaUpdate } from '../registry/validation/object-meta.ts';
import { ApiError, errors, invalidFormatted } from '../status/index.ts';
import { pauseIfLarge, recordSize } from '../steps/run.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { admissionRequest } from './admission.ts';
import type { AdmittedKind } from './admitted-kind.ts';
import { restoreInvalidOwnership } from './admitted-ownership.ts';
import { type AttemptResult, compareAndSwap, readState, stateOf } from './compare-and-swap.ts';
import { admitCreation, createAfterAdmission } from './create.ts';
import { type OperationContext, strategyContext } from './environment.ts';
import { checkNamespace, checkPathName, metadataOf, preserveServerMetadata } from './object-metadata.ts';
import { deduplicateOwnerReferences } from './owner-references.ts';
import { setEntries } from './ownership.ts';
import { toDryResult, toResult } from './result.ts';
import { onlyTimesDiffer } from './same-object.ts';
import { isRefusedWrite } from './store-errors.ts';
import { transact } from './transact.ts';
import { metadataRules, recordObjectSize, validate, warn } from './validation.ts';

const MODIFIED_TEXT =
  'the object has been modified; please apply your changes to the latest version and try again';

const RENAMED_TEXT = 'field is immutable: mutating admission must not change the name in the path';

export interface UpdateRequest {
  readonly name: string;
  /**
   * Returns the desired object in the storage version, defaulted, computed from the stored one (a private
   * copy; undefined if it does not exist). Called again after a write conflict.
   */
  transform(
    current: KubernetesObject | undefined,
    record: CacheRecord | undefined,
  ): KubernetesObject | Promise<KubernetesObject>;
  /** {@link transform} does not modify the stored object, and its result shares nothing with it. */
  readonly leavesCurrent?: boolean;
  /** PUT: the desired object is complete; {@link transform} gets no stored object. */
  readonly replaces?: boolean;
  /** Creates a missing object (PUT of some kinds, apply). */
  readonly createsWhenMissing: boolean;
  /** PATCH: the resourceVersion in the result comes from the stored object and is not a precondition. */
  readonly unconditional: boolean;
  readonly options?: KubernetesObject;
  /**
   * Whether the uid of the desired object is a precondition; false for patches, where another uid is a
   * forbidden change. Default true.
   */
  readonly checksUid?: boolean;
  /** Whether the last result of {@link transform} is stored even if it equals the stored object. */
  alwaysWrites?(): boolean;
  /** Admission sees another kind than the stored one (a Scale). */
  readonly admittedForm?: AdmittedForm;
  /** Runs before an update creates an object (apply needs the `create` permission). */
  authorizeCreate?(): void | Promise<void>;
}

/** Another form of an object, for admission. */
export interface AdmittedForm {
  readonly kind: AdmittedKind;
  /** PUT: the form as the client sent it, which mutating admission sees. */
  sent?(): KubernetesObject;
  /** Returns the form of an object. */
  of(object: KubernetesObject): KubernetesObject;
  /** The owners of the fields of both forms, once those of the object are recorded; mutating admission sees them. */
  readonly owners: FormOwners;
  /** Returns the object with what admission changed in its form. */
  merge(object: KubernetesObject, form: KubernetesObject): KubernetesObject;
}

export interface FormOwners {
  readonly before?: ManagedFieldsEntry[] | undefined;
  readonly after?: ManagedFieldsEntry[] | undefined;
}

export interface UpdateResult {
  readonly record: CacheRecord;
  readonly created: boolean;
}

/**
 * Updates an object by compare and swap; retries until the request's deadline.
 * @throws ApiError, CorruptObjectError
 */
export async function update(context: OperationContext, request: UpdateRequest): Promise<UpdateResult> {
  const { resource, namespace } = context;
  const { stored, row } = resource;
  checkPathName(request.name);
  const key = stored.key(namespace, request.name);
  return compareAndSwap<UpdateResult>(context, key, async (record, beforeExternalCall) => {
    if (record !== undefined) return updateOnce(context, request, record, beforeExternalCall);
    // A uid is a precondition, which a missing object does not meet.
    if (request.replaces === true)
      checkUid(context, request.name, key, await request.transform(undefined, undefined), undefined);
    if (!request.createsWhenMissing) throw errors.notFound(row, request.name);
    beforeExternalCall();
    const created = await createByUpdate(context, request);
    if (created !== undefined)
      return {
        result: { record: created, created: true },
        ...(context.dryRun ? {} : { stored: { record: created, revision: created.revision } }),
      };
    // Another writer has created the object: update it.
    return { lost: await readState(stored, key) };
  });
}

/** Undefined if another writer created the object first. */
async function createByUpdate(
  context: OperationContext,
  request: UpdateRequest,
): Promise<CacheRecord | undefined> {
  await request.authorizeCreate?.();
  const {
    resource: { row },
    namespace,
  } = context;
  const object = await request.transform(undefined, undefined);
  checkNamespace(object, namespace);
  const metadata = metadataOf(object);
  metadata.name ??= request.name;
  if ((metadata.uid ?? '') !== '')
    throw errors.conflict(
      row,
      request.name,
      `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`,
    );
  if (!context.dryRun) delete metadata.resourceVersion;
  const options = request.options && { ...request.options, kind: 'CreateOptions' };
  const admitted = await admitCreation(context, object, request.name, options);
  const admittedName = admitted.object.metadata?.name ?? '';
  // The object would be another one than that of the request, whose creation would never end.
  if (admittedName !== request.name)
    throw errors.invalid(context.resource.kindInErrors(admitted.object), request.name, [
      invalidFormatted('metadata.name', quote(admittedName), RENAMED_TEXT),
    ]);
  try {
    return await createAfterAdmission(context, admitted);
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'AlreadyExists' && !context.dryRun) return undefined;
    throw error;
  }
}

/** One attempt. */
async function updateOnce(
  context: OperationContext,
  request: UpdateRequest,
  record: CacheRecord,
  beforeExternalCall: () => void,
): Promise<AttemptResult<UpdateResult>> {
  const { resource, environment, namespace, dryRun, subresource } = context;
  const { stored, row, strategy } = resource;
  const { key } = record;
  recordSize(context.request, record.value.length);
  await pauseIfLarge(context.request);
  const unknown = unknownFieldCount();
  const loaded =
    (request.leavesCurrent === true ? resource.conversion.loadShared?.(record) : undefined) ??
    resource.conversion.load(record, context.request);
  const dropped = unknownFieldCount() - unknown;
  if (loaded instanceof Promise) beforeExternalCall();
  const old = await loaded;
  const own = (): MaybePromise<KubernetesObject> =>
    request.leavesCurrent === true ? old : resource.conversion.load(record, context.request);
  await pauseIfLarge(context.request);
  let object = await request.transform(request.replaces === true ? undefined : await own(), record);
  checkNamespace(object, namespace);
  if (request.replaces === true) deduplicateOwnerReferences(context, object, false);
  recordObjectSize(context.request, resource, object);
  await pauseIfLarge(context.request);
  await environment.ownership.updated(context, object, old);
  await pauseIfLarge(context.request);
  const form = request.admittedForm;
  const admission = admissionRequest(
    context,
    'UPDATE',
    request.name,
    form === undefined ? object : withOwners(form.sent?.() ?? form.of(object), form.owners.after),
    form === undefined ? old : withOwners(form.of(old), form.owners.before),
    request.options,
    form?.kind,
  );
  const admitted = environment.admission.handles('UPDATE', row.group, row.resource, subresource);
  if (
    strategy.authorize !== undefined ||
    environment.admission.leavesProcess?.('UPDATE', row.group, row.resource, subresource) === true
  )
    beforeExternalCall();
  if (admitted) {
    const before = admission.object!.metadata?.managedFields;
    await environment.admission.admit(admission);
    restoreInvalidOwnership(admission, admission.object!, before);
    object = form?.merge(object, admission.object!) ?? admission.object!;
    checkNamespace(object, namespace);
  } else environment.admission.passed?.('UPDATE', row.group, row.resource, subresource);
  deduplicateOwnerReferences(context, object, true);

  if (request.checksUid !== false) checkUid(context, request.name, key, object, old);
  const conditional = checkResourceVersion(context, request, object, record);
  const view = strategyContext(context);
  preserveServerMetadata(context, object, old);
  applyUpdateRules(context, object, old, view);
  await strategy.load?.();
  await strategy.authorize?.(object, old, view);
  const allocation: Allocation | undefined =
    subresource === '' ? await strategy.allocate?.(object, old, view) : undefined;
  let outcomeState: boolean | 'unknown' = false;
  try {
    await pauseIfLarge(context.request);
    if (subresource === '' || strategy.validatesSubresources === true)
      await strategy.validateAsync?.(object, old, subresource, context.request.turns);
    const check = subresource === '' ? strategy.validateUpdate : strategy.validateSubresource?.[subresource];
    const rules = {
      ...metadataRules(resource, object),
      revalidatesMetadata: revalidatesMetadata(strategy, subresource),
      checks: metadataChecks(strategy, subresource),
    };
    const problems = await validate(
      context.request,
      () => validateObjectMetaUpdate(object.metadata!, old.metadata!, rules),
      () => check?.(object, old, view) ?? [],
    );
    if (problems.length > 0) throw errors.invalid(resource.kindInErrors(object), request.name, problems);
    strategy.canonicalize?.(object, subresource);
    await pauseIfLarge(context.request);
    // Subresources that write a part of the object do not warn about the rest.
    if (strategy.warnings !== undefined && (context.subresource === '' || context.subresource === 'scale'))
      await warn(context.request, () => strategy.warnings!(object, old, view));
    if (admitted) {
      if (form !== undefined) admission.oldObject = form.of(old);
      admission.object = form?.of(object) ?? object;
      await environment.admission.validate(admission);
    }

    await pauseIfLarge(context.request);
    const value = await resource.conversion.store(object, context.request);
    const removed = old.metadata!.deletionTimestamp !== undefined && isFinalized(context, object);
    // The bytes to store equal the stored ones: nothing is written and the version stays, unless the stored
    // form is outdated or the object goes.
    if (
      !removed &&
      request.alwaysWrites?.() !== true &&
      (Buffer.compare(value, record.value) === 0 || (await onlyTimesDiffer(context, object, old, record))) &&
      !record.isOutdated &&
      (stored.storage.isStale === undefined || !(await stored.storage.isStale(key)))
    )
      return updated(record);
    if (dryRun) return updated(toDryResult(stored, key, record.revision, value));
    outcomeState = 'unknown';
    const transaction = {
      key,
      expected: record.revision,
      value: removed ? undefined : value,
      timeToLiveSeconds: strategy.timeToLiveSeconds?.(object),
    };
    const outcome = await transact(context, transaction, 'GuaranteedUpdate etcd3');
    outcomeState = outcome.succeeded;
    if (dropped > 0 && outcome.succeeded) environment.droppedFields?.(resource, dropped);
    if (!outcome.succeeded) {
      // If the object was deleted, the next attempt reports that or creates it.
      if (conditional && outcome.current !== undefined)
        throw errors.conflict(row, request.name, MODIFIED_TEXT);
      return { lost: stateOf(stored, key, outcome.current, outcome.revision) };
    }
    if (!removed) {
      const written = toResult(stored, key, outcome.revision, value);
      return updated(written, { record: written, revision: outcome.revision });
    }
    await strategy.release?.(object);
    // The response to the update that removed the last finalizer contains the object of the request.
    const answer =
      resource.conversion.answered?.(object, key, record.revision) ??
      new CacheRecord(key, record.revision, value, stored.reader);
    return updated(answer, {
      record: undefined,
      revision: outcome.revision,
    });
  } catch (error) {
    if (isRefusedWrite(error)) outcomeState = false;
    throw error;
  } finally {
    // If the outcome is unknown, allocations stay reserved.
    if (outcomeState !== 'unknown') await (outcomeState ? allocation?.commit() : allocation?.rollback());
  }
}

function withOwners(object: KubernetesObject, entries: ManagedFieldsEntry[] | undefined): KubernetesObject {
  setEntries(object, entries);
  return object;
}

const updated = (record: CacheRecord, stored?: KnownState): AttemptResult<UpdateResult> => ({
  result: { record, created: false },
  stored,
});

/** Updates of a part of an object validate only how its metadata changed. */
function revalidatesMetadata(strategy: Strategy, subresource: string): boolean {
  if (subresource === 'status') return strategy.revalidatesMetadataOnStatusUpdate === true;
  const isPart = subresource === 'finalize' || subresource === 'approval';
  return strategy.revalidatesMetadataOnUpdate === true && !isPart;
}

function metadataChecks(strategy: Strategy, subresource: string): Strategy['metadataChecksOnUpdate'] {
  if (subresource === '') return strategy.metadataChecksOnUpdate;
  return subresource === 'status' || subresource === 'approval'
    ? strategy.metadataChecksOnStatusUpdate
    : strategy.metadataChecksOnPartUpdate?.[subresource];
}

/** Whether an object has no finalizers and no running grace period. */
function isFinalized({ resource: { strategy } }: OperationContext, object: KubernetesObject): boolean {
  if (
    (object.metadata!.finalizers ?? []).length > 0 ||
    (object.metadata!.deletionGracePeriodSeconds ?? 0) !== 0
  )
    return false;
  return strategy.isFinalized?.(object) ?? true;
}

function checkUid(
  { resource: { row } }: OperationContext,
  name: string,
  key: string,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): void {
  const uid = object.metadata?.uid ?? '';
  const actual = old?.metadata?.uid ?? '';
  if (uid === '' || uid === actual) return;
  throw errors.conflict(
    row,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actual}`,
  );
}

/** Whether the client set a resourceVersion as precondition; then it must be the stored one. */
function checkResourceVersion(
  { resource, subresource }: OperationContext,
  request: UpdateRequest,
  object: KubernetesObject,
  record: CacheRecord,
): boolean {
  const metadata = metadataOf(object);
  const given = metadata.resourceVersion ?? '';
  const current = String(record.revision);
  if (given === '' || given === '0') {
    if (resource.strategy.requiresResourceVersion === true && subresource !== 'scale') {
      throw errors.invalid({ group: resource.row.group, kind: resource.row.resource }, request.name, [
        invalidFormatted('metadata.resourceVersion', '0x0', 'must be specified for an update'),
      ]);
    }
    metadata.resourceVersion = current;
    return false;
  }
  if (!/^\d+$/.test(given))
    throw errors.badRequest(
      `resourceVersion: Invalid value: ${quote(given)}: strconv.ParseUint: parsing ${quote(given)}: invalid syntax`,
    );
  if (given !== current) throw errors.conflict(resource.row, request.name, MODIFIED_TEXT);
  // A patch result repeats the version of the object: that is not a precondition.
  return !request.unconditional;
}

/** Applies the general update rules; the strategy's own rule comes first. */
function applyUpdateRules(
  context: OperationContext,
  object: KubernetesObject,
  old: KubernetesObject,
  view: StrategyContext,
): void {
  const {
    resource: { strategy, row },
    subresource,
  } = context;
  strategy.dropDisabledFields?.(object, old, view);
  if (subresource === '') {
    if (strategy.keepsStatusOnUpdate !== true && row.subresources.some(({ name }) => name === 'status')) {
      if (old.status === undefined) delete object.status;
      else object.status = old.status;
    }
    strategy.prepareForUpdate?.(object, old, view);
  } else if (strategy.prepareForSubresource?.[subresource] !== undefined) {
    strategy.prepareForSubresource[subresource](object, old, view);
  } else if (subresource === 'status') {
    restoreMembers(object, old);
    if (strategy.statusUpdatesMetadata === false) {
      const { labels, annotations, finalizers, ownerReferences } = old.metadata!;
      Object.assign(object.metadata!, { labels, annotations, finalizers, ownerReferences });
      delete object.metadata!.selfLink;
    }
  }
  // A status update changes nothing that a controller must observe.
  if (strategy.managesGeneration === true && subresource !== 'status') {
    const changed =
      strategy.generationChanged?.(object, old) ?? context.resource.schema.specChanged(object, old);
    object.metadata!.generation = changed
      ? nextGeneration(old.metadata!.generation)
      : old.metadata!.generation;
  }
}
