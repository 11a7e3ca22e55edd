import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** A request of about ten steps; without steps it would block the event loop for its whole time. */
const LONGEST_PART = 0.75;

const data = (value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, value]));

/** CPU time of a task, and of its longest part between two turns of the event loop, in milliseconds. */
async function timesOf(work: () => Promise<void>): Promise<{ whole: number; longest: number }> {
  const time = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  let running = true;
  let longest = 0;
  const start = time();
  let last = start;
  const turn = (): void => {
    const now = time();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  running = false;
  turn();
  return { whole: time() - start, longest };
}

describe('a large request yields to the event loop between its steps', () => {
  let server: SmallServer;
  beforeAll(async () => {
    server = smallServer({ storage: createMemoryStorage() });
    await server.send('POST', CONFIG_MAPS, { metadata: { name: 'first' }, data: data('x') });
  });
  afterAll(() => server.close());

  it.each<[string, string, string, unknown, string, number]>([
    [
      'creation',
      'POST',
      CONFIG_MAPS,
      { metadata: { name: 'made' }, data: data('v') },
      'application/json',
      201,
    ],
    [
      'update',
      'PUT',
      `${CONFIG_MAPS}/first`,
      { metadata: { name: 'first' }, data: data('w') },
      'application/json',
      200,
    ],
    [
      'small patch of a large object',
      'PATCH',
      `${CONFIG_MAPS}/first`,
      { metadata: { labels: { a: 'b' } } },
      'application/merge-patch+json',
      200,
    ],
    [
      'apply',
      'PATCH',
      `${CONFIG_MAPS}/first?fieldManager=x&force=true`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' }, data: data('z') },
      'application/apply-patch+yaml',
      200,
    ],
  ])('%s', async (_what, method, target, body, type, status) => {
    const text = JSON.stringify(body);
    const { whole, longest } = await timesOf(async () => {
      expect((await server.send(method, target, text, type)).status).toBe(status);
    });
    expect(longest / whole).toBeLessThan(LONGEST_PART);
  });
});

/**
 * Share of the longest step for expressions compiled in at least thirty parts; decoding, encoding and storing
 * are separate steps.
 */
const LONGEST_STRETCH = 0.5;

describe('very many small expressions are compiled in parts', () => {
  const expressions = Array.from({ length: 6_000 }, (_, index) => ({
    expression: `object.metadata.name != "${index}" && ${index} >= 0`,
  }));
  const rules = expressions.map((_, index) => ({
    rule: `self.a${index % 10} != "${index}" && ${index} >= 0`,
  }));
  const properties = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`a${index}`, { type: 'string', maxLength: 5 }]),
  );
  const spec = { type: 'object', properties, 'x-kubernetes-validations': rules };
  let server: SmallServer;
  beforeAll(() => {
    server = smallServer({ storage: createMemoryStorage() });
  });
  afterAll(() => server.close());

  const policy = {
    metadata: { name: 'many.example.test' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
        ],
      },
      validations: expressions,
    },
  };
  const definition = {
    metadata: { name: 'manies.example.test' },
    spec: {
      group: 'example.test',
      names: { plural: 'manies', kind: 'Many' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };

  it.each<[string, string, unknown, number]>([
    ['of a policy', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', policy, 201],
    ['of a definition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition, 201],
    [
      'of a policy, of which one is wrong',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      {
        ...policy,
        metadata: { name: 'wrong.example.test' },
        spec: { ...policy.spec, validations: [...expressions, { expression: 'object.' }] },
      },
      422,
    ],
  ])('%s', async (_what, target, body, status) => {
    const { whole, longest } = await timesOf(async () => {
      const answer = await server.send('POST', target, JSON.stringify(body));
      expect(answer.status).toBe(status);
      if (status === 422)
        expect(JSON.stringify(answer)).toContain(`spec.validations[${expressions.length}].expression`);
    });
    expect(longest / whole).toBeLessThan(LONGEST_STRETCH);
  });
});
