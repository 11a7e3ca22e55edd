import { describe, expect, it } from 'vitest';
import { type AuditEvent, eventJson } from '../../src/audit/event.ts';
import { type AuditBackend, compilePolicy, createAuditor } from '../../src/audit/index.ts';
import { auditFilters } from '../../src/filters/audit.ts';
import { composeFilters } from '../../src/filters/chain.ts';
import { errorFilter } from '../../src/filters/errors.ts';
import { sendPlain } from '../../src/handlers/response/answer.ts';
import type { Policy } from '../../src/model/generated/audit-v1.ts';
import type { Logger } from '../../src/observability/log.ts';
import { Counter } from '../../src/observability/metric-cells.ts';
import type { Filter, Handler, RequestContext } from '../../src/request/context.ts';
import { NO_EXTRA } from '../../src/request/user.ts';
import { errors } from '../../src/status/index.ts';
import { request, textOf } from './context.ts';

const IVY = { name: 'ivy', uid: '', groups: ['g'], extra: NO_EXTRA };
const PODS = '/api/v1/namespaces/n/pods';
const quiet = { error: () => undefined } as unknown as Logger;
const NEGOTIATED = {
  encoding: 'json',
  projection: 'object',
  metaVersion: 'v1',
  contentType: 'application/json',
  pretty: false,
} as const;

interface Options {
  readonly policy?: Partial<Policy>;
  readonly authenticate?: Filter;
  /** Whether the backend accepts an event. */
  readonly take?: (event: AuditEvent) => boolean | Promise<boolean>;
}

/** A filter chain with audit. */
function audited(handler: Handler, { policy, authenticate, take = () => true }: Options = {}) {
  const events: AuditEvent[] = [];
  const counters = { events: new Counter(), rejections: new Counter(), levels: new Counter() };
  const backend: AuditBackend = {
    process(taken) {
      events.push(...taken);
      return take(taken[0]!);
    },
    close: async () => undefined,
  };
  const auditor = createAuditor({
    policy: compilePolicy({ rules: [{ level: 'RequestResponse' }], ...policy }),
    backend,
    events: counters.events,
    levels: () => counters.levels,
    rejections: counters.rejections,
    now: Date.now,
  });
  const audit = auditFilters(auditor);
  const identify: Filter = (context, next) => {
    context.user = IVY;
    return next(context);
  };
  const handle = composeFilters(
    [audit.end, errorFilter(quiet), audit.refusal, authenticate ?? identify, audit.begin],
    handler,
  );
  const serve = async (method: string, target: string, headers: Record<string, string> = {}) => {
    const { context, response } = request(method, target, { headers, remoteAddress: '::ffff:10.0.0.9' });
    context.auditId = 'id-1';
    await handle(context);
    const answer = await response.catch(() => undefined);
    return { context, status: answer?.status, body: answer && (await textOf(answer)) };
  };
  return { serve, events, counters, stages: () => events.map(({ stage }) => stage) };
}

const ok: Handler = (context) => {
  context.annotations.set('note', 'kept');
  context.exchange.respond(200, 'text/plain', 'done');
};
const failing =
  (error: unknown): Handler =>
  () => {
    throw error;
  };

