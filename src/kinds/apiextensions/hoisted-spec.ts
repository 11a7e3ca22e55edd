import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '../../model/generated/apiextensions-v1.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

/** Top-level members that apply to all versions when they are equal in all versions. */
export interface SharedMembers {
  validation?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
}

/** The internal and stored form of the spec. Errors name its members. */
export interface HoistedSpec extends SharedMembers {
  readonly versions: CustomResourceDefinitionVersion[];
}

/** Members of versions and their top-level names. */
const MEMBERS = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/**
 * Moves members that are equal in all versions to the top level. Works on plain JSON and typed objects; the
 * result shares parts with the argument.
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

/** Moves top-level members into every version that lacks them. */
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
