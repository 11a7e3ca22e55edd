import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionPlugin, AdmissionRequest } from '../../src/request/admission.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { ImmediateStorage } from '../../src/storage/storage.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const REFUSAL = 'admission webhook "charge.example.com" does not support dry run';

const maps = '/api/v1/namespaces/n/configmaps';
const limits = '/api/v1/namespaces/n/limitranges';
const pods = '/api/v1/namespaces/n/pods';
const accounts = '/api/v1/namespaces/n/serviceaccounts';
const deployments = '/apis/apps/v1/namespaces/n/deployments';
const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const spec = {
  selector: { matchLabels: { a: 'b' } },
  template: { metadata: { labels: { a: 'b' } }, spec: podSpec },
};
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
const applied = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { k: 'applied' },
});
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };

type Request = [method: string, target: string, body?: unknown, type?: string];

/** Every kind of write, with the operation, resource and subresource that admission gets. */
const writes: [seen: string, ...Request][] = [
  ['CREATE configmaps', 'POST', maps, { metadata: { name: 'b' } }],
  ['CREATE configmaps', 'POST', maps, { metadata: { generateName: 'b-' } }],
  ['UPDATE configmaps', 'PUT', `${maps}/a`, { metadata: { name: 'a' }, data: { k: 'new' } }],
  ['CREATE limitranges', 'PUT', `${limits}/l`, { metadata: { name: 'l' } }],
  ['UPDATE configmaps', 'PATCH', `${maps}/a`, { data: { k: 'new' } }, MERGE],
  ['UPDATE configmaps', 'PATCH', `${maps}/a`, [{ op: 'add', path: '/data/k', value: 'new' }], JSON_PATCH],
  ['UPDATE configmaps', 'PATCH', `${maps}/a`, { data: { k: 'new' } }, STRATEGIC],
  ['UPDATE configmaps', 'PATCH', `${maps}/a?fieldManager=m&force=true`, applied('a'), APPLY],
  ['CREATE configmaps', 'PATCH', `${maps}/b?fieldManager=m`, applied('b'), APPLY],
  ['DELETE configmaps', 'DELETE', `${maps}/a`],
  ['DELETE configmaps', 'DELETE', maps],
  [
    'UPDATE pods/status',
    'PUT',
    `${pods}/p/status`,
    { metadata: { name: 'p' }, status: { phase: 'Running' } },
  ],
  ['UPDATE deployments/scale', 'PUT', `${deployments}/d/scale`, scale],
  ['UPDATE deployments/scale', 'PATCH', `${deployments}/d/scale`, { spec: { replicas: 3 } }, MERGE],
  ['UPDATE deployments/scale', 'PATCH', `${deployments}/d/scale?fieldManager=m&force=true`, scale, APPLY],
  ['CREATE pods/eviction', 'POST', `${pods}/p/eviction`, eviction],
  ['CREATE pods/binding', 'POST', `${pods}/p/binding`, binding],
  ['CREATE bindings', 'POST', '/api/v1/namespaces/n/bindings', binding],
  ['CREATE serviceaccounts/token', 'POST', `${accounts}/s/token`, { spec: {} }],
];

describe('an admission plugin with side effects', () => {
  let storage: ImmediateStorage;
  let server: SmallServer;
  /** The calls of the plugin, phase by phase. */
  let seen: string[];
  let effects: string | undefined;
  let change: ((request: AdmissionRequest) => void) | undefined;

  beforeEach(async () => {
    seen = [];
    effects = undefined;
    change = undefined;
    const note = (phase: string, { operation, resource, subresource, dryRun }: AdmissionRequest): void => {
      seen.push(
        `${phase} ${operation} ${resource.resource}${subresource === '' ? '' : `/${subresource}`}${dryRun ? ' dry' : ''}`,
      );
    };
    const plugin: AdmissionPlugin = {
      name: 'Charge',
      handles: () => true,
      admit: (request) => {
        note('admit', request);
        change?.(request);
      },
      validate: (request) => note('validate', request),
      sideEffects: () => effects,
    };
    storage = createMemoryStorage();
    server = smallServer({ storage, plugins: [plugin] });
    await server.send('POST', maps, { metadata: { name: 'a' }, data: { k: 'old' } });
    await server.send('POST', pods, { metadata: { name: 'p' }, spec: podSpec });
    await server.send('POST', accounts, { metadata: { name: 's' } });
    await server.send('POST', deployments, { metadata: { name: 'd' }, spec });
    seen = [];
  });
  afterEach(() => server.close());

  const dry = ([method, target, body, type]: Request) =>
    server.send(method, `${target}${target.includes('?') ? '&' : '?'}dryRun=All`, body, type);

  it.each(writes)('rejects a dry run of %s: %s %s', async (what, ...request) => {
    const { revision } = storage;
    expect((await dry(request)).status).toBeLessThan(300);
    expect(seen).toEqual([`admit ${what} dry`, `validate ${what} dry`]);

    effects = REFUSAL;
    seen = [];
    const refused = await dry(request);
    expect([refused.status, refused.object.reason, refused.object.message]).toEqual([
      400,
      'BadRequest',
      REFUSAL,
    ]);
    expect([seen, storage.revision]).toEqual([[], revision]);

    const [method, target, body, type] = request;
    expect((await server.send(method, target, body, type)).status).toBeLessThan(300);
    expect(seen).toEqual([`admit ${what}`, `validate ${what}`]);
    expect(storage.revision > revision).toBe(what !== 'CREATE serviceaccounts/token');
  });

  it('may modify the action', async () => {
    change = ({ object }) => {
      const { target } = object as unknown as { target?: { name: string } };
      if (target !== undefined) target.name = 'elsewhere';
    };
    expect((await server.send('POST', `${pods}/p/binding`, binding)).status).toBe(201);
    expect((await server.send('GET', `${pods}/p`)).object.spec.nodeName).toBe('elsewhere');
  });

  it('gets the dryRun of the request, not that of the options in an Eviction', async () => {
    const body = { ...eviction, deleteOptions: { dryRun: ['All'] } };
    expect((await server.send('POST', `${pods}/p/eviction`, body)).status).toBe(201);
    expect(seen).toEqual(['admit CREATE pods/eviction', 'validate CREATE pods/eviction']);
    expect((await server.send('GET', `${pods}/p`)).status).toBe(200);
    const both = await server.send('POST', `${pods}/p/eviction?dryRun=All`, {
      ...eviction,
      deleteOptions: { dryRun: ['Some'] },
    });
    expect([both.status, both.object.message]).toEqual([
      400,
      'Non-matching dry-run options in request and content: [All] and [Some]',
    ]);
  });
});
