import type { KubernetesObject } from '../model/object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { ObjectMetaRules } from '../registry/validation/object-meta.ts';
import { findErrorsInSteps, validateInSteps } from '../registry/validation/validate-in-steps.ts';
import type { RequestContext } from '../request/context.ts';
import type { FieldError } from '../status/index.ts';
import { isLarge, recordLarge, runIfLarge } from '../steps/run.ts';

/** The rules for the metadata of an object of a resource. */
export const metadataRules = (
  { row, strategy }: ServedResource,
  object: KubernetesObject,
): ObjectMetaRules => ({
  namespaced: row.namespaced,
  validateName: strategy.validateName && ((name, prefix) => strategy.validateName!(name, prefix, object)),
  allowsUnqualifiedFinalizers: strategy.allowsUnqualifiedFinalizers,
});

/** Marks a request as large when its object is large, for example because of defaults. */
export function recordObjectSize(
  request: RequestContext,
  { schema }: ServedResource,
  object: KubernetesObject,
): void {
  if (!isLarge(request) && schema.isSmall?.(object) === false) recordLarge(request);
}

/**
 * Validates metadata and object; a large request yields to the event loop between steps.
 * @param metadataLast metadata is validated only if the object has no error
 */
export async function validate(
  request: RequestContext,
  checkMetadata: () => FieldError[],
  checkObject: () => FieldError[],
  metadataLast = false,
): Promise<FieldError[]> {
  const run = (check: () => FieldError[]) => runIfLarge(request, findErrorsInSteps(check));
  if (metadataLast) {
    const errors = await run(checkObject);
    return [...(errors.length > 0 ? errors : await run(checkMetadata))];
  }
  return [...(await run(checkMetadata)), ...(await run(checkObject))];
}

/** More warnings are not added: far fewer fit into a response. */
const MAXIMUM_WARNINGS = 4096;

/** Adds warnings to the request; finding those of a large one yields to the event loop between steps. */
export async function warn(request: RequestContext, find: () => readonly string[]): Promise<void> {
  for (const warning of await runIfLarge(request, validateInSteps(find))) {
    if (request.warnings.size >= MAXIMUM_WARNINGS) break;
    request.warnings.add(warning);
  }
}
