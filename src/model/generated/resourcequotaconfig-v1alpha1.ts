// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as coreV1 from './core-v1.ts';

export type Configuration = {
  apiVersion?: string;
  kind?: string;
  limitedResources?: LimitedResource[];
};

export interface LimitedResource {
  apiGroup?: string;
  resource?: string;
  matchContains?: string[];
  matchScopes?: coreV1.ScopedResourceSelectorRequirement[];
}
