import { describe, expect, it } from 'vitest';
import { mergeTolerations } from '../../../src/admission/plugins/merged-tolerations.ts';
import type { Toleration } from '../../../src/model/generated/core-v1.ts';

const equal: Toleration = { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' };
const everything: Toleration = { operator: 'Exists' };
const evicted = (tolerationSeconds?: number): Toleration => ({
  key: 'c',
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

describe('tolerations of a pod and its runtime class', () => {
  it.each<[string, Toleration[], Toleration[], Toleration[]]>([
    ['are kept when they differ', [equal], [evicted()], [equal, evicted()]],
    ['are kept once when they are equal', [equal], [equal, equal], [equal]],
    ['give way to one that matches every taint', [equal, evicted(5)], [everything], [everything]],
    ['give way to an earlier one, too', [everything], [equal], [everything]],
    [
      'give way to one of every value',
      [equal],
      [{ key: 'a', operator: 'Exists' }],
      [{ key: 'a', operator: 'Exists' }],
    ],
    ['give way to the one that lasts longest', [evicted(5), evicted(7)], [evicted(6)], [evicted(7)]],
    ['give way to one that lasts for ever', [evicted(5)], [evicted()], [evicted()]],
    [
      'without an operator cover `Equal` ones',
      [equal],
      [{ ...equal, operator: '' }],
      [{ ...equal, operator: '' }],
    ],
    [
      'of an unknown operator cover nothing',
      [{ ...equal, operator: 'Nope' }],
      [equal],
      [{ ...equal, operator: 'Nope' }, equal],
    ],
  ])('%s', (_what, ofPod, ofClass, expected) => {
    expect(mergeTolerations(ofPod, ofClass)).toEqual(expected);
  });

  it('are merged in linear time', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({
      key: `k${index}`,
      operator: 'Equal',
      value: 'v',
    }));
    expect(mergeTolerations(many, [equal])).toHaveLength(50_001);
  });
});
