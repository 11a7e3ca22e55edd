// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as coreV1 from './core-v1.ts';

export type Configuration = {
  apiVersion?: string;
  kind?: string;
  default?: coreV1.Toleration[];
  whitelist?: coreV1.Toleration[];
};
