import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookAuthorizer } from '../../../src/authorization/webhook/authorizer.ts';
import {
  type AccessReviewClient,
  createAccessReviewClient,
} from '../../../src/authorization/webhook/client.ts';
import { createMatcher } from '../../../src/authorization/webhook/match-conditions.ts';
import { readClientConfig } from '../../../src/kubeconfig/read-kubeconfig.ts';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import type { Attributes, AuthorizerResult } from '../../../src/request/attributes.ts';
import { user } from '../../authentication/fixtures.ts';
import { type WebhookAnswer, WebhookServer } from '../../support/webhook-server.ts';
import { attributes } from '../fixtures.ts';

const server = new WebhookServer(() => ({}));
beforeAll(() => server.start());
afterAll(() => server.stop());

const seen: string[] = [];
let now = 0;
beforeEach(() => {
  server.calls.length = 0;
  seen.length = 0;
  now = 0;
});

interface Settings {
  readonly failurePolicy?: 'NoOpinion' | 'Deny';
  readonly conditions?: readonly string[];
  readonly version?: 'v1' | 'v1beta1';
  readonly timeout?: number;
  /** Default: a client of the webhook server. */
  readonly client?: AccessReviewClient;
}

function authorizer({
  failurePolicy = 'NoOpinion',
  conditions = [],
  version = 'v1',
  timeout = 20_000,
  client = createAccessReviewClient({
    endpoint: readClientConfig(server.kubeconfigFile),
    client: new OutboundClient(),
    timeout,
    version,
    metadata: { creationTimestamp: null },
    userAgent: 'kube-apiserver/test',
    observe: (result) => seen.push(result),
    sleep: async () => undefined,
    random: () => 0,
  }),
}: Settings = {}) {
  return createWebhookAuthorizer({
    name: 'hook',
    client,
    matcher: createMatcher(conditions),
    authorizedTtl: 1000,
    unauthorizedTtl: 100,
    failurePolicy,
    now: () => now,
    observer: {
      matched: (result) => seen.push(result),
      failedOpen: (result) => seen.push(`open after ${result}`),
    },
  });
}

const answers = (status: object): WebhookAnswer => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  status,
});
const sendRequest = async (request: Partial<Attributes>, settings?: Settings): Promise<AuthorizerResult> =>
  authorizer(settings).authorize(attributes(request));

