import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { APPLY, MERGE, type ServedDefinitions, servedDefinitions, version } from './served-definitions.ts';

const INTEGER = { type: 'integer' };
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const thing = (fields: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'one' },
  ...fields,
});

let server: ServedDefinitions;
beforeEach(async () => {
  server = await servedDefinitions(createMemoryStorage());
});
afterEach(() => server.stop());

describe('the unknown fields of an object', () => {
  beforeEach(async () => {
    await server.define([version('v1', { n: INTEGER }), { ...version('v2', { m: INTEGER }), served: false }]);
    await server.send('POST', THINGS, thing({ spec: { n: 1 } }));
  });

  it.each([
    ['an undeclared version', { apiVersion: 'example.com/v9' }, ['299 - "unknown field \\"spec\\""'], 422],
    ['an unserved version', { apiVersion: 'example.com/v2' }, ['299 - "unknown field \\"spec.n\\""'], 422],
    ['another group', { apiVersion: 'other.com/v1', odd: 1 }, [], 422],
    ['another kind', { kind: 'Other', odd: 1 }, [], 422],
    ['its version', { odd: 1 }, ['299 - "unknown field \\"odd\\""'], 200],
  ])('are those of %s that a patch names', async (_name, patch, warnings, status) => {
    const response = await server.send('PATCH', `${THINGS}/one`, patch, MERGE);
    expect([response.status, response.warnings]).toEqual([status, warnings]);
  });

  it('are not looked for in a list', async () => {
    const response = await server.send('POST', THINGS, { ...thing({ items: [] }), kind: 'ThingList' });
    expect([response.status, response.warnings]).toEqual([422, []]);
    expect(response.object.details.causes).toMatchObject([{ field: 'kind' }]);
  });
});

describe('repeated members of an object', () => {
  const body = (spec: string) =>
    `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"one"},"spec":${spec}}`;
  const raw = async (method: string, target: string, text: string, type = 'application/json') => {
    const { status, warnings, object } = await server.send(method, target, Buffer.from(text), type);
    return [status, object.message ?? warnings.map((warning) => warning.replace(/^299 - /, ''))];
  };
  beforeEach(() => server.define([version('v1', { size: INTEGER })]));

  it('are reported before unknown fields, also in those', async () => {
    const text = body('{"u":1,"u":{"a":1,"a":2},"u":3,"size":1,"size":1}');
    const problems = [
      'duplicate field "spec.u"',
      'duplicate field "spec.u.a"',
      'duplicate field "spec.size"',
      'unknown field "spec.u"',
    ];
    expect(await raw('POST', `${THINGS}?dryRun=All`, text)).toEqual([
      201,
      problems.map((one) => JSON.stringify(one)),
    ]);
    expect(await raw('POST', `${THINGS}?dryRun=All&fieldValidation=Strict`, text)).toEqual([
      400,
      `Thing in version "v1" cannot be handled as a Thing: strict decoding error: ${problems.join(', ')}`,
    ]);
  });

  it('are reported by line when they are applied, after other errors', async () => {
    const yaml =
      'apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: one\nspec:\n  size: 1\nspec:\n  size: 2\n';
    const apply = (text: string, level: string) =>
      raw('PATCH', `${THINGS}/one?fieldManager=m&fieldValidation=${level}`, text, APPLY);
    expect(await apply(yaml, 'Warn')).toEqual([201, ['"line 8: key \\"spec\\" already set in map"']]);
    expect(await apply(yaml, 'Ignore')).toEqual([200, []]);
    expect(await apply(yaml, 'Strict')).toEqual([
      400,
      expect.stringMatching(/^error strict decoding YAML: .*\n {2}line 8: key "spec" already set in map$/),
    ]);
    expect(await apply(body('{"size":1,"size":2,"u":1}'), 'Strict')).toEqual([
      400,
      expect.stringMatching(/\.spec\.u: field not declared in schema$/),
    ]);
  });
});

