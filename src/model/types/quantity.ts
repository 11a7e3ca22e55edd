import type { Declarations } from '../declare.ts';

export default {
  family: 'quantity',
  group: '',
  version: '',
  protobuf: 'k8s.io.apimachinery.pkg.api.resource',
  types: `
Quantity form=quantity
`,
} satisfies Declarations;
