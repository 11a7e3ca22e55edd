import { expect, it } from 'vitest';
import { trackingFilter } from '../../src/filters/tracking.ts';
import { request } from './context.ts';

it.each([
  ['my-id', true],
  ['an id with spaces', true],
  ['x'.repeat(1000), true],
  ['x'.repeat(5000), false],
  ['caf\u00e9', false],
])('takes the Audit-Id of a client: %s', (given, isTaken) => {
  const { context } = request('GET', '/version', { headers: { 'audit-id': given } });
  void trackingFilter(context, () => undefined);
  if (isTaken) expect(context.auditId).toBe(given);
  else expect(context.auditId).toMatch(/^[0-9a-f-]{36}$/);
});
