import type { Declarations } from '../declare.ts';

export default {
  family: 'runtime',
  group: '',
  version: '',
  protobuf: 'k8s.io.apimachinery.pkg.runtime',
  types: `
RawExtension form=raw

TypeMeta unpublished
  apiVersion 1 string
  kind 2 string

Unknown form=unknown unpublished
  typeMeta 1 TypeMeta inline
  Raw 2 bytes hidden protobuf=raw
  ContentEncoding 3 string required protobuf=contentEncoding
  ContentType 4 string required protobuf=contentType
`,
} satisfies Declarations;
