import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isExemptFromWebhooks } from '../../../src/admission/matching/rules.ts';
import { callWebhook } from '../../../src/admission/webhook/call.ts';
import { compileWebhook } from '../../../src/admission/webhook/compiled-webhook.ts';
import { WebhookSet } from '../../../src/admission/webhook/webhook-set.ts';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import type { AdmissionRequest, VersionedObjects } from '../../../src/request/admission.ts';
import { processClock } from '../../../src/time/clock.ts';
import { Servers } from '../../outbound/servers.ts';
import { admissionRequest } from '../fixtures.ts';
import { answer } from './support.ts';

const seen = {
  kind: { group: '', version: 'v1', kind: 'ConfigMap' },
  resource: { group: '', version: 'v1', resource: 'configmaps' },
};

/** The objects of an attempt; a repeated attempt has another version of the old object. */
const objects = (version: string): VersionedObjects => ({
  object: undefined,
  oldObject: { object: {}, plain: () => ({}), json: () => `{"metadata":{"resourceVersion":"${version}"}}` },
});

describe('a request that repeats its attempt after a write conflict', () => {
  let servers: Servers;
  let client: OutboundClient;
  let set: WebhookSet;
  let url: string;
  let uids: string[];
  let timeouts: string[];
  let allowed: boolean;

  beforeEach(async () => {
    uids = [];
    timeouts = [];
    allowed = true;
    servers = new Servers();
    const port = await servers.http((incoming, outgoing) => {
      timeouts.push(new URL(incoming.url!, 'http://x').searchParams.get('timeout')!);
      void answer(incoming, outgoing, ({ uid }) => {
        uids.push(uid);
        return { allowed };
      });
    });
    url = `http://127.0.0.1:${port}/`;
    client = new OutboundClient();
    const equivalents = { generation: 0, of: () => [], versionsOf: () => [] };
    const lister = { generation: 0, list: () => [] };
    set = new WebhookSet(
      lister,
      equivalents,
      { client, resolve: async () => Promise.reject(new Error('no services')), userAgent: 'test' },
      isExemptFromWebhooks,
    );
  });
  afterEach(async () => {
    client.close();
    await servers.close();
  });

  const ask = (request: AdmissionRequest, version: string, sideEffects = 'None', mutates = false) => {
    const stored = { name: 'w', sideEffects, admissionReviewVersions: ['v1'], clientConfig: { url } };
    const webhook = compileWebhook('c', 0, { ...stored, timeoutSeconds: 30 });
    const options = { set, clock: processClock, uid: () => `u${uids.length}`, mutates };
    return callWebhook({ webhook, request, seen, objects: objects(version) }, options);
  };
  const request = (changes: object = {}) =>
    admissionRequest('configmaps', undefined, { operation: 'DELETE', name: 'x', ...changes });

  it('asks a validating webhook without side effects again only if the review differs', async () => {
    const repeated = request();
    expect((await ask(repeated, '1')).allowed).toBe(true);
    expect((await ask(repeated, '1')).allowed).toBe(true);
    expect(uids).toEqual(['u0']);
    await ask(repeated, '2');
    await ask(request(), '2');
    expect(uids).toEqual(['u0', 'u1', 'u2']);
  });

  it('asks again what has side effects, mutates or denied', async () => {
    const repeated = request();
    for (const [sideEffects, mutates] of [
      ['NoneOnDryRun', false],
      ['None', true],
    ] as const)
      for (let attempt = 0; attempt < 2; attempt++) await ask(repeated, '1', sideEffects, mutates);
    expect(uids).toHaveLength(4);
    allowed = false;
    const denied = request();
    for (let attempt = 0; attempt < 2; attempt++) expect((await ask(denied, '1')).allowed).toBe(false);
    expect(uids).toHaveLength(6);
  });

  it('asks within the one deadline of the request, and tells the webhook what is left', async () => {
    await ask(request({ deadline: processClock.monotonic() + 4500 }), '1');
    await ask(request(), '1');
    expect(timeouts).toEqual(['5s', '30s']);
    const late = ask(request({ deadline: processClock.monotonic() - 1 }), '1');
    await expect(late).rejects.toThrow('context deadline exceeded');
    expect(timeouts).toHaveLength(2);
  });

  it('refuses a dry run that would have side effects', async () => {
    await expect(ask(request({ dryRun: true }), '1', 'Some')).rejects.toThrow(
      'admission webhook "w" does not support dry run',
    );
    await ask(request({ dryRun: true }), '1', 'NoneOnDryRun');
    expect(uids).toHaveLength(1);
  });
});
