import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldManager, FieldSet, fieldElement, fieldSetOf, messageShape } from '../../src/apply/index.ts';
import { MAXIMUM_UPDATERS } from '../../src/apply/managed.ts';
import { fromPlain, toPlain } from '../../src/codec/typed.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { runNow } from '../../src/steps/run.ts';
import { kindType } from '../support/types.ts';

/** A store with one object, written by appliers and updaters. */
function subject(
  group: string,
  version: string,
  kind: string,
  subresource = '',
  ignored = FieldSet.empty,
  keepsOwners = false,
) {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const type = kindType(group, version, kind)!;
  let seconds = 0;
  const manager = new FieldManager({
    apiVersion,
    subresource,
    ignored,
    keepsOwners,
    shape: (requested) => (requested === apiVersion ? messageShape(type) : undefined),
    convert: (object) => object,
    toPlain: (object) => toPlain(type, object, { apiVersion, kind }) as object,
    fromPlain: (plain) => fromPlain(type, plain).value,
    now: () => new Date(Date.UTC(2024, 0, 1, 0, 0, seconds)).toISOString().replace('.000', ''),
  });
  let live: KubernetesObject | undefined;
  const store = (object: KubernetesObject, entries: KubernetesObject['metadata']): void => {
    live = { ...object, metadata: { ...object.metadata, ...entries, uid: 'u' } };
  };
  return {
    apply(name: string, body: object, force = false): void {
      seconds += 1;
      const { object, managedFields } = runNow(
        manager.apply(live, { apiVersion, kind, ...body }, name, force),
      );
      store(object === undefined ? live! : fromPlain(type, object).value, { managedFields });
    },
    update(name: string, change: (object: KubernetesObject) => KubernetesObject): void {
      seconds += 1;
      const next = change(fromPlain(type, live === undefined ? {} : toPlain(type, live)).value);
      store(next, { managedFields: runNow(manager.updated(live, next, name)) });
    },
    get object() {
      return live!;
    },
    owners: () =>
      Object.fromEntries(
        (live?.metadata?.managedFields ?? []).map(({ manager: name, operation, fieldsV1 }) => [
          `${name} ${operation}`,
          fieldsV1!.parse(),
        ]),
      ),
  };
}

const configMap = () => subject('', 'v1', 'ConfigMap');
const metadata = { name: 'a' };

