import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
Binding kind
  metadata 1 meta_v1.ObjectMeta
  target 2 ObjectReference required

ConfigMapKeySelector map=atomic
  localObjectReference 1 LocalObjectReference inline
  key 2 string required
  optional 3 *boolean

List kind unpublished
  metadata 1 meta_v1.ListMeta
  items 2 []runtime.RawExtension required

LocalObjectReference map=atomic
  name 1 string default=""

ObjectFieldSelector map=atomic
  apiVersion 1 string
  fieldPath 2 string required

ObjectReference map=atomic
  kind 1 string
  namespace 2 string
  name 3 string
  uid 4 string go=types.UID
  apiVersion 5 string
  resourceVersion 6 string
  fieldPath 7 string

PodAttachOptions kind unpublished
  stdin 1 boolean
  stdout 2 boolean
  stderr 3 boolean
  tty 4 boolean
  container 5 string

PodExecOptions kind unpublished
  stdin 1 boolean
  stdout 2 boolean
  stderr 3 boolean
  tty 4 boolean
  container 5 string
  command 6 []string required list=atomic

PodLogOptions kind unpublished
  container 1 string
  follow 2 boolean
  previous 3 boolean
  sinceSeconds 4 *int64
  sinceTime 5 *meta_v1.Time
  timestamps 6 boolean
  tailLines 7 *int64
  limitBytes 8 *int64
  insecureSkipTLSVerifyBackend 9 boolean
  stream 10 *string

PodPortForwardOptions kind unpublished
  ports 1 []int32 itemsDefault=0 list=atomic

PodProxyOptions kind unpublished
  path 1 string

Preconditions unpublished
  uid 1 *string go=types.UID

ResourceFieldSelector map=atomic
  containerName 1 string
  resource 2 string required
  divisor 3 quantity.Quantity

SELinuxOptions
  user 1 string
  role 2 string
  type 3 string
  level 4 string

SecretKeySelector map=atomic
  localObjectReference 1 LocalObjectReference inline
  key 2 string required
  optional 3 *boolean

SecretReference map=atomic
  name 1 string
  namespace 2 string

WindowsSecurityContextOptions
  gmsaCredentialSpecName 1 *string
  gmsaCredentialSpec 2 *string
  runAsUserName 3 *string
  hostProcess 4 *boolean
`,
} satisfies Declarations;
