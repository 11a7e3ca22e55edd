import { isDeepStrictEqual } from 'node:util';
import { errors, type FieldError, invalid } from '../../status/index.ts';
import { toServedDefinition } from './stored-form.ts';

type Plain = Record<string, unknown>;

const GROUP = 'apiextensions.k8s.io';
/** The version that is not served any more. Its form is the stored one. */
const FORMER = `${GROUP}/v1beta1`;

const PER_VERSION = [
  ['schema', 'schemas', 'validation'],
  ['subresources', 'subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

/**
 * Converts a plain definition of the former version v1beta1 to v1, as kube-apiserver does with the result of a
 * patch that names it; other objects stay as they are.
 * @throws ApiError 422 for what only v1 allows
 */
export function fromFormerVersion(plain: unknown): unknown {
  if (typeof plain !== 'object' || plain === null || (plain as Plain)['apiVersion'] !== FORMER) return plain;
  const definition = plain as Plain;
  const spec = (definition['spec'] ?? {}) as Plain;
  const versions = (Array.isArray(spec['versions']) ? spec['versions'] : []) as Plain[];
  const problems: FieldError[] = [];
  for (const [member, what, shared] of PER_VERSION)
    if (isSetAlike(versions, member))
      problems.push(
        invalid(
          'spec.versions',
          versions,
          `per-version ${what} may not all be set to identical values (top-level ${shared} should be used instead)`,
        ),
      );
  // The default of v1beta1.
  if ((spec['preserveUnknownFields'] ?? true) === true)
    problems.push(invalid('spec.preserveUnknownFields', true, 'must be false'));
  if (problems.length > 0) {
    const { name } = (definition['metadata'] ?? {}) as { name?: unknown };
    throw errors.invalid({ group: GROUP, kind: 'CustomResourceDefinition' }, String(name ?? ''), problems);
  }
  return { ...toServedDefinition(definition), apiVersion: `${GROUP}/v1` };
}

/** Whether all versions set a member to the same value. */
function isSetAlike(versions: readonly Plain[], member: string): boolean {
  const [first] = versions;
  const isSet = (value: unknown): boolean =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return (
    first !== undefined &&
    versions.every((version) => isSet(version[member]) && isDeepStrictEqual(version[member], first[member]))
  );
}
