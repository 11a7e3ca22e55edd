import { findErrors } from '../../kinds/validation/find-errors.ts';
import {
  type ObjectMetaRules,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../kinds/validation/object-meta.ts';
import type { Life } from '../../model/life.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors, type FieldError, withoutRepeatedErrors } from '../../status/index.ts';
import { runInTurns } from '../../steps/run.ts';
import type { Creation } from './creation.ts';
import type { Update } from './update.ts';
import type { Write } from './write.ts';

/**
 * Validates metadata and content of a new object, and normalizes it if it is valid.
 * Reads: name, view. Changes: object.
 * @throws ApiError 422 with all errors
 */
export async function validateNew(write: Creation): Promise<void> {
  const { context, object, view } = write;
  const { request, resource } = context;
  const { strategy } = resource;
  const rules = { ...metadataRules(resource, object), has: request.scheme.has };
  refuse(
    write,
    await findProblems(
      request,
      () => validateObjectMeta(object.metadata, rules),
      () => strategy.validate?.(object, view) ?? [],
      strategy.metadata?.checks?.create === 'last',
    ),
  );
  strategy.canonicalize?.(object);
}

/**
 * Validates what an update changes of metadata and content, and normalizes the object if it is valid.
 * Reads: old, name, view. Changes: object.
 * @throws ApiError 422 with all errors
 */
export async function validateChanged(write: Update): Promise<void> {
  const { context, object, old, view } = write;
  const { request, resource, subresource } = context;
  const { strategy } = resource;
  const check = subresource === '' ? strategy.validateUpdate : strategy.validateSubresource?.[subresource];
  const checks = strategy.metadata?.checks;
  const rules = {
    ...metadataRules(resource, object),
    has: request.scheme.has,
    checks: subresource === '' ? checks?.update : checks?.through?.[subresource],
  };
  refuse(
    write,
    await findProblems(
      request,
      () => validateObjectMetaUpdate(object.metadata!, old.metadata!, rules),
      () => check?.(object, old, view) ?? [],
    ),
  );
  strategy.canonicalize?.(object, subresource);
}

/** The releases that report equal errors of the built-in kinds once. */
const REPORTS_ONCE: Life = { since: '1.37' };

/** The groups that extend the API: like custom objects, kube-apiserver validates their objects by other rules. */
const EXTENDING_GROUPS: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

function refuse({ context: { request, resource }, object, name }: Write, problems: FieldError[]): void {
  if (problems.length === 0) return;
  const isExtension = resource.schema.isUntyped || EXTENDING_GROUPS.has(resource.row.group);
  const reportsOnce = request.scheme.has(REPORTS_ONCE) && !isExtension;
  throw errors.invalid(
    resource.kindInErrors(object),
    name,
    reportsOnce ? withoutRepeatedErrors(problems) : problems,
  );
}

/**
 * Checks metadata and object. Validation pauses after some milliseconds, however small the request is: few
 * characters of expressions take long.
 * @param metadataLast metadata is checked only if the object has no error
 */
async function findProblems(
  request: RequestContext,
  checkMetadata: () => FieldError[],
  checkObject: () => FieldError[],
  metadataLast = false,
): Promise<FieldError[]> {
  const run = (check: () => FieldError[]) => runInTurns(request.turns, findErrors(check));
  if (metadataLast) {
    const found = await run(checkObject);
    return [...(found.length > 0 ? found : await run(checkMetadata))];
  }
  return [...(await run(checkMetadata)), ...(await run(checkObject))];
}

/** The rules for the metadata of an object of a resource. */
function metadataRules(
  { row, strategy: { metadata } }: ServedResource,
  object: KubernetesObject,
): ObjectMetaRules {
  return {
    namespaced: row.namespaced,
    validateName: metadata?.validateName && ((name, prefix) => metadata.validateName!(name, prefix, object)),
    allowsUnqualifiedFinalizers: metadata?.allowsUnqualifiedFinalizers,
    ignoresPrefix: metadata?.ignoresPrefix,
  };
}
