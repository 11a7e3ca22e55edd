import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endpoint, EndpointSlice } from '../../../src/model/generated/discovery-v1.ts';
import { endpointKey } from '../../../src/workloads/endpoint-slices/endpoint.ts';
import { packEndpoints } from '../../../src/workloads/endpoint-slices/packing.ts';

const MAXIMUM = 4;
const LABELS = { app: 'web' };

const endpoint = (pod: number, ready = true): Endpoint => ({
  addresses: [`10.0.0.${pod}`],
  conditions: { ready, serving: ready, terminating: false },
  targetRef: { kind: 'Pod', namespace: 'ns', name: `p${pod}`, uid: `p${pod}` },
});

const slice = (name: string, pods: readonly number[]): EndpointSlice => ({
  metadata: { name, namespace: 'ns', labels: LABELS },
  addressType: 'IPv4',
  endpoints: pods.map((pod) => endpoint(pod)),
});

const pack = (existing: readonly EndpointSlice[], desired: readonly Endpoint[], hasOtherLabels = false) =>
  packEndpoints({
    existing,
    desired: new Map(desired.map((one) => [endpointKey(one), one])),
    maximum: MAXIMUM,
    labels: LABELS,
    hasOtherLabels: () => hasOtherLabels,
    empty: () => ({ metadata: { generateName: 'web-' }, addressType: 'IPv4', endpoints: [] }),
  });

const podsIn = ({ endpoints = [] }: EndpointSlice): number[] =>
  endpoints.map(({ targetRef }) => Number(targetRef!.name!.slice(1)));

/** The Pods in slices by the name of the slice. */
const shown = (slices: readonly EndpointSlice[]) =>
  Object.fromEntries(slices.map((one) => [one.metadata?.name ?? '', podsIn(one)]));

const endpoints = (...pods: number[]): Endpoint[] => pods.map((pod) => endpoint(pod));

describe('the packing of endpoints', () => {
  it('fills new slices', () => {
    const { create, update, remove, keep } = pack([], endpoints(1, 2, 3, 4, 5));
    expect(create.map(podsIn)).toEqual([[1, 2, 3, 4], [5]]);
    expect([update, remove, keep]).toEqual([[], [], []]);
  });

  it('leaves endpoints where they are, and slices alone that do not change', () => {
    const { update, remove, keep, create } = pack(
      [slice('a', [1, 2]), slice('b', [3, 4]), slice('c', [5])],
      [endpoint(1), endpoint(2, false), ...endpoints(3, 4)],
    );
    expect(shown(update)).toEqual({ a: [1, 2] });
    expect(update[0]!.endpoints![1]!.conditions!.ready).toBe(false);
    expect([Object.keys(shown(remove)), Object.keys(shown(keep)), create]).toEqual([['c'], ['b'], []]);
  });

  it('fills slices that are written anyway, the fullest first', () => {
    const existing = [slice('a', [1, 9]), slice('b', [3, 4, 5, 9]), slice('c', [6])];
    const { update, create, keep } = pack(existing, endpoints(1, 3, 4, 5, 6, 10, 11, 12));
    expect(shown(update)).toEqual({ a: [1, 11, 12], b: [3, 4, 5, 10] });
    expect([create, Object.keys(shown(keep))]).toEqual([[], ['c']]);
  });

  it('puts the rest into the slice that they leave the least room in, or into a new one', () => {
    const existing = [slice('a', [1]), slice('b', [2, 3]), slice('c', [4, 5, 6])];
    const present = [1, 2, 3, 4, 5, 6];
    expect(shown(pack(existing, endpoints(...present, 7, 8)).update)).toEqual({ b: [2, 3, 7, 8] });
    expect(shown(pack(existing, endpoints(...present, 7)).update)).toEqual({ c: [4, 5, 6, 7] });
    const { create, update } = pack(existing, endpoints(...present, 7, 8, 9, 10));
    expect([create.map(podsIn), update]).toEqual([[[7, 8, 9, 10]], []]);
  });

  it('writes slices with other labels', () => {
    const former = { ...slice('a', [1]), metadata: { name: 'a', labels: { old: 'x' } } };
    const { update, keep } = pack([former], endpoints(1, 2), true);
    expect(update).toMatchObject([{ metadata: { name: 'a', labels: LABELS } }]);
    expect([shown(update), keep]).toEqual([{ a: [1, 2] }, []]);
  });

  it('lists each endpoint once, in slices that are not too long, and writes nothing the second time', () => {
    const number = fc.integer({ min: 1, max: 30 });
    const layouts = fc.uniqueArray(number, { maxLength: 20 }).chain((pods) =>
      fc
        .array(fc.integer({ min: 1, max: MAXIMUM }), { minLength: pods.length, maxLength: pods.length })
        .map((sizes) => {
          const left = [...pods];
          return sizes.flatMap((size, index) => {
            const taken = left.splice(0, size);
            return taken.length === 0 ? [] : [slice(`s${index}`, taken)];
          });
        }),
    );
    const wanted = fc.uniqueArray(fc.tuple(number, fc.boolean()), {
      selector: ([pod]) => pod,
      maxLength: 30,
    });
    fc.assert(
      fc.property(layouts, wanted, (existing, pods) => {
        const desired = pods.map(([pod, ready]) => endpoint(pod, ready));
        const { create, update, remove, keep } = pack(existing, desired);
        const after = [...create, ...update, ...keep];
        const byPod = (one: Endpoint, other: Endpoint): number =>
          endpointKey(one) < endpointKey(other) ? -1 : 1;
        expect(after.flatMap((one) => one.endpoints!).sort(byPod)).toEqual([...desired].sort(byPod));
        expect(after.every((one) => one.endpoints!.length > 0 && one.endpoints!.length <= MAXIMUM)).toBe(
          true,
        );
        expect(new Set([...update, ...remove, ...keep].map(({ metadata }) => metadata!.name)).size).toBe(
          existing.length,
        );
        const stays = new Set(pods.map(([pod]) => pod));
        for (const former of existing) {
          const now = after.find(({ metadata }) => metadata!.name === former.metadata!.name);
          const kept = podsIn(former).filter((pod) => stays.has(pod));
          if (now !== undefined) expect(podsIn(now).slice(0, kept.length)).toEqual(kept);
          else expect(kept).toEqual([]);
        }
        const again = pack(
          after.map((one, index) => ({ ...one, metadata: { name: `${index}` } })),
          desired,
        );
        expect([again.create, again.update, again.remove]).toEqual([[], [], []]);
      }),
    );
  });
});
