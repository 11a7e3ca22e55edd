import { describe, expect, it } from 'vitest';
import type { Pod, Service } from '../../../src/model/generated/core-v1.ts';
import { followPods, podsOf, selectsPods } from '../../../src/workloads/service-pods/service-selectors.ts';
import { FakeSource } from '../../reconcile/fake-source.ts';
import { type PodOptions, pod } from '../../reconcile/pods/pods.ts';
import { service } from './objects.ts';

const named = (name: string, selector: Record<string, string>): Service => service({ selector }, { name });

function follow(...services: Service[]) {
  const pods = new FakeSource();
  const changed: string[] = [];
  followPods(pods, new FakeSource(services), (key) => changed.push(key));
  const set = (options: PodOptions & { readonly spec?: Pod['spec'] }): string[] => {
    const base = pod('a', options);
    pods.set('ns/a', { ...base, spec: { ...base.spec, ...options.spec } });
    return changed.splice(0).sort();
  };
  return { set };
}

const WEB = { app: 'web' };
const FRONT = { app: 'web', tier: 'front' };

describe('the Services of a Pod', () => {
  it('hear of its state, if they select all of its labels that they name', () => {
    const { set } = follow(named('web', WEB), named('front', FRONT), named('other', { app: 'other' }));
    expect(set({ labels: WEB })).toEqual(['web']);
    expect(set({ labels: WEB, ready: 1 })).toEqual(['web']);
    expect(set({ labels: WEB, ready: 1, deleted: true })).toEqual(['web']);
    expect(set({ labels: WEB, ready: 1, deleted: true, phase: 'Failed' })).toEqual(['web']);
  });

  it('hear nothing of other changes', () => {
    const { set } = follow(named('web', WEB));
    set({ labels: WEB, ready: 5 });
    expect(set({ labels: WEB, ready: 5, restarts: 3, cost: '5' })).toEqual([]);
  });

  it('hear of a label if it matters to them', () => {
    const { set } = follow(named('web', WEB), named('front', FRONT));
    expect(set({ labels: FRONT })).toEqual(['front', 'web']);
    expect(set({ labels: { ...FRONT, free: 'x' } })).toEqual([]);
    expect(set({ labels: { ...WEB, tier: 'back' } })).toEqual(['front']);
    expect(set({ labels: FRONT, ready: 1 })).toEqual(['front', 'web']);
  });

  it('hear of a hostname', () => {
    const { set } = follow(named('web', WEB));
    set({ labels: WEB });
    expect(set({ labels: WEB, spec: { hostname: 'a', subdomain: 'web' } })).toEqual([]);
    expect(set({ labels: WEB, ready: 1, spec: { hostname: 'a', subdomain: 'web' } })).toEqual(['web']);
  });
});

describe('the Pods of a Service', () => {
  it('are those of its namespace with its labels', () => {
    const elsewhere = pod('c', { labels: WEB });
    const pods = new FakeSource([
      pod('a', { labels: FRONT }),
      pod('b', { labels: { app: 'other' } }),
      { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'elsewhere' } },
    ]);
    expect(podsOf(pods, named('web', WEB)).map(({ name }) => name)).toEqual(['a']);
  });

  it('are none without selector, or of an external name', () => {
    expect(selectsPods(service())).toBe(true);
    expect(selectsPods(service({ selector: {} }))).toBe(false);
    expect(selectsPods(service({ type: 'ExternalName' }))).toBe(false);
  });
});
