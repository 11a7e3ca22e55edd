import { quote } from '../../errors/quote.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors, invalidFormatted } from '../../status/index.ts';
import type { OperationContext } from '../environment.ts';
import { metadataOf } from '../object-metadata.ts';
import type { Creation } from './creation.ts';
import type { Update } from './update.ts';

const MODIFIED_TEXT =
  'the object has been modified; please apply your changes to the latest version and try again';

const VERSION_SET = 'resourceVersion should not be set on objects to be created';

/** Refuses a resourceVersion that admission set. Reads: object, sentVersion. @throws ApiError 500 */
export function refuseAdmittedVersion({ context, object, sentVersion }: Creation): void {
  if (context.dryRun || namesVersion(sentVersion)) return;
  if (namesVersion(object.metadata?.resourceVersion)) throw errors.internal(VERSION_SET);
}

/** Refuses the creation of a certain version. Reads: givenVersion. @throws ApiError 400 */
export function refuseVersion({ context, givenVersion }: Creation): void {
  if (!context.dryRun && namesVersion(givenVersion)) throw errors.badRequest(VERSION_SET);
}

/**
 * Whether a resourceVersion is another one than 0. The store refuses to create such an object; a dry run does not
 * reach the store. A resourceVersion that is not a decimal number is ignored.
 */
const namesVersion = (resourceVersion = ''): boolean => /^0*[1-9]\d*$/.test(resourceVersion);

/**
 * Checks the uid and the resourceVersion of the desired object.
 * Reads: object, old, record. Changes: isConditional; sets the version of an object that has none.
 * @throws ApiError 400, 409, 422
 */
export function checkPreconditions(write: Update): void {
  const { context, request, record, object, old } = write;
  if (request.checksUid !== false) checkUid(context, request.name, record.key, object, old);
  write.isConditional = checkResourceVersion(write);
}

/**
 * A uid is a precondition, which a missing object does not meet.
 * @throws ApiError 409
 */
export function checkUid(
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

const requiresVersion = ({
  strategy: { requiresResourceVersion: rule = false },
  row,
}: ServedResource): boolean => (typeof rule === 'function' ? rule(row.version) : rule);

/** Whether the client set a resourceVersion as precondition; then it must be the stored one. */
function checkResourceVersion({ context, request, object, record }: Update): boolean {
  const { resource, subresource } = context;
  const metadata = metadataOf(object);
  const given = metadata.resourceVersion ?? '';
  const current = String(record.revision);
  if (given === '' || given === '0') {
    if (requiresVersion(resource) && subresource !== 'scale') {
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
  if (given !== current) throw modified(context, request.name);
  // A patch result repeats the version of the object: that is not a precondition.
  return !request.unconditional;
}

/** The error of a write whose object was changed by another one. */
export const modified = ({ resource: { row } }: OperationContext, name: string) =>
  errors.conflict(row, name, MODIFIED_TEXT);
