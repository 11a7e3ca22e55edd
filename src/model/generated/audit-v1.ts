// Written by scripts/generate-types.mjs: change the declarations in ../types instead.
import type { RawJson } from '../object.ts';
import type * as authenticationV1 from './authentication-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface AuthenticationMetadata {
  impersonationConstraint?: string;
}

export type Event = {
  apiVersion?: string;
  kind?: string;
  level?: string;
  auditID?: string;
  stage?: string;
  requestURI?: string;
  verb?: string;
  user?: authenticationV1.UserInfo;
  impersonatedUser?: authenticationV1.UserInfo;
  authenticationMetadata?: AuthenticationMetadata;
  sourceIPs?: string[];
  userAgent?: string;
  objectRef?: ObjectReference;
  responseStatus?: metaV1.Status;
  requestObject?: RawJson;
  responseObject?: RawJson;
  requestReceivedTimestamp?: string | null;
  stageTimestamp?: string | null;
  annotations?: Record<string, string>;
};

export type EventList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: Event[];
};

export interface GroupResources {
  group?: string;
  resources?: string[];
  resourceNames?: string[];
}

export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

export type Policy = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ObjectMeta;
  rules?: PolicyRule[];
  omitStages?: string[];
  omitManagedFields?: boolean;
};

export type PolicyList = {
  apiVersion?: string;
  kind?: string;
  metadata?: metaV1.ListMeta;
  items?: Policy[];
};

export interface PolicyRule {
  level?: string;
  users?: string[];
  userGroups?: string[];
  verbs?: string[];
  resources?: GroupResources[];
  namespaces?: string[];
  nonResourceURLs?: string[];
  omitStages?: string[];
  omitManagedFields?: boolean;
}
