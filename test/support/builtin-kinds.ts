import type { BuiltinResource } from '../../src/kinds/builtin-resource.ts';
import { builtinResourcesOf, type ServedPredicate } from '../../src/kinds/builtin-resources.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import { type ResourceRow, type ResourceSet, servedResources } from '../../src/resources/resource-set.ts';

const kinds = builtinResourcesOf(schemeOf());

/** The rows of all built-in resources of the default release, served or not. */
export const BUILTIN_RESOURCES = kinds.rows;
export const builtinResourceSet = (isServed?: ServedPredicate): ResourceSet =>
  servedResources(kinds, isServed);
export const builtinResources = (isServed?: ServedPredicate): readonly ResourceRow[] =>
  servedResources(kinds, isServed).resources;
export const builtinResourceOf = (row: ResourceRow): BuiltinResource | undefined => kinds.resourceOf(row);
export const findBuiltinResource = (group: string, resource: string): BuiltinResource | undefined =>
  kinds.find(group, resource);
