import { describe, expect, it } from 'vitest';
import { tolerates } from '../../../src/reconcile/nodes/taints.ts';

const sick = { key: 'sick', value: 'v', effect: 'NoExecute' };

describe('a toleration', () => {
  it.each([
    [{ operator: 'Exists' }, true],
    [{ key: 'sick', operator: 'Exists' }, true],
    [{ key: 'sick', operator: 'Exists', effect: 'NoSchedule' }, false],
    [{ key: 'sick', value: 'v' }, true],
    [{ key: 'sick', operator: 'Equal', value: 'w' }, false],
    [{ key: 'else', operator: 'Exists' }, false],
    [{ key: 'sick', operator: 'Unknown', value: 'v' }, false],
    [{ value: 'v' }, true],
  ])('%j', (toleration, expected) => {
    expect(tolerates(toleration, sick)).toBe(expected);
  });
});
