import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { authenticationFilter } from '../../src/filters/authentication.ts';
import { deadlineFilter } from '../../src/filters/deadline.ts';
import type { Filter } from '../../src/request/context.ts';
import { NO_EXTRA } from '../../src/request/user.ts';
import { request } from './context.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: object) => void;

const REQUESTS = 20_000;
/** Bytes per request that may outlive collections of the young generation. */
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

/** What is not in the young generation. */
function oldBytes(): number {
  let bytes = 0;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics())
    if (space_name !== 'new_space') bytes += space_used_size;
  return bytes;
}

test.each(FILTERS)('%s: V8 can free requests without a full collection', (_name, filter) => {
  const { context } = request('GET', '/api/v1/pods');
  const serve = () => {
    const exchange = Object.create(context.exchange) as Exchange;
    void filter({ ...context, exchange, annotations: new Map(), warnings: new Set() }, () => undefined);
  };
  for (let count = 0; count < REQUESTS; count += 1) serve();
  collect();
  const before = oldBytes();
  for (let count = 0; count < REQUESTS; count += 1) serve();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  expect((oldBytes() - before) / REQUESTS).toBeLessThan(MOST_PROMOTED);
  stop();
});