describe('an object from before a rule', () => {
  const POSITIVE = { ...INTEGER, 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
  const listOf = (items: object) => ({ type: 'array', maxItems: 9, items });
  const listsOf = (items: object) => ({
    plain: listOf(items),
    set: { ...listOf(items), 'x-kubernetes-list-type': 'set' },
    objects: listOf({ type: 'object', properties: { port: items } }),
    lists: listOf(listOf(items)),
    maps: { type: 'object', maxProperties: 9, additionalProperties: listOf(items) },
  });
  const spec = { plain: [0], set: [0, 1], objects: [{ port: 0 }], lists: [[1], [0]], maps: { a: [0] } };

  beforeEach(async () => {
    await server.define([version('v1', listsOf(INTEGER))]);
    const metadata = { name: 'one', finalizers: ['example.com/f'] };
    await server.send('POST', THINGS, thing({ metadata, spec }));
    await server.redefine({ spec: { versions: [version('v1', listsOf(POSITIVE), { storage: true })] } });
    const creation = () =>
      server.send('POST', `${THINGS}?dryRun=All`, thing({ metadata: { name: 'two' }, spec }));
    await vi.waitFor(async () => expect((await creation()).status).toBe(422));
  });

  it('can be labelled, with a warning for each element that violates it', async () => {
    const { status, warnings } = await server.send(
      'PATCH',
      `${THINGS}/one`,
      { metadata: { labels: { a: 'b' } } },
      MERGE,
    );
    expect(status).toBe(200);
    expect(warnings).toEqual(
      ['lists[1][0]', 'maps[a][0]', 'objects[0].port', 'plain[0]', 'set[0]'].map(
        (field) => `299 - "spec.${field}: Invalid value: \\"integer\\": failed rule: self > 0"`,
      ),
    );
  });

  it('loses its finalizer and goes', async () => {
    await server.send('DELETE', `${THINGS}/one`);
    const { status } = await server.send('PATCH', `${THINGS}/one`, { metadata: { finalizers: null } }, MERGE);
    expect([status, (await server.send('GET', `${THINGS}/one`)).status]).toEqual([200, 404]);
  });

  it('must satisfy the rule in a list that changes', async () => {
    const patch = { spec: { plain: [0, 1] } };
    const { status, object } = await server.send('PATCH', `${THINGS}/one`, patch, MERGE);
    expect([status, object.details.causes.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['spec.plain[0]'],
    ]);
  });
});

describe('the scale of an object', () => {
  const SCALE = `${THINGS}/one/scale`;
  const managers = async () => {
    const { object } = await server.send('GET', `${THINGS}/one`);
    return object.metadata.managedFields.map(
      ({ subresource, fieldsV1 }: { subresource?: string; fieldsV1: object }) => [subresource, fieldsV1],
    );
  };
  const OWNED = { 'f:spec': { 'f:n': {} } };

  beforeEach(async () => {
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    await server.define([version('v1', { n: INTEGER, m: INTEGER }, { subresources: { scale } })]);
    await server.send('POST', THINGS, thing({ spec: { n: 3, m: 1 } }));
  });

  it('is a table with the columns of kube-apiserver; no replicas are empty', async () => {
    await server.send('PATCH', SCALE, { spec: { replicas: null } }, MERGE);
    const { object } = await server.send('GET', SCALE, undefined, undefined, TABLE);
    const columns = object.columnDefinitions.map(({ name, type, format }: Record<string, string>) => [
      name,
      type,
      format,
    ]);
    expect(columns).toEqual([
      ['Name', 'string', 'name'],
      ['Desired', 'integer', ''],
      ['Available', 'integer', ''],
      ['Age', 'date', ''],
    ]);
    expect(object.rows[0].cells.slice(0, 3)).toEqual(['one', null, 0]);
  });

  it('has no replicas after a write whose field the schema does not have', async () => {
    const scale = { specReplicasPath: '.spec.pruned', statusReplicasPath: '.status.n' };
    const versions = [version('v1', { n: INTEGER }, { storage: true, subresources: { scale } })];
    await server.redefine({ spec: { versions } });
    await vi.waitFor(async () => expect((await server.send('GET', SCALE)).status).toBe(500));
    const { status, object } = await server.send('PATCH', SCALE, { spec: { replicas: 2 } }, MERGE);
    expect([status, object.spec]).toEqual([200, {}]);
  });

  it('is owned by who sets it, and by nobody once it was 0', async () => {
    await server.send('PATCH', SCALE, { spec: { replicas: 5 } }, MERGE);
    expect(await managers()).toContainEqual(['scale', OWNED]);
    await server.send('PATCH', SCALE, { spec: { replicas: 0 } }, MERGE);
    const others = [[undefined, { 'f:spec': { '.': {}, 'f:m': {} } }]];
    expect(await managers()).toEqual(others);
    await server.send('PATCH', SCALE, { spec: { replicas: 2 } }, MERGE);
    expect(await managers()).toEqual(others);
  });

  it('cannot be applied', async () => {
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'one' },
      spec: { replicas: 9 },
    };
    const response = await server.send('PATCH', `${SCALE}?fieldManager=m&force=true`, scale, APPLY);
    expect(response.status).toBe(400);
    expect(response.object.message).toContain('the scale of things.example.com cannot be applied');
    expect((await server.send('GET', SCALE)).object.spec).toEqual({ replicas: 3 });
  });
});

