import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../../src/authorization/webhook/match-conditions.ts';
import { reviewSpec } from '../../../src/authorization/webhook/review.ts';
import { user } from '../../authentication/fixtures.ts';
import { attributes } from '../fixtures.ts';

const match = (changes: Parameters<typeof attributes>[0], ...expressions: string[]) =>
  createMatcher(expressions).match(reviewSpec(attributes(changes)));

describe('match conditions', () => {
  it('evaluate all attributes of the request', async () => {
    const request = {
      user: { ...user('u', ['g', 'h']), uid: '7', extra: new Map([['k', ['v', 'w']]]) },
      namespace: 'n',
      name: 'p',
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'c', operator: 'Gt', values: ['1'] },
        ],
      },
    };
    const expressions = [
      "request.user == 'u' && 'h' in request.groups && request.uid == '7' && request.extra['k'][1] == 'w'",
      "request.resourceAttributes.namespace == 'n' && request.resourceAttributes.subresource == '' && request.resourceAttributes.name == 'p'",
      'request.resourceAttributes.labelSelector.requirements.size() == 1 && !has(request.resourceAttributes.fieldSelector)',
      '!has(request.nonResourceAttributes)',
    ];
    expect(await match(request, ...expressions)).toEqual({ kind: 'match' });
    expect(
      await match(
        { isResource: false, path: '/x' },
        "request.nonResourceAttributes.path == '/x'",
        '!has(request.resourceAttributes)',
      ),
    ).toEqual({
      kind: 'match',
    });
  });

  it('exclude when one is false, even if others fail', async () => {
    const failing = "request.extra['absent'][0] == ''";
    expect(await match({}, failing, 'false')).toMatchObject({ kind: 'excluded' });
    expect(await match({}, failing, 'true', failing)).toEqual({
      kind: 'error',
      failures: 2,
      message: `cel evaluation error: expression '${failing}' resulted in error: no such key: absent`,
    });
  });

  it('are bounded by a cost limit', async () => {
    const list = `[${Array.from({ length: 60 }, (_, index) => index).join(',')}]`;
    const outcome = await match(
      {},
      `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d >= 0))))`,
    );
    expect(outcome).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('actual cost limit exceeded'),
    });
  });
});
