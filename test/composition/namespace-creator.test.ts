import { expect, it } from 'vitest';
import { namespaceCreator } from '../../src/composition/namespace-creator.ts';
import { schemeOf } from '../../src/model/scheme.ts';

it('creates namespaces as kube-apiserver, which owns their fields', async () => {
  const sent: unknown[] = [];
  const create = namespaceCreator((exchange, { name }) => {
    sent.push([exchange.method, exchange.target, exchange.header('user-agent')?.split('/')[0], name]);
    exchange.respond(201, 'application/json', '{}');
  }, schemeOf().release);
  await create('n');
  expect(sent).toEqual([['POST', '/api/v1/namespaces', 'kube-apiserver', 'system:apiserver']]);
});
