import { quote } from '../errors/quote.ts';
import type { KubernetesObject } from '../model/object.ts';
import { ApiError, errors, invalidFormatted } from '../status/index.ts';
import { recordSize } from '../steps/run.ts';
import { type AttemptResult, compareAndSwap, readState } from './compare-and-swap.ts';
import { admitCreation, createAdmitted } from './create.ts';
import type { OperationContext } from './environment.ts';
import { checkNamespace, checkPathName, metadataOf } from './object-metadata.ts';
import { admit, admitFinally, deduplicateAdmitted } from './stages/admit.ts';
import { authorize } from './stages/authorize.ts';
import { commitChanged } from './stages/commit.ts';
import { Creation } from './stages/creation.ts';
import { encode, endUnchanged } from './stages/encode.ts';
import { loadOld, transform } from './stages/load.ts';
import { recordOwners } from './stages/own.ts';
import { checkPreconditions, checkUid } from './stages/preconditions.ts';
import { prepareChanged } from './stages/prepare.ts';
import { reserve } from './stages/reserve.ts';
import { attempt, type Stage } from './stages/run.ts';
import { Update, type UpdateRequest, type UpdateResult } from './stages/update.ts';
import { validateChanged } from './stages/validate.ts';
import { warn } from './stages/warn.ts';

const RENAMED_TEXT = 'field is immutable: mutating admission must not change the name in the path';

const ATTEMPT: readonly Stage<Update>[] = [
  loadOld,
  transform,
  recordOwners,
  admit,
  deduplicateAdmitted,
  checkPreconditions,
  prepareChanged,
  authorize,
  reserve,
  validateChanged,
  warn,
  admitFinally,
  encode,
  endUnchanged,
  commitChanged,
];

/**
 * Updates an object by compare and swap; retries until the request's deadline.
 * @throws ApiError, CorruptObjectError
 */
export async function update(context: OperationContext, request: UpdateRequest): Promise<UpdateResult> {
  checkPathName(request.name);
  const key = context.resource.stored.key(context.namespace, request.name);
  return compareAndSwap<UpdateResult>(context, key, (record, leaveTurn) => {
    if (record === undefined) return createMissing(context, request, key, leaveTurn);
    recordSize(context.request, record.value.length);
    return attempt(new Update(context, request, record, leaveTurn), ATTEMPT);
  });
}

/** Creates the object of an update that is missing, where that is allowed. @throws ApiError 404 */
async function createMissing(
  context: OperationContext,
  request: UpdateRequest,
  key: string,
  leaveTurn: () => void,
): Promise<AttemptResult<UpdateResult>> {
  const { stored, row } = context.resource;
  if (request.replaces === true)
    checkUid(context, request.name, key, await request.transform(undefined, undefined), undefined);
  if (!request.createsWhenMissing) throw errors.notFound(row, request.name);
  leaveTurn();
  await request.authorizeCreate?.();
  const creation = newObject(context, request, await request.transform(undefined, undefined));
  await admitCreation(creation);
  checkAdmittedName(creation, request.name);
  try {
    const record = await createAdmitted(creation);
    return {
      result: { record, created: true },
      ...(context.dryRun ? {} : { stored: { record, revision: record.revision } }),
    };
  } catch (error) {
    if (context.dryRun || !(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    // Another writer has created the object: update it.
    return { lost: await readState(stored, key) };
  }
}

/** @throws ApiError 409 for an object with the uid of another one */
function newObject(context: OperationContext, request: UpdateRequest, object: KubernetesObject): Creation {
  checkNamespace(object, context.namespace);
  const metadata = metadataOf(object);
  metadata.name ??= request.name;
  if ((metadata.uid ?? '') !== '')
    throw errors.conflict(
      context.resource.row,
      request.name,
      `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`,
    );
  if (!context.dryRun) delete metadata.resourceVersion;
  const options = request.options && { ...request.options, kind: 'CreateOptions' };
  return new Creation(context, object, request.name, options);
}

/** The object would be another one than that of the request, whose creation would never end. @throws ApiError 422 */
function checkAdmittedName({ context, object }: Creation, name: string): void {
  const admittedName = object.metadata?.name ?? '';
  if (admittedName !== name)
    throw errors.invalid(context.resource.kindInErrors(object), name, [
      invalidFormatted('metadata.name', quote(admittedName), RENAMED_TEXT),
    ]);
}
