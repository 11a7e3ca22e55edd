import { describe, expect, it, vi } from 'vitest';
import { literalsOf } from '../../../src/codec/number-literals.ts';
import { createServerMetrics } from '../../../src/observability/metrics-catalog.ts';
import { ConversionFailedError } from '../../../src/status/index.ts';
import { answering, converterServer, type Review, thing } from './converter-server.ts';

describe('WebhookConverter', () => {
  const { state, create, webhook, servers } = converterServer();
  const V2 = 'example.com/v2';

  it('sends the review that kube-apiserver sends', async () => {
    const [converted] = await create({ uid: () => 'u-1' }).convert(
      [thing('v1', 'one', { spec: { b: '<', a: 2n ** 60n, c: 1.5 } })],
      V2,
    );
    expect(converted).toMatchObject({
      apiVersion: V2,
      kind: 'Thing',
      spec: { b: '<', c: 1.5 },
    });
    const [{ request, text }] = state.calls as [(typeof state.calls)[0]];
    expect([request.method, request.url]).toEqual(['POST', '/convert?timeout=30s']);
    expect(request.headers).toMatchObject({
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      'user-agent': 'tester',
    });
    expect(text).toBe(
      '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u-1",' +
        '"desiredAPIVersion":"example.com/v2","objects":[{"apiVersion":"example.com/v1","kind":"Thing",' +
        '"metadata":{"annotations":{"a":"1"},"labels":{"l":"1"},"name":"one","namespace":"default",' +
        '"resourceVersion":"7","uid":"uid-of-one"},"spec":{"a":1152921504606846976,"b":"\\u003c","c":1.5}}]},' +
        '"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}\n',
    );
  });

  it.each([
    [['v1'], 'v1'],
    [['v1beta1'], 'v1beta1'],
    [['v1beta1', 'v1'], 'v1beta1'],
    [['v9', 'v1', 'v1beta1'], 'v1'],
  ])('review versions %j: %s', async (versions, sent) => {
    const converted = await create({ webhook: webhook({}, versions) }).convert([thing('v1', 'one')], V2);
    expect(converted[0]).toMatchObject({ apiVersion: V2 });
    expect(JSON.parse(state.calls[0]!.text).apiVersion).toBe(`apiextensions.k8s.io/${sent}`);
  });

  it('does not check the uid and the type of a v1beta1 response', async () => {
    state.behaviour = answering((review) => {
      delete review.apiVersion;
      delete review.kind;
      review.response.uid = 'other';
    });
    const converter = create({ webhook: webhook({}, ['v1beta1']) });
    expect(await converter.convert([thing('v1', 'one')], V2)).toHaveLength(1);
  });

  it('makes no call when no object needs it', async () => {
    const list = [thing('v2', 'a'), thing('v2', 'b')];
    expect(await create().convert(list, V2)).toEqual(list);
    expect(await create().convert([], V2)).toEqual([]);
    expect(state.calls).toHaveLength(0);
  });

  it('sends only objects that need it and keeps the order', async () => {
    const list = [thing('v2', 'a'), thing('v1', 'b'), thing('v2', 'c'), thing('v1', 'd')];
    const converted = await create().convert(list, V2);
    expect(converted.map(({ metadata }) => (metadata as { name: string }).name)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(converted.map(({ apiVersion }) => apiVersion)).toEqual([V2, V2, V2, V2]);
    expect(converted[0]).toBe(list[0]);
    const { request } = JSON.parse(state.calls[0]!.text) as Review;
    expect(request.objects.map(({ metadata }: Review) => metadata.name)).toEqual(['b', 'd']);
  });

  it('converts at most 500 objects and 2 MB in a call', async () => {
    const list = Array.from({ length: 1201 }, (_, index) => thing('v1', `n${index}`));
    const converted = await create().convert(list, V2);
    expect(converted.map(({ metadata }) => (metadata as { name: string }).name)).toEqual(
      list.map((_, index) => `n${index}`),
    );
    const sizes = () => state.calls.map(({ text }) => JSON.parse(text).request.objects.length);
    expect(sizes()).toEqual([500, 500, 201]);
    state.calls = [];
    await create().convert(
      ['a', 'b', 'c'].map((name) => thing('v1', name, { spec: 'x'.repeat(1_000_000) })),
      V2,
    );
    expect(sizes()).toEqual([2, 1]);
  });

  it('takes labels and annotations, and all other metadata from the object sent', async () => {
    state.behaviour = answering((review) => {
      review.response.convertedObjects[0].metadata = {
        name: 'one',
        namespace: 'default',
        uid: 'uid-of-one',
        labels: { new: 'x' },
        generation: 77,
        finalizers: ['x.test/f'],
        odd: 1,
      };
      review.odd = 1;
    });
    const sent = thing('v1', 'one');
    const [converted] = await create().convert([sent], V2);
    expect(converted).toEqual({
      ...sent,
      apiVersion: V2,
      metadata: {
        name: 'one',
        namespace: 'default',
        uid: 'uid-of-one',
        resourceVersion: '7',
        labels: { new: 'x' },
      },
    });
    expect(sent).toEqual(thing('v1', 'one'));
  });

  it('keeps invalid labels that the webhook did not change', async () => {
    const metadata = { name: 'one', labels: { 'b d': 'x' } };
    const [converted] = await create().convert([thing('v1', 'one', { metadata })], V2);
    expect(converted!.metadata).toEqual(metadata);
  });

  it('keeps names of JavaScript and notes about numbers', async () => {
    state.behaviour = (review) => ({
      body: `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"${review.request.uid}",
        "result":{"status":"Success"},"convertedObjects":[{"apiVersion":"${V2}","kind":"Thing",
        "metadata":{"name":"one","labels":{"constructor":"a"}},"spec":{"__proto__":1.0,"constructor":9007199254740993}}]}}`,
    });
    const [converted] = await create().convert([thing('v1', 'one', { metadata: { name: 'one' } })], V2);
    const spec = converted!.spec as object;
    expect(Object.entries(spec)).toEqual([
      ['__proto__', 1],
      ['constructor', 9007199254740993n],
    ]);
    expect(Object.keys((converted!.metadata as { labels: object }).labels)).toEqual(['constructor']);
    expect(literalsOf(converted)?.get(spec)?.get('__proto__')).toBe('1.0');
  });

  it('repeats a call after Retry-After, within the deadline', async () => {
    const waits: number[] = [];
    const clock = {
      monotonic: () => 1000,
      after: (milliseconds: number, callback: () => void) => {
        waits.push(milliseconds);
        setImmediate(callback);
        return () => undefined;
      },
    };
    state.behaviour = (review, request) =>
      state.calls.length < 3
        ? { status: state.calls.length === 1 ? 429 : 503, headers: { 'retry-after': '7' }, body: 'later' }
        : answering()(review, request);
    expect(await create({ clock }).convert([thing('v1', 'one')], V2)).toHaveLength(1);
    expect(waits).toEqual([7000, 7000]);
    state.calls = [];
    state.behaviour = () => ({ status: 503, headers: { 'retry-after': '30' }, body: 'later' });
    await expect(create({ clock }).convert([thing('v1', 'one')], V2)).rejects.toThrow(
      /failed: Post "https:.*\?timeout=30s": context deadline exceeded$/,
    );
    expect(state.calls).toHaveLength(1);
  });

  it('ends with its request', async () => {
    state.behaviour = () => new Promise(() => undefined);
    const controller = new AbortController();
    const pending = create().convert([thing('v1', 'one')], V2, { signal: controller.signal });
    pending.catch(() => undefined);
    await vi.waitFor(() => expect(state.calls).toHaveLength(1));
    controller.abort();
    await expect(pending).rejects.toThrow('context canceled');
    // A failed conversion can end in a write without owners.
    await expect(pending).rejects.not.toBeInstanceOf(ConversionFailedError);
  });

  it('bounds the conversions that wait for the webhook', async () => {
    state.behaviour = () => new Promise(() => undefined);
    const converter = create();
    const controller = new AbortController();
    const { signal } = controller;
    const all = Array.from({ length: 16 + 256 }, () =>
      converter.convert([thing('v1', 'one')], V2, { signal }).catch(({ message }: Error) => message),
    );
    await vi.waitFor(() => expect(state.calls).toHaveLength(16));
    await expect(converter.convert([thing('v1', 'one')], V2)).rejects.toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: expect.stringContaining('too many requests: 16 are in progress and 256 wait'),
    });
    controller.abort();
    expect(new Set(await Promise.all(all)).size).toBe(1);
    state.behaviour = answering();
    expect(await converter.convert([thing('v1', 'one')], V2)).toHaveLength(1);
  });

  it('counts calls and conversions, and forgets those of a definition that is gone', async () => {
    const metrics = createServerMetrics();
    const converter = create({ metrics });
    await converter.convert([thing('v1', 'one')], V2);
    state.behaviour = answering((review) => {
      review.response.convertedObjects = [];
    });
    await converter.convert([thing('v1', 'one')], V2).catch(() => undefined);
    const labels = (family: { series(): Iterable<readonly [readonly string[], unknown]> }) =>
      [...family.series()].map(([values]) => values);
    expect(labels(metrics.conversionCalls)).toEqual([
      ['success', ''],
      ['failure', 'conversion_webhook_partial_response_failure'],
    ]);
    expect(labels(metrics.conversionCallDuration)).toHaveLength(2);
    expect(labels(metrics.conversionDuration)).toEqual([
      ['things.example.com', 'v1', 'v2', 'true'],
      ['things.example.com', 'v1', 'v2', 'false'],
    ]);
    state.behaviour = () => new Promise(() => undefined);
    const pending = converter.convert([thing('v1', 'one')], V2);
    pending.catch(() => undefined);
    await vi.waitFor(() => expect(state.calls).toHaveLength(3));
    converter.close();
    await expect(pending).rejects.toThrow('the client is closed');
    await expect(converter.convert([thing('v1', 'one')], V2)).rejects.toThrow('the client is closed');
    expect(labels(metrics.conversionDuration)).toEqual([]);
  });

  it('finishes calls in progress when it is retired, then closes its connections', async () => {
    const converter = create();
    await converter.convert([thing('v1', 'one')], V2);
    let answer = (): void => undefined;
    state.behaviour = async (review, request) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return answering()(review, request);
    };
    const open = servers.open;
    const pending = converter.convert([thing('v1', 'one')], V2);
    await vi.waitFor(() => expect(state.calls).toHaveLength(2));
    converter.retire();
    answer();
    expect(await pending).toHaveLength(1);
    await vi.waitFor(() => expect(servers.open).toBe(open - 1));
  });

  it('reuses its connections', async () => {
    const converter = create();
    await converter.convert([thing('v1', 'one')], V2);
    const before = servers.accepted;
    for (let call = 0; call < 5; call++) await converter.convert([thing('v1', 'one')], V2);
    expect(servers.accepted).toBe(before);
  });
});
