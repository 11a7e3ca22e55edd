import type { Declarations } from '../declare.ts';

export default {
  family: 'intstr',
  group: '',
  version: '',
  protobuf: 'k8s.io.apimachinery.pkg.util.intstr',
  types: `
IntOrString form=intOrString
`,
} satisfies Declarations;
