import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import { ApiError, errors } from '../status/index.ts';
import { CorruptObjectError } from '../storage/corrupt-object.ts';
import type { OperationContext } from './environment.ts';
import { checkNamespace, generateName, metadataOf } from './object-metadata.ts';
import { admit, admitFinally, deduplicateAdmitted } from './stages/admit.ts';
import { authorize } from './stages/authorize.ts';
import { commitNew } from './stages/commit.ts';
import { Creation } from './stages/creation.ts';
import { encode } from './stages/encode.ts';
import { clean, recordOwners } from './stages/own.ts';
import { refuseAdmittedVersion, refuseVersion } from './stages/preconditions.ts';
import { prepareNew } from './stages/prepare.ts';
import { reserve } from './stages/reserve.ts';
import { attempt, runStages, type Stage } from './stages/run.ts';
import { refuseOfTerminating } from './stages/terminating-definition.ts';
import { validateNew } from './stages/validate.ts';
import { warn } from './stages/warn.ts';

const GENERATED_NAME_ATTEMPTS = 8;

/** Run once, before the name is generated. */
const ADMISSION: readonly Stage<Creation>[] = [
  clean,
  recordOwners,
  refuseOfTerminating,
  admit,
  refuseAdmittedVersion,
  deduplicateAdmitted,
];

/** Run for each generated name. */
const ATTEMPT: readonly Stage<Creation>[] = [
  prepareNew,
  authorize,
  reserve,
  validateNew,
  warn,
  admitFinally,
  refuseVersion,
  encode,
  commitNew,
];

/**
 * Creates an object.
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
  const creation = new Creation(context, object, metadataOf(object).name ?? '', options);
  await admitCreation(creation);
  return createAdmitted(creation);
}

/** Mutating admission of a new object, and what comes before it. @throws ApiError */
export const admitCreation = (creation: Creation): Promise<void> => runStages(creation, ADMISSION);

/** Stores an object after mutating admission, under another name if a generated one is in use. @throws ApiError */
export async function createAdmitted(creation: Creation): Promise<CacheRecord> {
  const { context, object } = creation;
  const { row } = context.resource;
  const metadata = metadataOf(object);
  const generates = (metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '';
  for (let number = 1; ; number += 1) {
    if (generates) generateName(context, metadata);
    const outcome = await attempt(creation, ATTEMPT);
    if ('result' in outcome) return outcome.result;
    const holder = outcome.lost.record;
    if ((metadata.generateName ?? '') === '')
      throw nameTaken(holder, errors.alreadyExists(row, metadata.name!));
    if (!generates || number === GENERATED_NAME_ATTEMPTS)
      throw nameTaken(holder, errors.generatedNameExists(row, metadata.name!));
    creation.result = undefined;
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
