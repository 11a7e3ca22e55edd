import { describe, expect, it } from 'vitest';
import type { Pod, Taint } from '../../../src/model/generated/core-v1.ts';
import { Evictions } from '../../../src/workloads/taint-eviction/evictions.ts';

const KEY = 'default/a';
const TAINT: Taint = { key: 'gone', effect: 'NoExecute' };
const pod: Pod = {
  metadata: { namespace: 'default', name: 'a', uid: 'u' },
  spec: { nodeName: 'n', tolerations: [{ key: 'gone', operator: 'Exists', tolerationSeconds: 5 }] },
};

/** Evictions of one Pod on one node, at a time that the test sets. */
function evicting() {
  const said: string[] = [];
  const waits: number[] = [];
  const state = { now: 0, taints: [TAINT] as readonly Taint[], deletions: 0 };
  const evictions = new Evictions({
    pods: { get: () => pod } as never,
    taintsOf: () => state.taints,
    client: {
      patch: async () => ({}),
      delete: async () => {
        state.deletions += 1;
      },
    },
    events: {
      record: (_resource: unknown, _pod: unknown, _type: string, _reason: string, message: string) =>
        said.push(message),
    } as never,
    addAfter: (_key, wait) => waits.push(wait),
    now: () => state.now,
  });
  const look = (change: Partial<typeof state>): Promise<void> => {
    Object.assign(state, change);
    return evictions.reconcile(KEY);
  };
  return { said, waits, state, look };
}

describe('the evictions of a Pod', () => {
  it('are cancelled when the taint goes before its toleration ends', async () => {
    const { said, waits, look } = evicting();
    await look({});
    await look({ taints: [] });
    expect(waits).toEqual([5000]);
    expect(said).toEqual([`Cancelling deletion of Pod ${KEY}`]);
  });

  it('are done once: changes of the evicted Pod schedule nothing that could be cancelled', async () => {
    const { said, waits, state, look } = evicting();
    await look({});
    await look({ now: 5000 });
    await look({ now: 5001 });
    await look({ taints: [] });
    expect(waits).toEqual([5000]);
    expect(said).toEqual([`Marking for deletion Pod ${KEY}`]);
    expect(state.deletions).toBe(1);
  });

  it('begin again with the next taint', async () => {
    const { said, waits, look } = evicting();
    await look({});
    await look({ now: 5000 });
    await look({ taints: [] });
    await look({ now: 6000, taints: [TAINT] });
    expect(waits).toEqual([5000, 5000]);
    await look({ now: 11_000 });
    expect(said).toEqual([`Marking for deletion Pod ${KEY}`, `Marking for deletion Pod ${KEY}`]);
  });
});
