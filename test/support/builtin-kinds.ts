import { schemeOf } from '../../src/model/scheme.ts';
import type { BuiltinResource } from '../../src/registry/builtin-resource.ts';
import { builtinResourcesOf, type ServedPredicate } from '../../src/registry/builtin-resources.ts';
import type { ResourceRow, ResourceSet } from '../../src/registry/resource-set.ts';

const kinds = builtinResourcesOf(schemeOf());

/** The rows of all built-in resources of the default release, served or not. */
export const BUILTIN_RESOURCES = kinds.rows;
export const builtinResourceSet = (isServed?: ServedPredicate): ResourceSet => kinds.served(isServed);
export const builtinResources = (isServed?: ServedPredicate): readonly ResourceRow[] =>
  kinds.served(isServed).resources;
export const builtinResourceOf = (row: ResourceRow): BuiltinResource | undefined => kinds.resourceOf(row);
export const findBuiltinResource = (group: string, resource: string): BuiltinResource | undefined =>
  kinds.find(group, resource);
export const builtinDescriptions = (): Readonly<Record<string, string>>[] => kinds.descriptions();
