import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '../../../model/generated/apiextensions-v1.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';

/** Members that stand once for all versions where the versions agree on them. */
export interface SharedMembers {
  validation?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
}

/** The specification as the server itself sees and stores it. Errors name its members. */
export interface HoistedSpec extends SharedMembers {
  readonly versions: CustomResourceDefinitionVersion[];
}

/** The name at the top of what each version has. */
const MEMBERS = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/**
 * Takes what all versions have in common out of them. Works on plain JSON as on typed objects; shares parts
 * with what is given.
 */
export function hoistSharedMembers({
  versions = [],
}: Pick<CustomResourceDefinitionSpec, 'versions'>): HoistedSpec {
  const rest: CustomResourceDefinitionVersion[] = versions.map((version) => ({ ...version }));
  const shared: Record<string, unknown> = {};
  for (const [member, name] of MEMBERS) {
    const first = versions[0]?.[member];
    if (first === undefined || !versions.every((version) => semanticEqual(version[member], first))) continue;
    shared[name] = first;
    for (const version of rest) delete version[member];
  }
  return { ...(shared as SharedMembers), versions: rest };
}

/** The inverse: what stands at the top goes into every version that has no such member of its own. */
export function lowerSharedMembers(
  versions: readonly CustomResourceDefinitionVersion[],
  shared: SharedMembers,
): CustomResourceDefinitionVersion[] {
  return versions.map((version) => {
    const complete: Record<string, unknown> = { ...version };
    for (const [member, name] of MEMBERS)
      if (version[member] === undefined && shared[name] !== undefined) complete[member] = shared[name];
    return complete as CustomResourceDefinitionVersion;
  });
}
