import fc from 'fast-check';
import type { EndpointSubset } from '../../../src/model/generated/core-v1.ts';
import { planMirror } from '../../../src/workloads/endpoint-slice-mirroring/mirror.ts';
import { paceCase } from './pace-case.ts';

const addresses = fc.array(fc.record({ ip: fc.constantFrom('10.0.0.1', '10.0.0.2', 'fd00::1', 'x') }), {
  maxLength: 6,
});
const ports = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'b'),
    port: fc.constantFrom(80, 443),
    protocol: fc.constant('TCP'),
  }),
  { maxLength: 3 },
);
const subsets = fc.array(fc.record<EndpointSubset>({ addresses, notReadyAddresses: addresses, ports }), {
  maxLength: 4,
});

export const WORKLOADS_CASES = [
  paceCase(
    'workloads/endpoint-slice-mirroring/mirror.ts planMirror',
    fc.tuple(subsets, fc.constantFrom(1, 1000)),
    ([all, maximum]) =>
      planMirror({ metadata: { namespace: 'ns', name: 'web', uid: 'u' }, subsets: all }, [], maximum),
  ),
];
