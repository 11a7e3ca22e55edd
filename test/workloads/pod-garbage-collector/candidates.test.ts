import { describe, expect, it } from 'vitest';
import {
  isOutOfService,
  surplus,
  traitsOf,
} from '../../../src/workloads/pod-garbage-collector/candidates.ts';

const finished = (key: string, createdAt: number, isEvicted = false) => ({
  key,
  traits: { node: 'n', isTerminating: false, isFinished: true, isEvicted, createdAt },
});

describe('finished Pods', () => {
  const pods = [
    finished('b', 2),
    finished('a', 1),
    finished('e', 9, true),
    finished('c', 3),
    finished('c2', 3),
  ];

  it('beyond the threshold are evicted ones, then the oldest', () => {
    expect(surplus(pods, 2).map(({ key }) => key)).toEqual(['e', 'a', 'b']);
    expect(surplus(pods, 5)).toEqual([]);
  });

  it('are all kept without a threshold', () => {
    expect(surplus(pods, 0)).toEqual([]);
    expect(surplus(pods, -1)).toEqual([]);
  });
});

it('a Pod has traits, unless it is left alone', () => {
  expect(
    traitsOf({
      metadata: { creationTimestamp: '1970-01-01T00:00:05Z', deletionTimestamp: '1970-01-01T00:00:09Z' },
      spec: { nodeName: 'n' },
      status: { phase: 'Failed', reason: 'Evicted' },
    }),
  ).toEqual({ node: 'n', isTerminating: true, isFinished: true, isEvicted: true, createdAt: 5000 });
  expect(traitsOf({ metadata: { annotations: { 'sim.binnacle.dev/manage': 'false' } } })).toBeUndefined();
});

it('a node is out of service if its taint says so and it is not ready', () => {
  const spec = { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] };
  const ready = (status: string) => ({ conditions: [{ type: 'Ready', status }] });
  expect(isOutOfService({ spec, status: ready('Unknown') })).toBe(true);
  expect(isOutOfService({ spec, status: ready('True') })).toBe(false);
  expect(isOutOfService({ status: ready('Unknown') })).toBe(false);
});
