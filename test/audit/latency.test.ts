import { describe, expect, it, vi } from 'vitest';
import { latencyAnnotations } from '../../src/audit/latency.ts';
import { Span } from '../../src/observability/span.ts';

describe('latency annotations', () => {
  it('name the layers of a slow request: webhooks in sequence, parallel ones, the store', () => {
    let now = 0;
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const handler = new Span('Create', undefined);
      const timed = (name: string, milliseconds: number, parent = handler) => {
        const span = parent.child(name);
        now += milliseconds;
        span.finish();
        return span;
      };
      timed('Call mutating webhook', 100);
      timed('Call mutating webhook', 200.5);
      const first = handler.child('Call validating webhook');
      timed('Call validating webhook', 300);
      now += 50;
      first.finish();
      timed('etcdserverpb.KV/Txn', 5, timed('Create etcd3', 0));
      handler.child('SerializeObject');
      now += 1;
      expect(Object.fromEntries(latencyAnnotations(handler, 700))).toEqual({
        'apiserver.latency.k8s.io/mutating-webhook': '300.5ms',
        'apiserver.latency.k8s.io/validating-webhook': '350ms',
        'apiserver.latency.k8s.io/etcd': '5ms',
        'apiserver.latency.k8s.io/serialize-response-object': '1ms',
        'apiserver.latency.k8s.io/total': '700ms',
      });
      expect(latencyAnnotations(handler, 500).size).toBe(0);
      expect(latencyAnnotations(undefined, 700).size).toBe(0);
    } finally {
      spy.mockRestore();
    }
  });
});
