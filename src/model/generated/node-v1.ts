// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface Overhead {
  podFixed?: Record<string, string>;
}

export type RuntimeClass = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  handler?: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
};

export type RuntimeClassList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: RuntimeClass[];
};

export interface Scheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: coreV1.Toleration[];
}
