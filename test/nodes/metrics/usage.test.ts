import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { usageOf } from '../../../src/nodes/metrics/usage.ts';

const AT = Date.parse('2026-01-02T03:04:05Z');

describe('the usage of a simulated Pod', () => {
  const running = (annotations: Record<string, string>): Pod => ({
    metadata: { name: 'p', namespace: 'n', annotations },
    spec: { containers: [{ name: 'a' }, { name: 'b' }] },
    status: { phase: 'Running', containerStatuses: [{ name: 'a', state: { running: {} } } as never] },
  });

  it('is that of its running containers', () => {
    expect(
      usageOf(running({ 'kwok.x-k8s.io/usage-cpu': '250m', 'kwok.x-k8s.io/usage-memory': 'much' }), AT),
    ).toEqual({
      pod: 'p',
      namespace: 'n',
      containers: [{ name: 'a', usage: { cpu: '250m', memory: '1Mi' } }],
      at: AT,
      window: 15_000,
    });
    expect(usageOf({ ...running({}), status: { phase: 'Succeeded' } }, AT)).toBeUndefined();
  });
});
