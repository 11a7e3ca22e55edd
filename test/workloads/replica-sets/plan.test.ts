import { describe, expect, it } from 'vitest';
import { planReplicas } from '../../../src/workloads/replica-sets/plan.ts';
import { NOW, pod } from '../../reconcile/pods/pods.ts';

const pods = (count: number) => Array.from({ length: count }, (_, index) => pod(`p${index}`, { ready: 10 }));
const plan = (present: number, wanted: number) => {
  const objects = pods(present);
  return planReplicas(objects, wanted, () => objects, NOW);
};

describe('the plan for replicas', () => {
  it('creates what is missing', () => expect(plan(1, 3)).toEqual({ does: 'create', count: 2 }));
  it('does nothing when the number is right', () => expect(plan(3, 3)).toEqual({ does: 'nothing' }));
  it('deletes what is too much', () =>
    expect(plan(5, 3)).toMatchObject({ does: 'delete', pods: [expect.anything(), expect.anything()] }));
  it('creates and deletes 500 at most', () => {
    expect(plan(0, 5000)).toEqual({ does: 'create', count: 500 });
    const { pods: deleted } = plan(700, 0) as { pods: readonly unknown[] };
    expect(deleted.length).toBe(500);
  });
});
