import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

let cluster: TestCluster;

const OBJECT = '/api/v1/namespaces/default/configmaps/a';
const BINDING = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/a';
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com';
const THING = '/apis/example.com/v1/namespaces/default/things/a';

async function post(path: string, body: object): Promise<void> {
  const answer = await cluster.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
}

beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'] });
  await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  await post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    metadata: { name: 'a' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
  });
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
    },
  };
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await vi.waitFor(async () => expect((await cluster.fetch('/apis/example.com/v1')).status).toBe(200));
  await post('/apis/example.com/v1/namespaces/default/things', {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
  });
});
afterAll(() => cluster.stop());

/** Applies a JSON Patch (its text if it is a string) as a dry run; returns code, message and warnings. */
async function patch(path: string, operations: unknown, type = 'application/json-patch+json') {
  const answer = await cluster.fetch(`${path}?dryRun=All`, {
    method: 'PATCH',
    headers: { 'content-type': type },
    body: typeof operations === 'string' ? operations : JSON.stringify(operations),
  });
  const { message } = (await answer.json()) as { message: string };
  return { code: answer.status, message, warnings: answer.headers.get('warning') ?? '' };
}

const removeVersion = { op: 'remove', path: '/apiVersion' };
const set = (path: string, value: unknown) => ({ op: 'add', path, value });
const notString = (name: string, found: string) =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go struct field .${name} of type string`;

describe('a JSON Patch of the type', () => {
  test.each<[string, unknown[], string]>([
    ['no apiVersion, a number as kind', [removeVersion, set('/kind', 5)], notString('kind', 'number')],
    ['no apiVersion, a list as kind', [removeVersion, set('/kind', [1])], notString('kind', 'array')],
    ['a number as apiVersion', [set('/apiVersion', 5)], notString('apiVersion', 'number')],
    [
      'the apiVersion as kind',
      [{ op: 'move', from: '/apiVersion', path: '/kind' }],
      'no kind "v1" is registered for the internal version of group "" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [
      'no apiVersion, another kind',
      [removeVersion, set('/kind', 'Pod')],
      'converting (core.Pod) to (core.ConfigMap): unknown conversion',
    ],
    ['another kind', [set('/kind', 'Pod')], 'converting (v1.Pod) to (core.ConfigMap): unknown conversion'],
    ['a malformed apiVersion', [set('/apiVersion', 'a/b/c')], 'unexpected GroupVersion string: a/b/c'],
    [
      'an unknown group',
      [set('/apiVersion', 'a/b')],
      'no kind "ConfigMap" is registered for version "a/b" in scheme "pkg/runtime/scheme.go:100"',
    ],
  ])('%s', async (_what, operations, message) => {
    const answer = await patch(OBJECT, operations);
    expect(answer.code).toBe(422);
    expect(answer.message.endsWith(`": ${message}`), answer.message).toBe(true);
  });

  test.each([null, '', '__internal'])('apiVersion %j is that of the internal type', async (value) => {
    expect(await patch(OBJECT, [set('/apiVersion', value)])).toEqual({
      code: 400,
      message: 'the name of the object (a based on URL) was undeterminable: name must be provided',
      warnings: '299 - "unknown field \\"metadata\\""',
    });
  });

  test('the internal version of another group', async () => {
    expect((await patch(BINDING, [set('/apiVersion', '__internal')])).message).toMatch(
      /": no kind "RoleBinding" is registered for the internal version of group "" in scheme "[^"]*"$/,
    );
    expect((await patch(BINDING, [removeVersion, set('/kind', 'Role')])).message).toMatch(
      /": converting \(rbac\.Role\) to \(rbac\.RoleBinding\): unknown conversion$/,
    );
  });

  test.each<[string, unknown[], RegExp]>([
    ['a number as apiVersion', [set('/apiVersion', 5)], /field \.apiVersion of type string$/],
    ['a number as kind', [removeVersion, set('/kind', 5)], /field \.kind of type string$/],
    ['a malformed apiVersion', [set('/apiVersion', 'a/b/c')], /": unexpected GroupVersion string: a\/b\/c$/],
    [
      'null as apiVersion',
      [set('/apiVersion', null)],
      /": \.apiVersion accessor error: <nil> is of the type <nil>, expected string$/,
    ],
    ['another group', [set('/apiVersion', 'a/b')], /^Thing\.a "a" is invalid: apiVersion: Invalid value/],
    ['another version', [set('/apiVersion', 'b')], /^Thing "a" is invalid: apiVersion: Invalid value/],
  ])('of a custom object: %s', async (_what, operations, message) => {
    const answer = await patch(THING, operations);
    expect(answer.code).toBe(422);
    expect(answer.message).toMatch(message);
  });
});

describe('a result with values of the wrong type', () => {
  test('the first one in the encoded result is reported', async () => {
    const both = [set('/metadata/labels', { a: 5 }), set('/metadata/annotations', { a: {} })];
    for (const [path, prefix] of [
      [OBJECT, 'ObjectMeta.metadata'],
      [THING, 'ObjectMeta'],
    ] as const)
      expect((await patch(path, both)).message).toMatch(
        new RegExp(
          `": json: cannot unmarshal object into Go struct field ${prefix}.annotations of type string$`,
        ),
      );
  });

  test.each(['1e2', '5.0'])('the number %s is shown as it was written', async (number) => {
    const text = `{"metadata":{"generation":${number}}}`;
    const { code, message } = await patch(OBJECT, text, 'application/merge-patch+json');
    expect(code).toBe(422);
    expect(message).toContain(`\\"generation\\":${number}`);
    expect(message).toContain(`": json: cannot unmarshal number ${number} into Go struct field ObjectMeta.`);
  });

  test('a number without a double is an error of the operation', async () => {
    expect(await patch(OBJECT, '[{"op":"add","path":"/a","value":1e400}]')).toMatchObject({
      code: 400,
      message:
        'error decoding patch: json: cannot unmarshal number 1e400 into Go struct field jsonPatchOp.value of type float64',
    });
  });

  const SCHEMA = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';
  test.each([
    ['definitions', 'v1.JSONSchemaDefinitions'],
    ['dependencies', 'v1.JSONSchemaDependencies'],
    ['properties', 'map[string]v1.JSONSchemaProps'],
  ])('the Go type of %s of a schema', async (keyword, type) => {
    expect((await patch(DEFINITION, [set(`${SCHEMA}/${keyword}`, 5)])).message).toContain(
      `JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.${keyword} of type ${type}`,
    );
  });

  test('a dependency that is neither a schema nor a list', async () => {
    expect(await patch(DEFINITION, [set(`${SCHEMA}/dependencies`, { a: 5 })])).toMatchObject({
      code: 422,
      message: expect.stringMatching(
        /properties\[spec\]\.dependencies: Forbidden: dependencies is not supported$/,
      ),
    });
  });
});
