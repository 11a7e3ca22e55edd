import type { Declarations } from '../declare.ts';

export default {
  family: 'componentbase_tracing_v1',
  group: '',
  version: '',
  unpublished: true,
  types: `
TracingConfiguration
  endpoint - *string
  samplingRatePerMillion - *int32
`,
} satisfies Declarations;