describe('audit filters', () => {
  it('record the request, its user, its source and the response', async () => {
    const { serve, events, stages, counters } = audited(ok);
    await serve('GET', `${PODS}/p?x=1`, {
      'x-forwarded-for': '10.0.0.1, nonsense, 10.0.0.2',
      'x-real-ip': '10.0.0.2',
      'user-agent': `a${'b'.repeat(2000)}`,
    });
    expect(stages()).toEqual(['RequestReceived', 'ResponseComplete']);
    expect(events[0]).toMatchObject({ responseStatus: undefined, user: IVY, auditID: 'id-1', verb: 'get' });
    expect(events[1]).toMatchObject({
      level: 'RequestResponse',
      requestURI: `${PODS}/p?x=1`,
      sourceIPs: ['10.0.0.1', '10.0.0.2', '10.0.0.9'],
      objectRef: { resource: 'pods', namespace: 'n', name: 'p', apiVersion: 'v1' },
      responseStatus: { code: 200 },
      annotations: new Map([['note', 'kept']]),
    });
    expect(events[1]!.userAgent).toHaveLength(1024 + '...TRUNCATED'.length);
    expect(events[1]!.staged).toBeGreaterThanOrEqual(events[1]!.received);
    expect(counters.events.value).toBe(2);
    expect(counters.levels.value).toBe(1);
  });

  it('omit stages and requests that the policy excludes', async () => {
    const some = audited(ok, { policy: { omitStages: ['RequestReceived'] } });
    await some.serve('GET', PODS);
    expect(some.stages()).toEqual(['ResponseComplete']);
    const none = audited(ok, { policy: { rules: [{ level: 'None' }] } });
    expect((await none.serve('GET', PODS)).context.audit).toBeUndefined();
    expect(none.events).toEqual([]);
  });

  it('record the Status of an error', async () => {
    const { serve, events } = audited(failing(errors.notFound({ group: '', resource: 'pods' }, 'p')));
    expect(await serve('GET', `${PODS}/p`)).toMatchObject({ status: 404 });
    expect(events.at(-1)).toMatchObject({
      stage: 'ResponseComplete',
      responseStatus: { code: 404, reason: 'NotFound', details: { name: 'p', kind: 'pods' } },
    });
    expect(JSON.parse(eventJson(events.at(-1)!, true)).responseObject).toMatchObject({
      kind: 'Status',
      code: 404,
    });
  });

  it('record an internal error as a panic, once', async () => {
    const { serve, stages, events } = audited(failing(new TypeError('x is undefined')));
    expect(await serve('GET', PODS)).toMatchObject({ status: 500 });
    expect(stages()).toEqual(['RequestReceived', 'Panic']);
    expect(events[1]!.responseStatus).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: "APIServer panic'd: x is undefined",
    });
  });

  it('record one event for an unauthenticated request', async () => {
    const { serve, events, stages } = audited(ok, { authenticate: failing(errors.unauthorized()) });
    expect(await serve('GET', PODS)).toMatchObject({ status: 401 });
    expect(stages()).toEqual(['ResponseStarted']);
    expect(events[0]).toMatchObject({
      user: undefined,
      responseStatus: { code: 401, reason: 'Unauthorized' },
    });
  });

  it('record the start and the end of a watch', async () => {
    const { serve, stages } = audited(({ exchange }) => exchange.startStream(200, 'application/json').end());
    await serve('GET', `${PODS}?watch=1`);
    expect(stages()).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  });

  it('record a request whose client disconnected', async () => {
    const { serve, events, stages } = audited(({ exchange }) => exchange.abort());
    await serve('GET', `${PODS}?watch=1`);
    expect(stages()).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events.at(-1)!.responseStatus).toEqual({
      status: 'Success',
      message: 'Connection closed early',
      code: 200,
    });
  });

  it('delay a response until its event is stored', async () => {
    let release!: (taken: boolean) => void;
    const kept = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    const { serve } = audited(ok, { take: ({ stage }) => (stage === 'ResponseComplete' ? kept : true) });
    let answered = false;
    const served = serve('GET', PODS).then((result) => {
      answered = true;
      return result;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    release(true);
    expect((await served).body).toBe('done');
  });

  it('reject a request whose event cannot be stored in blocking-strict mode', async () => {
    const { serve, counters } = audited(ok, {
      take: ({ stage }) => Promise.resolve(stage !== 'RequestReceived'),
    });
    expect(await serve('GET', PODS)).toMatchObject({
      status: 500,
      body: expect.stringContaining('failed to store audit event'),
    });
    expect(counters.rejections.value).toBe(1);
  });

  const secret = {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 's', managedFields: [{ manager: 'm' }] },
    data: { key: 'aGlkZGVu' },
  };
  const sendSecret: Handler = async (context: RequestContext) => {
    context.audit!.setObjectIdentity(secret.metadata);
    context.audit!.setRequestBody(JSON.stringify(secret));
    await sendPlain(context, 201, NEGOTIATED, '', 'v1', 'Secret', secret);
  };
  it.each([
    ['Metadata', false, false],
    ['Request', true, false],
    ['RequestResponse', true, true],
  ])('records bodies at level %s: of requests %s, of responses %s', async (level, inRequest, inResponse) => {
    const { serve, events } = audited(sendSecret, {
      policy: { rules: [{ level, omitManagedFields: true }] },
    });
    await serve('POST', '/api/v1/namespaces/n/secrets');
    const shown = JSON.parse(eventJson(events.at(-1)!, true));
    expect(shown.objectRef).toMatchObject({ name: 's' });
    expect(shown.requestObject !== undefined).toBe(inRequest);
    expect(shown.responseObject !== undefined).toBe(inResponse);
    expect(eventJson(events.at(-1)!, true).includes('aGlkZGVu')).toBe(inRequest || inResponse);
    expect(eventJson(events.at(-1)!, true)).not.toContain('managedFields');
  });

  it('omit bodies above the limit', async () => {
    const large: Handler = (context) => {
      context.audit!.setRequestBody(JSON.stringify('x'.repeat(9 << 20)));
      return ok(context);
    };
    const { serve, events } = audited(large);
    await serve('POST', PODS);
    expect(events.at(-1)).toMatchObject({ requestObject: undefined });
    expect(events.at(-1)!.annotations.get('audit.k8s.io/truncated')).toBe('true');
  });
});
