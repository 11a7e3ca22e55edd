import { expect, test } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { authenticationFilter } from '../../src/filters/authentication.ts';
import { deadlineFilter } from '../../src/filters/deadline.ts';
import type { Filter } from '../../src/request/context.ts';
import { NO_EXTRA } from '../../src/request/user.ts';
import { promotedBytes } from '../support/retained.ts';
import { request } from './context.ts';

const REQUESTS = 60_000;
/** Bytes per request, see {@link promotedBytes}. */
const MOST_PROMOTED = 20;

const { stop, filter: deadlines } = deadlineFilter(60_000);
const credentials = { user: { name: 'a', uid: '', groups: [], extra: NO_EXTRA } };
const FILTERS: readonly (readonly [string, Filter])[] = [
  ['deadlines', deadlines],
  [
    'authentication',
    authenticationFilter({
      authenticate: () => credentials,
      identities: new WeakMap(),
      closesUnauthenticated: true,
    }),
  ],
];

test.each(FILTERS)('%s: V8 can free requests without a full collection', (_name, filter) => {
  const { context } = request('GET', '/api/v1/pods');
  const serve = () => {
    const exchange = Object.create(context.exchange) as Exchange;
    void filter({ ...context, exchange, annotations: new Map(), warnings: new Set() }, () => undefined);
  };
  expect(promotedBytes(REQUESTS, serve)).toBeLessThan(MOST_PROMOTED);
  stop();
});
