// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type PriorityClass = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  value?: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: string;
};

export type PriorityClassList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: PriorityClass[];
};
