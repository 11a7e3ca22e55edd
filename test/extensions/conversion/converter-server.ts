import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeEach } from 'vitest';
import type { PlainObject } from '../../../src/extensions/conversion/conversion-review.ts';
import {
  WebhookConverter,
  type WebhookConverterOptions,
} from '../../../src/extensions/conversion/webhook-converter.ts';
import { OutboundClient } from '../../../src/outbound/outbound-client.ts';
import { processClock } from '../../../src/time/clock.ts';
import { authority, Servers } from '../../outbound/servers.ts';

/** A ConversionReview as tests change it. */
// biome-ignore lint/suspicious/noExplicitAny: answers have wrong types on purpose
export type Review = any;

/** An answer of the webhook. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Closes the connection instead. */
  readonly abort?: boolean;
}
export type Behaviour = (review: Review, request: IncomingMessage) => Answer | Promise<Answer>;

/** A converter that only changes the version, and then `change`s its response. */
export const answering =
  (change: (review: Review, sent: Review) => Review = () => undefined): Behaviour =>
  (sent) => {
    const { apiVersion, kind, request } = sent;
    const convertedObjects = request.objects.map((object: object) => ({
      ...object,
      apiVersion: request.desiredAPIVersion,
    }));
    const response = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
    const whole = { apiVersion, kind, response };
    return { body: change(whole, sent) ?? whole };
  };

/** A webhook on a real HTTPS server, and converters that call it. */
export function converterServer() {
  const servers = new Servers();
  const client = new OutboundClient();
  const state = {
    behaviour: answering(),
    calls: [] as { request: IncomingMessage; text: string }[],
    url: '',
  };
  let uids = 0;
  beforeEach(async () => {
    state.behaviour = answering();
    state.calls = [];
    state.url ||= `https://127.0.0.1:${await servers.https(handle)}`;
  });
  afterAll(async () => {
    client.close();
    await servers.close();
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    state.calls.push({ request, text });
    const { status = 200, headers, body, abort } = await state.behaviour(JSON.parse(text), request);
    if (abort === true) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  const create = (changes: Partial<WebhookConverterOptions> = {}): WebhookConverter =>
    new WebhookConverter({
      client,
      resolve: () => Promise.reject(new Error('service "absent" not found')),
      userAgent: 'tester',
      definition: 'things.example.com',
      webhook: webhook(),
      clock: processClock,
      uid: () => `uid-${++uids}`,
      ...changes,
    });
  const webhook = (changes: object = {}, versions = ['v1']) => ({
    conversionReviewVersions: versions,
    clientConfig: {
      url: `${state.url}/convert`,
      caBundle: Buffer.from(authority.certificate).toString('base64'),
      ...changes,
    },
  });
  return { servers, state, create, webhook };
}

export const thing = (version: string, name: string, more: object = {}): PlainObject => ({
  apiVersion: `example.com/${version}`,
  kind: 'Thing',
  metadata: {
    name,
    namespace: 'default',
    uid: `uid-of-${name}`,
    resourceVersion: '7',
    labels: { l: '1' },
    annotations: { a: '1' },
  },
  spec: { s: 'x' },
  ...more,
});
