import type { Declarations } from '../declare.ts';

export default {
  family: 'meta_v1',
  group: 'meta.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.apimachinery.pkg.apis.meta.v1',
  types: `
ApplyOptions kind unpublished
  dryRun 1 []string list=atomic
  force 2 boolean required
  fieldManager 3 string required

CreateOptions kind unpublished
  dryRun 1 []string list=atomic
  fieldManager 3 string
  fieldValidation 4 string

DeleteOptions kind
  gracePeriodSeconds 1 *int64
  preconditions 2 *Preconditions
  orphanDependents 3 *boolean
  propagationPolicy 4 *string go=DeletionPropagation
  dryRun 5 []string list=atomic
  ignoreStoreReadErrorWithClusterBreakingPotential 6 *boolean

GetOptions kind unpublished
  resourceVersion 1 string

ListOptions kind unpublished
  @json labelSelector fieldSelector watch allowWatchBookmarks resourceVersion resourceVersionMatch timeoutSeconds limit continue sendInitialEvents shardSelector
  labelSelector 1 string
  fieldSelector 2 string
  watch 3 boolean
  resourceVersion 4 string
  timeoutSeconds 5 *int64
  limit 7 int64
  continue 8 string
  allowWatchBookmarks 9 boolean
  resourceVersionMatch 10 string go=ResourceVersionMatch
  sendInitialEvents 11 *boolean
  shardSelector 15 string since=1.36

PatchOptions kind unpublished
  dryRun 1 []string list=atomic
  force 2 *boolean
  fieldManager 3 string
  fieldValidation 4 string

Preconditions
  uid 1 *string go=types.UID
  resourceVersion 2 *string

TableOptions kind unpublished
  includeObject 1 string go=IncludeObjectPolicy

UpdateOptions kind unpublished
  dryRun 1 []string list=atomic
  fieldManager 2 string
  fieldValidation 3 string
`,
} satisfies Declarations;
