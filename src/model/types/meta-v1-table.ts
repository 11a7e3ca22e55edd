import type { Declarations } from '../declare.ts';

export default {
  family: 'meta_v1',
  group: 'meta.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.apimachinery.pkg.apis.meta.v1',
  types: `
Table kind unpublished
  metadata - ListMeta
  columnDefinitions - []TableColumnDefinition required list=atomic
  rows - []TableRow required list=atomic

TableColumnDefinition unpublished
  name - string required
  type - string required
  format - string required
  description - string required
  priority - int32 required

TableRow unpublished
  cells - []apiextensions_v1.JSON required list=atomic
  conditions - []TableRowCondition list=atomic
  object - runtime.RawExtension

TableRowCondition unpublished
  type - string required go=RowConditionType
  status - string required go=ConditionStatus
  reason - string
  message - string
`,
} satisfies Declarations;
