import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alwaysAllow } from '../../src/authorization/authorizers.ts';
import type { ObjectSource, Selection } from '../../src/reader/object-source.ts';
import { Readers } from '../../src/reader/readers.ts';
import { Sources } from '../../src/reader/sources.ts';
import type { Attributes, Authorizer } from '../../src/request/attributes.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { user } from '../authentication/fixtures.ts';
import { turnsUntil } from '../cache/support.ts';
import { ManualClock, settle } from '../reconcile/manual-clock.ts';
import { type SmallServer, smallServer } from '../support/small-server.ts';

const USER = user('system:kube-controller-manager');
const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const PATH = '/api/v1/namespaces/default/secrets';

let storage: Storage;
let server: SmallServer;
let clock: ManualClock;
let errors: string[];
let source: ObjectSource;

beforeEach(() => {
  storage = createMemoryStorage();
  server = smallServer({ storage });
  clock = new ManualClock();
  errors = [];
});
afterEach(async () => {
  await source.stop();
  await server.close();
});

function open(selection: Selection = {}, authorizer: Authorizer = alwaysAllow, resource = SECRETS): string[] {
  const { resources } = server;
  const readers = new Readers({ resources, clock, logger: { detail: () => undefined } });
  source = new Sources(readers, authorizer).objects(USER, resource, selection, (error) =>
    errors.push((error as Error).message),
  );
  const changes: string[] = [];
  source.onChange((key, current, previous) => {
    const text = (one: typeof current) => (one === undefined ? '-' : (one.metadata().labels?.['is'] ?? '?'));
    changes.push(`${key} ${text(previous)}>${text(current)}`);
  });
  source.start();
  return changes;
}

const secret = (name: string, is: string, type = 'Opaque') => ({
  metadata: { name, labels: { is } },
  type,
  data: { key: 'dmFsdWU=' },
});

describe('a source', () => {
  it('has the objects as a client gets them, without managed fields', async () => {
    await server.send('POST', PATH, secret('one', 'a'));
    open();
    await source.synced;
    const { object } = await server.send('GET', `${PATH}/one`);
    expect(object.metadata.managedFields.length).toBe(1);
    delete object.metadata.managedFields;
    expect(source.get('default/one')).toEqual(object);
    expect(source.get('default/two')).toBeUndefined();
    expect([source.has('default/one'), source.has('default/two')]).toEqual([true, false]);
  });

  it('has the selected objects only, and tells when objects begin and cease to be', async () => {
    await server.send('POST', PATH, secret('one', 'a'));
    await server.send('POST', PATH, secret('two', 'a'));
    const changes = open({ selects: (object) => object.metadata().labels?.['is'] === 'a' });
    await source.synced;
    await server.send('PUT', `${PATH}/two`, secret('two', 'b'));
    await turnsUntil(() => changes.length === 3);
    expect([...source.entries('default')].map(([key]) => key)).toEqual(['default/one']);
    expect(source.get('default/two')).toBeUndefined();
    await server.send('DELETE', `${PATH}/two`);
    await server.send('DELETE', `${PATH}/one`);
    await turnsUntil(() => changes.length === 4);
    expect(changes).toEqual(['default/one ->a', 'default/two ->a', 'default/two a>-', 'default/one a>-']);
  });

  it('selects by name and by field', async () => {
    await server.send('POST', PATH, secret('one', 'a', 'example.com/type'));
    await server.send('POST', PATH, secret('two', 'a', 'example.com/type'));
    await server.send('POST', PATH, secret('three', 'a'));
    const byField = open({ field: ['type', 'example.com/type'] });
    await source.synced;
    await source.stop();
    expect(byField).toEqual(['default/one ->a', 'default/two ->a']);
    const byName = open({ name: 'three' });
    await source.synced;
    expect(byName).toEqual(['default/three ->a']);
  });

  it('repeats what a listener did not take, also for an object that is selected no more', async () => {
    await server.send('POST', PATH, secret('one', 'a'));
    open({ selects: (object) => object.metadata().labels?.['is'] === 'a' });
    let fails = false;
    const taken: boolean[] = [];
    source.onChange((_key, current) => {
      if (fails) throw new Error('not now');
      taken.push(current !== undefined);
    });
    await source.synced;
    fails = true;
    await server.send('PUT', `${PATH}/one`, secret('one', 'b'));
    await turnsUntil(() => errors.length === 1);
    fails = false;
    clock.advance(5);
    expect(taken).toEqual([true, false]);
    expect(errors).toEqual(['not now']);
  });

  it.each(['list', 'watch'])('needs the permission to %s, and tries again until it has it', async (verb) => {
    const asked: string[] = [];
    let allows = false;
    const changes = open(
      {},
      {
        name: 'test',
        authorize: (attributes: Attributes) => {
          asked.push(
            `${attributes.user.name} ${attributes.verb} ${attributes.version}/${attributes.resource}`,
          );
          return { decision: allows || attributes.verb !== verb ? 'allow' : 'no-opinion', reason: '' };
        },
      },
    );
    await settle();
    clock.advance(5);
    await settle();
    const denied = `secrets is forbidden: User "system:kube-controller-manager" cannot ${verb} resource "secrets" in API group "" at the cluster scope`;
    expect(errors).toEqual([denied, denied]);
    await server.send('POST', PATH, secret('one', 'a'));
    allows = true;
    clock.advance(10);
    await source.synced;
    expect(changes).toEqual(['default/one ->a']);
    expect(asked.slice(-2)).toEqual([
      'system:kube-controller-manager list v1/secrets',
      'system:kube-controller-manager watch v1/secrets',
    ]);
  });

  it('is observed as a watch: what changes after all objects are known, and its end', async () => {
    await server.send('POST', PATH, secret('one', 'a'));
    const observed: string[] = [];
    const { resources } = server;
    const readers = new Readers({ resources, clock, logger: { detail: () => undefined } });
    const sources = new Sources(readers, alwaysAllow, ({ resource }) => {
      observed.push(`begin ${resource}`);
      return {
        changed: (bytes) => observed.push(bytes > 100 ? 'changed' : 'too small'),
        ended: () => observed.push('end'),
      };
    });
    source = sources.objects(USER, SECRETS, {}, () => undefined);
    source.start();
    await source.synced;
    await server.send('POST', PATH, secret('two', 'a'));
    await turnsUntil(() => observed.length === 2);
    await source.stop();
    await source.stop();
    expect(observed).toEqual(['begin secrets', 'changed', 'end']);
  });

  it('waits for a resource that is not served', async () => {
    open({}, alwaysAllow, { ...SECRETS, version: 'v2' });
    await settle();
    expect(errors).toEqual(['the server could not find the requested resource']);
    await source.stop();
    await source.synced;
    expect(clock.waiting).toBe(0);
  });
});