describe('numbers of an object', () => {
  it('are compared as integers only if they were written as such', async () => {
    await server.define([version('v1', { n: { type: 'number', multipleOf: 0.5 } })]);
    const send = async (text: string) =>
      (
        await server.send(
          'POST',
          `${THINGS}?dryRun=All`,
          `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"x"},"spec":{"n":${text}}}`,
        )
      ).status;
    expect([await send('1'), await send('1.0'), await send('1.5')]).toEqual([422, 201, 201]);
  });
});

describe('a version that is not served any more', () => {
  it('stays published in its last form until the definition goes', async () => {
    const { former } = server.resources;
    await server.define([version('v1', { a: INTEGER }), version('v2', { b: INTEGER })]);
    expect(former.groups()).toEqual([]);
    await server.redefine({
      spec: {
        versions: [
          { ...version('v1'), storage: true },
          { ...version('v2', { c: INTEGER }), served: false },
        ],
      },
    });
    await vi.waitFor(() =>
      expect(former.groups()).toMatchObject([{ group: 'example.com', versions: [{ version: 'v2' }] }]),
    );
    const schemas = former.groups()[0]!.versions[0]!.resources[0]!.customKind!.schemas('v3');
    expect(schemas['com.example.v2.Thing']).toMatchObject({
      properties: { spec: { properties: { b: INTEGER } } },
    });
    await server.redefine({
      spec: { versions: [{ ...version('v1'), storage: true }, version('v2', { c: INTEGER })] },
    });
    await vi.waitFor(() => expect(former.groups()).toEqual([]));
    await server.redefine({ spec: { versions: [{ ...version('v1'), storage: true }] } });
    await vi.waitFor(() => expect(former.groups()).toHaveLength(1));
    await server.send('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com');
    await server.pass(10_000);
    await vi.waitFor(() => expect(former.groups()).toEqual([]));
  });
});

describe('an object with values of other types than a version declares', () => {
  const applied = async (spec: object, query = '') => {
    const body = { ...thing({ spec }), apiVersion: 'example.com/v2' };
    const target = `${THINGS.replace('v1', 'v2')}/one?fieldManager=m${query}`;
    const { status, object } = await server.send('PATCH', target, body, APPLY);
    return [status, status === 200 ? object.spec : object.details?.causes?.[0]?.message];
  };

  it('is applied in that version, if the result is valid', async () => {
    const any = { 'x-kubernetes-preserve-unknown-fields': true };
    const text = { type: 'string' };
    await server.define([version('v1', { a: any }), version('v2', { a: text })]);
    await server.send('POST', THINGS, thing({ spec: { a: { p: 1 } } }));
    expect(await applied({ a: 'x' })).toEqual([409, expect.stringContaining('conflict with "tester"')]);
    expect(await applied({ a: 'x' }, '&force=true')).toEqual([200, { a: 'x' }]);
  });

  it('is not applied if the fields of others have no form there', async () => {
    await server.define([version('v1', { a: INTEGER }), version('v2', { a: { type: 'string' } })]);
    await server.send('POST', `${THINGS}?fieldManager=other`, thing({ spec: { a: 1 } }));
    expect(await applied({ a: 'x' })).toEqual([409, expect.any(String)]);
  });
});