describe('apply', () => {
  test('creates, changes, and removes fields that are no longer applied', () => {
    const map = configMap();
    map.apply('tool', { metadata, data: { x: '1', y: '2' } });
    expect(map.owners()).toEqual({ 'tool Apply': { 'f:data': { 'f:x': {}, 'f:y': {} } } });
    map.apply('tool', { metadata, data: { x: '2' } });
    expect(map.object.data).toEqual({ x: '2' });
    map.apply('tool', { metadata });
    expect(map.object.data).toBeUndefined();
    expect(map.owners()).toEqual({});
  });

  test('applying again changes nothing, including the time', () => {
    const map = configMap();
    map.apply('tool', { metadata, data: { x: '1' } });
    const before = JSON.stringify(map.object);
    map.apply('tool', { metadata, data: { x: '1' } });
    expect(JSON.stringify(map.object)).toBe(before);
  });

  test('empty values are owned, and applying them again does not change the time', () => {
    const map = configMap();
    map.apply('tool', { metadata, data: {} });
    const before = map.owners();
    const entries = JSON.stringify(map.object.metadata!.managedFields);
    map.apply('tool', { metadata, data: {} });
    expect(before).toEqual({ 'tool Apply': { 'f:data': {} } });
    expect(JSON.stringify(map.object.metadata!.managedFields)).toBe(entries);
  });

  test('conflicts list the fields, force takes ownership', () => {
    const map = configMap();
    map.apply('one', { metadata, data: { x: '1', y: '1' } });
    expect(() => map.apply('two', { metadata, data: { x: '2', y: '1' } })).toThrow(
      'Apply failed with 1 conflict: conflict with "one": .data.x',
    );
    map.apply('two', { metadata, data: { x: '2', y: '1' } }, true);
    expect(map.owners()).toEqual({
      'one Apply': { 'f:data': { 'f:y': {} } },
      'two Apply': { 'f:data': { 'f:x': {}, 'f:y': {} } },
    });
  });

  test('shared fields are kept while any manager applies them', () => {
    const map = configMap();
    map.apply('one', { metadata, data: { x: '1' } });
    map.apply('two', { metadata, data: { x: '1' } });
    map.apply('one', { metadata });
    expect(map.object.data).toEqual({ x: '1' });
    map.apply('two', { metadata });
    expect(map.object.data).toBeUndefined();
  });

  test('updates never conflict and take ownership of changed fields', () => {
    const map = configMap();
    map.apply('tool', { metadata, data: { x: '1', y: '1' } });
    map.update('editor', (object) => ({ ...object, data: { x: '9', y: '1' } }));
    expect(map.owners()).toEqual({
      'tool Apply': { 'f:data': { 'f:y': {} } },
      'editor Update': { 'f:data': { 'f:x': {} } },
    });
    expect(() => map.apply('tool', { metadata, data: { x: '1', y: '1' } })).toThrow(
      'conflict with "editor" using v1: .data.x',
    );
  });

  test('lists merge by key, sets by value, atomic values as a whole', () => {
    const pod = subject('', 'v1', 'Pod');
    pod.apply('one', {
      metadata: { name: 'p', finalizers: ['a', 'b'] },
      spec: { containers: [{ name: 'a', image: '1', args: ['x'] }] },
    });
    pod.apply('two', {
      metadata: { name: 'p', finalizers: ['c'] },
      spec: { containers: [{ name: 'b', image: '2' }] },
    });
    expect(pod.object.metadata!.finalizers).toEqual(['a', 'b', 'c']);
    expect(
      (pod.object.spec as { containers: { name: string }[] }).containers.map(({ name }) => name),
    ).toEqual(['a', 'b']);
    expect(() =>
      pod.apply('two', { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', args: ['y'] }] } }),
    ).toThrow('.spec.containers[name="a"].args');
    pod.apply('two', { metadata: { name: 'p' } });
    expect(pod.object.metadata!.finalizers).toEqual(['a', 'b']);
    expect(
      (pod.object.spec as { containers: { name: string }[] }).containers.map(({ name }) => name),
    ).toEqual(['a']);
  });

  test.each([
    ['an unknown field', { metadata, unknown: 1 }, '.unknown: field not declared in schema'],
    ['a wrong type', { metadata, data: 'text' }, '.data: expected map, got &{text}'],
    [
      'a duplicate item',
      { metadata: { ...metadata, finalizers: ['a', 'a'] } },
      '.metadata.finalizers: duplicate entries for key [="a"]',
    ],
  ])('%s is refused', (_name, body, message) => {
    expect(() => configMap().apply('tool', body)).toThrow(message);
  });

  test('a deep configuration is refused, not fatal', () => {
    let schema: object = {};
    for (let depth = 0; depth < 20_000; depth += 1) schema = { properties: { a: schema } };
    const crd = subject('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
    expect(() =>
      crd.apply('tool', {
        metadata,
        spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
      }),
    ).toThrow('exceeded max depth');
  });
});

describe('updates', () => {
  test('a creation owns its fields and their containers', () => {
    const map = configMap();
    map.update('creator', () => ({ metadata: { name: 'a', labels: { l: '1' } }, data: { x: '1' } }));
    expect(map.owners()).toEqual({
      'creator Update': {
        'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
        'f:data': { '.': {}, 'f:x': {} },
      },
    });
  });

  test('structs that are always in JSON are not owned themselves', () => {
    const deployment = subject('apps', 'v1', 'Deployment');
    deployment.update('creator', () => ({
      metadata,
      spec: {
        selector: { matchLabels: { a: 'b' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
        template: { spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }));
    expect(deployment.owners()['creator Update']).toEqual({
      'f:spec': {
        'f:selector': {},
        'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} }, 'f:type': {} },
        'f:template': {
          'f:spec': {
            'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
          },
        },
      },
    });
  });

  test('an update that changes nothing keeps the entries', () => {
    const map = configMap();
    map.apply('tool', { metadata, data: { x: '1' } });
    const before = JSON.stringify(map.object.metadata!.managedFields);
    map.update('editor', (object) => object);
    expect(JSON.stringify(map.object.metadata!.managedFields)).toBe(before);
  });

  test('objects without owners get none before their first apply', () => {
    const map = configMap();
    map.update('creator', () => ({ metadata, data: { x: '1' } }));
    map.update('resetter', (object) => ({
      ...object,
      metadata: { ...object.metadata, managedFields: [{}] },
    }));
    expect(map.owners()).toEqual({});
    map.update('editor', (object) => ({ ...object, data: { x: '2' } }));
    expect(map.owners()).toEqual({});
    expect(() => map.apply('tool', { metadata, data: { x: '3' } })).toThrow(
      'conflict with "before-first-apply" using v1: .data.x',
    );
  });

  test('invalid entries are ignored', () => {
    const map = configMap();
    map.apply('tool', { metadata, data: { x: '1' } });
    map.update('editor', (object) => ({
      ...object,
      metadata: { ...object.metadata, managedFields: [{ manager: 'm', operation: 'Guess' }] },
    }));
    expect(map.owners()).toEqual({ 'tool Apply': { 'f:data': { 'f:x': {} } } });
  });

  test('fields that a request cannot set are not owned', () => {
    const deployment = subject('apps', 'v1', 'Deployment', '', fieldSetOf([fieldElement('status')]));
    deployment.update('creator', () => ({ metadata, spec: { replicas: 1 }, status: { replicas: 3 } }));
    expect(deployment.owners()['creator Update']).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  test('old updaters are merged into one, appliers are kept', () => {
    const map = configMap();
    map.apply('tool', { metadata, data: { x: '1' } });
    for (let index = 0; index < MAXIMUM_UPDATERS + 5; index += 1)
      map.update(`m${index}`, (object) => ({
        ...object,
        data: { ...(object.data as object), [`k${index}`]: '1' },
      }));
    const owners = map.owners();
    expect(Object.keys(owners)).toHaveLength(MAXIMUM_UPDATERS + 1);
    expect(owners['ancient-changes Update']).toEqual({
      'f:data': Object.fromEntries(['f:k0', 'f:k1', 'f:k2', 'f:k3', 'f:k4', 'f:k5'].map((key) => [key, {}])),
    });
    expect(owners['tool Apply']).toBeDefined();
  });

  test('kubectl takes over the fields of client-side apply', () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const map = configMap();
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x: '1' } };
    map.update('kubectl-client-side-apply', () => ({
      metadata: { name: 'a', annotations: { [annotation]: JSON.stringify(applied) } },
      data: { x: '1' },
    }));
    expect(() => map.apply('other', { metadata, data: { x: '2' } })).toThrow('1 conflict');
    map.apply('kubectl', { metadata, data: { x: '2' } });
    expect(map.object.metadata!.annotations![annotation]).toBe(
      '{"apiVersion":"v1","data":{"x":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
    );
  });
});

test('apply is idempotent after any earlier managers', () => {
  const data = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
    fc.constantFrom('1', '2'),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three'), data), { minLength: 1, maxLength: 6 }),
      (steps) => {
        const map = configMap();
        for (const [name, values] of steps) {
          map.apply(name, { metadata, data: values }, true);
          const before = structuredClone(map.object);
          map.apply(name, { metadata, data: values }, true);
          expect(structuredClone(map.object)).toEqual(before);
          for (const key of Object.keys(values))
            expect(Object.getOwnPropertyDescriptor(map.object.data as object, key)?.value).toBe(values[key]);
        }
        for (const name of ['one', 'two', 'three']) map.apply(name, { metadata }, true);
        expect(Object.keys(map.object.data ?? {})).toEqual([]);
      },
    ),
  );
});

test.each([false, true])('an update whose owners cannot be computed drops or keeps them (%s)', (keeps) => {
  const map = subject('', 'v1', 'ConfigMap', '', FieldSet.empty, keeps);
  map.update('one', () => ({ metadata, data: { a: '1' } }) as KubernetesObject);
  const [entry] = map.object.metadata!.managedFields!;
  map.object.metadata!.managedFields = [{ ...entry!, apiVersion: 'not/a/version' }];
  map.update('two', (object) => ({ ...object, data: { a: '2' } }) as KubernetesObject);
  expect(map.object.metadata!.managedFields?.map(({ manager }) => manager)).toEqual(
    keeps ? ['one'] : undefined,
  );
});
