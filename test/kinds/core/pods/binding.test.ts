import { describe, expect, it } from 'vitest';
import { applyBinding, validateBinding } from '../../../../src/kinds/core/pods/binding.ts';
import type { Pod } from '../../../../src/model/generated/core-v1.ts';
import { contextOf } from '../../run-strategy.ts';

const NOW = '2026-01-01T00:00:00Z';
const podOf = (more: object = {}): Pod =>
  ({ metadata: { name: 'p' }, spec: { containers: [] }, ...more }) as Pod;

describe('bindings', () => {
  it('assigns the pod to the node and copies annotations', () => {
    const pod = podOf();
    applyBinding(
      pod,
      {
        metadata: { name: 'p', annotations: JSON.parse('{"a":"b","__proto__":"c"}') },
        target: { name: 'n' },
      },
      NOW,
      contextOf().isOn,
    );
    expect(pod.spec?.nodeName).toBe('n');
    expect(Object.entries(pod.metadata?.annotations ?? {})).toEqual([
      ['a', 'b'],
      ['__proto__', 'c'],
    ]);
    expect(pod.status?.conditions).toEqual([
      { type: 'PodScheduled', status: 'True', lastTransitionTime: NOW },
    ]);
  });

  it('replaces the condition of removed scheduling gates', () => {
    const pod = podOf({
      status: {
        conditions: [
          { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', lastTransitionTime: 'before' },
          { type: 'Ready', status: 'False' },
        ],
      },
    });
    applyBinding(pod, { target: { name: 'n' } }, NOW, contextOf().isOn);
    expect(pod.status?.conditions).toEqual([
      { type: 'PodScheduled', status: 'True', lastTransitionTime: NOW },
      { type: 'Ready', status: 'False' },
    ]);
  });

  it.each([
    ['already assigned', { spec: { nodeName: 'm' } }, 'pod p is already assigned to node "m"'],
    [
      'being deleted',
      { metadata: { name: 'p', deletionTimestamp: NOW } },
      'pod p is being deleted, cannot be assigned to a host',
    ],
    ['gated', { spec: { schedulingGates: [{ name: 'a/b' }] } }, 'pod p has non-empty .spec.schedulingGates'],
  ])('throws a conflict for a pod that is %s', (_case, more, text) => {
    expect(() => applyBinding(podOf(more), { target: { name: 'n' } }, NOW, contextOf().isOn)).toThrow(
      expect.objectContaining({
        code: 409,
        message: `Operation cannot be fulfilled on pods/binding "p": ${text}`,
      }),
    );
  });

  it('rejects a binding without a node name', () => {
    expect(
      validateBinding({ target: { kind: 'Pod' } }, contextOf()).map(({ field, body }) => `${field}: ${body}`),
    ).toEqual([
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
      'target.name: Required value',
    ]);
  });
});