describe('createWebhookAuthorizer', () => {
  it('posts a SubjectAccessReview', async () => {
    server.answer = () => answers({ allowed: true, reason: 'because' });
    const request = {
      user: { ...user('u', ['g']), uid: '7', extra: new Map([['k', ['v']]]) },
      namespace: 'n',
      subresource: 'log',
      labelSelector: { requirements: [{ key: 'a', operator: 'Exists', values: [] }] },
    };
    expect(await sendRequest(request)).toEqual({ decision: 'allow', reason: 'because' });
    expect(server.calls[0]!.query.get('timeout')).toBe('20s');
    expect(server.calls[0]!.headers['user-agent']).toBe('kube-apiserver/test');
    expect(server.calls[0]!.body).toEqual({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec: {
        resourceAttributes: {
          namespace: 'n',
          verb: 'get',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          labelSelector: { requirements: [{ key: 'a', operator: 'Exists' }] },
        },
        user: 'u',
        groups: ['g'],
        extra: { k: ['v'] },
        uid: '7',
      },
      status: { allowed: false },
    });
    await sendRequest({ user: user('u', ['g']), isResource: false, path: '/x' }, { version: 'v1beta1' });
    expect(server.calls[1]!.body).toMatchObject({
      apiVersion: 'authorization.k8s.io/v1beta1',
      spec: { nonResourceAttributes: { path: '/x', verb: 'get' }, user: 'u', group: ['g'] },
    });
  });

  it.each<[string, WebhookAnswer, AuthorizerResult]>([
    ['no opinion', answers({ allowed: false, reason: 'none' }), { decision: 'no-opinion', reason: 'none' }],
    ['a refusal', answers({ denied: true, reason: 'no' }), { decision: 'deny', reason: 'no' }],
    [
      'both',
      answers({ allowed: true, denied: true }),
      {
        decision: 'deny',
        reason: '',
        error: new Error('webhook subject access review returned both allow and deny response'),
      },
    ],
    ['nothing but the status', { status: { allowed: true } }, { decision: 'allow', reason: '' }],
    ['no status', { kind: 'SubjectAccessReview', status: null }, { decision: 'no-opinion', reason: '' }],
  ])('maps %s', async (_title, answer, expected) => {
    server.answer = () => answer;
    expect(await sendRequest({})).toEqual(expected);
  });

  it.each<[string, WebhookAnswer, RegExp, string[]]>([
    [
      'an error of its own',
      { status: 500, text: 'boom' },
      /^an error on the server \("boom"\) has prevented the request from succeeding$/,
      Array<string>(5).fill('error'),
    ],
    ['a refusal of the call', { status: 404, text: 'x' }, /could not find the requested resource/, ['error']],
    [
      'no JSON',
      { status: 200, text: 'garbage' },
      /^couldn't get version\/kind; json parse error: json: cannot unmarshal string into/,
      ['error'],
    ],
    [
      'another kind',
      { kind: 'TokenReview', apiVersion: 'authorization.k8s.io/v1' },
      /^no kind "TokenReview" is registered for version "authorization\.k8s\.io\/v1"/,
      ['error'],
    ],
    [
      'another version',
      { kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1beta1', status: { allowed: true } },
      /^converting \(v1beta1\.SubjectAccessReview\) to \(v1\.SubjectAccessReview\): unknown conversion$/,
      ['error'],
    ],
    [
      'a text for allowed',
      answers({ allowed: 'true' }),
      /^json: cannot unmarshal string into .*\.allowed of type bool$/,
      ['error'],
    ],
    ['a reset', 'reset', /^Post "https/, Array<string>(5).fill('error')],
  ])('applies the failure policy to %s', async (_title, answer, message, tries) => {
    server.answer = () => answer;
    const denied = await sendRequest({}, { failurePolicy: 'Deny' });
    expect(denied).toMatchObject({
      decision: 'deny',
      error: expect.objectContaining({ message: expect.stringMatching(message) }),
    });
    expect(seen).toEqual(tries);
    seen.length = 0;
    expect(await sendRequest({})).toMatchObject({ decision: 'no-opinion', error: expect.any(Error) });
    expect(seen).toEqual([...tries, 'open after error']);
  });

  it('does not retry a timeout', async () => {
    server.answer = () => 'hang';
    const { decision, error } = await sendRequest({}, { timeout: 50 });
    expect(decision).toBe('no-opinion');
    expect(error!.message).toMatch(/context deadline exceeded/);
    expect(seen).toEqual(['timeout', 'open after timeout']);
  });

  it('caches decisions with separate times to live for allowed and denied', async () => {
    server.answer = ({ body }) => answers({ allowed: (body['spec'] as { user: string }).user === 'good' });
    const hook = authorizer();
    const times = async (name: string, at: number) => {
      now = at;
      await hook.authorize(attributes({ user: user(name) }));
      return server.calls.length;
    };
    expect([await times('good', 0), await times('good', 999), await times('good', 1000)]).toEqual([1, 1, 2]);
    expect([await times('bad', 0), await times('bad', 99), await times('bad', 100)]).toEqual([3, 3, 4]);
    const long = attributes({ user: user('good'), name: 'x'.repeat(10_000) });
    await hook.authorize(long);
    await hook.authorize(long);
    expect(server.calls.length).toBe(6);
  });

  it('bounds the number of cached decisions', async () => {
    const reviewed: unknown[] = [];
    const hook = authorizer({
      client: {
        async review({ resourceAttributes }) {
          reviewed.push(resourceAttributes?.name);
          return { allowed: true, denied: false, reason: '' };
        },
        close() {},
      },
    });
    for (let name = 0; name < 8256; name++) await hook.authorize(attributes({ name: `${name}` }));
    expect(reviewed).toHaveLength(8256);
    await hook.authorize(attributes({ name: '8255' }));
    expect(reviewed).toHaveLength(8256);
    await hook.authorize(attributes({ name: '0' }));
    expect(reviewed.slice(8256)).toEqual(['0']);
  });

  it('calls the webhook only for requests that match its conditions', async () => {
    server.answer = () => answers({ allowed: true });
    const conditions = ["request.user.startsWith('hook-')", "request.extra['k'][0] == 'v'"];
    expect(await sendRequest({ user: user('other') }, { conditions })).toEqual({
      decision: 'no-opinion',
      reason: '',
    });
    expect(await sendRequest({ user: user('hook-a') }, { conditions, failurePolicy: 'Deny' })).toMatchObject({
      decision: 'deny',
      error: expect.any(Error),
    });
    expect(
      await sendRequest({ user: { ...user('hook-a'), extra: new Map([['k', ['v']]]) } }, { conditions }),
    ).toMatchObject({ decision: 'allow' });
    expect(seen).toEqual(['excluded', 'error', 'match', 'success']);
    expect(server.calls.length).toBe(1);
  });
});
