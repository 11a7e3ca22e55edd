// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type * as metaV1 from './meta-v1.ts';

export type APIService = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  spec?: APIServiceSpec;
  status?: APIServiceStatus;
};

export interface APIServiceCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export type APIServiceList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: APIService[];
};

export interface APIServiceSpec {
  service?: ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: string;
  groupPriorityMinimum?: number;
  versionPriority?: number;
}

export interface APIServiceStatus {
  conditions?: APIServiceCondition[];
}

export interface ServiceReference {
  namespace?: string;
  name?: string;
  port?: number;
}
