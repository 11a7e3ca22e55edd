import { describe, expect, it } from 'vitest';
import {
  type AuditBackend,
  createLossReporter,
  ignoreBackendErrors,
  joinBackends,
} from '../../src/audit/backend.ts';
import { BatchingBackend } from '../../src/audit/batch.ts';
import type { AuditEvent } from '../../src/audit/event.ts';
import { logBackend } from '../../src/audit/log-backend.ts';
import { truncateEvents } from '../../src/audit/truncate.ts';
import { webhookBackend } from '../../src/audit/webhook.ts';
import type { Logger } from '../../src/observability/log.ts';
import { Counter } from '../../src/observability/metric-cells.ts';
import { event } from './events.ts';

/** A backend that records events and optionally blocks. */
function recorder(wait?: Promise<void>) {
  const batches: AuditEvent[][] = [];
  const backend: AuditBackend = {
    process(events) {
      batches.push([...events]);
      return wait === undefined ? true : wait.then(() => true);
    },
    close: async () => undefined,
  };
  return { backend, batches };
}

function losses() {
  const lost: [plugin: string, reason: string, count: number][] = [];
  return {
    lost,
    report: (plugin: string, reason: string, count: number) => void lost.push([plugin, reason, count]),
  };
}

const numbered = (count: number): AuditEvent[] =>
  Array.from({ length: count }, (_, index) => event({ auditID: String(index) }));
const idsOf = (batches: readonly AuditEvent[][]) =>
  batches.map((batch) => batch.map(({ auditID }) => auditID).join(''));
const OPTIONS = { bufferSize: 4, maximumSize: 3, maximumWait: 0, throttle: undefined, concurrency: 1 };

describe('batches', () => {
  it('are sent in order during an in-flight batch, without losses within the buffer', async () => {
    let release!: () => void;
    const { backend, batches } = recorder(
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    const { lost, report } = losses();
    const batching = new BatchingBackend(backend, OPTIONS, report);
    for (const one of numbered(7)) expect(batching.process([one])).toBe(true);
    expect(idsOf(batches)).toEqual(['0']);
    release();
    await batching.close();
    expect(idsOf(batches)).toEqual(['0', '123', '4']);
    expect(lost).toEqual(Array.from({ length: 2 }, () => ['buffered', 'audit buffer queue blocked', 1]));
  });

  it('are bounded in bytes', async () => {
    const { backend, batches } = recorder(new Promise(() => undefined));
    const { lost, report } = losses();
    const batching = new BatchingBackend(backend, { ...OPTIONS, bufferSize: 1000 }, report);
    const large = event({ requestObject: JSON.stringify('x'.repeat(20 << 20)) });
    for (let count = 0; count < 6; count += 1) batching.process([large]);
    expect(batches).toHaveLength(1);
    expect(lost).toHaveLength(2);
  });

  it('wait until full and respect the rate limit', async () => {
    let time = 0;
    const { backend, batches } = recorder();
    const { report } = losses();
    const batching = new BatchingBackend(
      backend,
      { ...OPTIONS, bufferSize: 100, maximumWait: 30_000, throttle: { rate: 1, burst: 1 } },
      report,
      () => time,
    );
    batching.process(numbered(2));
    expect(batches).toHaveLength(0);
    batching.process(numbered(4));
    expect(batches).toHaveLength(1);
    time = 1000;
    batching.process(numbered(1));
    expect(batches).toHaveLength(2);
    await batching.close();
    expect(batches.flat()).toHaveLength(7);
    batching.process(numbered(1));
    expect(batches.flat()).toHaveLength(7);
  });
});

describe('truncation', () => {
  it('removes bodies of large events, drops oversized events and splits batches', () => {
    const { backend, batches } = recorder();
    const { lost, report } = losses();
    const truncated = truncateEvents(backend, { maximumEventBytes: 1000, maximumBatchBytes: 1000 }, report);
    const body = JSON.stringify('b'.repeat(2000));
    expect(
      truncated.process([
        event(),
        event({ requestObject: body, responseObject: body }),
        event({ userAgent: 'x'.repeat(2000) }),
        event(),
      ]),
    ).toBe(true);
    expect(lost).toEqual([['truncate', 'event is too large', 1]]);
    expect(batches.map(({ length }) => length)).toEqual([2, 1]);
    expect(batches[0]![1]).toMatchObject({
      requestObject: undefined,
      responseObject: undefined,
      annotations: new Map([['audit.k8s.io/truncated', 'true']]),
    });
  });
});

describe('several backends', () => {
  it('receive every event; one rejection fails the call', async () => {
    const one = recorder();
    const other = recorder(Promise.resolve());
    const refusing: AuditBackend = { process: () => false, close: async () => undefined };
    expect(await joinBackends([one.backend, other.backend]).process([event()])).toBe(true);
    expect(await joinBackends([one.backend, other.backend, refusing]).process([event()])).toBe(false);
    expect(other.batches).toHaveLength(2);
    expect(ignoreBackendErrors(refusing).process([event()])).toBe(true);
  });
});

describe('the log backend', () => {
  it('logs and counts write errors', async () => {
    const said: unknown[] = [];
    const counter = new Counter();
    const logger = {
      error: (message: string, fields: object) => said.push([message, fields]),
    } as unknown as Logger;
    let time = 0;
    const report = createLossReporter(
      logger,
      () => counter,
      () => time,
    );
    const sink = {
      append: () => Promise.reject(new Error('no space left on device')),
      close: async () => undefined,
    };
    const backend = logBackend(sink, 'json', report);
    for (let count = 0; count < 5; count += 1) expect(await backend.process([event()])).toBe(false);
    expect(said).toEqual([
      ['lost audit events', { plugin: 'log', events: 1, err: 'no space left on device' }],
    ]);
    time = 20_000;
    await backend.process([event()]);
    expect(said[1]).toEqual([
      'lost audit events',
      { plugin: 'log', events: 5, err: 'no space left on device' },
    ]);
    expect(counter.value).toBe(6);
  });
});

describe('the webhook backend', () => {
  const hook = (answers: (number | Error)[]) => {
    const bodies: string[] = [];
    const waits: number[] = [];
    const { lost, report } = losses();
    const backend = webhookBackend({
      post: async (body) => {
        bodies.push(body);
        const answer = answers.shift() ?? 200;
        if (answer instanceof Error) throw answer;
        return { status: answer };
      },
      initialBackoff: 100,
      report,
      random: () => 0,
      wait: async (milliseconds) => void waits.push(Math.round(milliseconds)),
      release: () => undefined,
    });
    return { backend, bodies, waits, lost };
  };

  it('posts a list of events and retries failures', async () => {
    const { backend, bodies, waits, lost } = hook([new Error('connect ECONNREFUSED'), 500]);
    expect(await backend.process([event(), event()])).toBe(true);
    expect(waits).toEqual([100, 150]);
    expect(lost).toEqual([]);
    const list = JSON.parse(bodies[2]!);
    expect(list).toMatchObject({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {} });
    expect(list.items).toHaveLength(2);
    expect(list.items[0]).not.toHaveProperty('kind');
  });

  it('gives up after five attempts, and after one more during shutdown', async () => {
    const failing = hook(Array.from({ length: 20 }, () => 503));
    expect(await failing.backend.process([event(), event()])).toBe(false);
    expect(failing.bodies).toHaveLength(5);
    expect(failing.lost).toEqual([['webhook', 'the webhook responded with status 503', 2]]);
    await failing.backend.close();
    await failing.backend.process([event()]);
    expect(failing.bodies).toHaveLength(6);
  });
});
