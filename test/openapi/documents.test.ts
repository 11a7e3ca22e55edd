import { describe, expect, it } from 'vitest';
import { resourceSetSource } from '../../src/handlers/endpoints/discovery-source.ts';
import type { ServedPredicate } from '../../src/kinds/builtin-resources.ts';
import { schemeOf } from '../../src/model/scheme.ts';
import { type DescribedGroup, DocumentBuilder } from '../../src/openapi/documents.ts';
import { encodeOpenApi } from '../../src/openapi/protobuf.ts';
import { builtinResourceSet } from '../support/builtin-kinds.ts';
import { documentV2 } from '../support/openapi-v2.ts';
import { recorded } from '../support/recorded.ts';
import { kindType } from '../support/types.ts';

const ANSWERED_WITH_OBJECT = new Set(
  'csidrivers csinodes deviceclasses persistentvolumeclaims persistentvolumes pods podtemplates resourceclaims resourceclaimtemplates resourcequotas resourceslices serviceaccounts services storageclasses volumeattachments volumeattributesclasses'.split(
    ' ',
  ),
);

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at many depths
type Tree = { [member: string]: any };
const maker = (cbor = false) =>
  new DocumentBuilder({
    release: { minor: '1.32', groupVersions: schemeOf().groupVersions, optionalVersionMembers: [] },
    kindType,
    deleteReturnsObject: (_group, resource) => ANSWERED_WITH_OBJECT.has(resource),
    descriptions: {
      ofType: ({ shortName }) => `Type ${shortName}`,
      ofField: (_type, { name }) => `Field ${name}`,
    },
    cbor,
    issuer: true,
  });
const groups = (isServed?: ServedPredicate) =>
  resourceSetSource(builtinResourceSet(isServed)).groups() as unknown as DescribedGroup[];
const pause = async () => {};
const v2 = async () => JSON.parse((await documentV2(maker(), groups())).toString()) as Tree;

/** Removes descriptions. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(
    ([name, member]) => name !== 'description' || typeof member !== 'string',
  );
  return Object.fromEntries(members.map(([name, member]) => [name, normal(member)]));
}

/** A version 2 document with its shared parameters resolved. */
function resolved(document: Tree): Tree {
  const shared = document['parameters'] as Tree;
  const inPlace = (list: Tree[] | undefined) =>
    list?.map((one) => ({
      ...(one['$ref'] === undefined
        ? one
        : (shared[String(one['$ref']).slice('#/parameters/'.length)] as Tree)),
    }));
  const paths = Object.entries(document['paths'] as Tree).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as Tree).map(([name, part]) => [
        name,
        name === 'parameters' ? inPlace(part) : { ...part, parameters: inPlace(part.parameters) },
      ]),
    ),
  ]);
  return { ...document, parameters: undefined, paths: Object.fromEntries(paths) };
}

describe('OpenAPI documents', () => {
  it('describe the paths and schemas of a group version', async () => {
    const document = (await maker().v3('apis/apps/v1', groups(), pause)) as Tree;
    const item = document['paths']['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
    expect(Object.keys(item).sort()).toEqual(['delete', 'get', 'parameters', 'patch', 'put']);
    expect(item.patch).toMatchObject({
      operationId: 'patchAppsV1NamespacedDeployment',
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
    });
    const { containers } = document['components'].schemas['io.k8s.api.core.v1.PodSpec'].properties;
    expect(containers).toEqual({
      description: 'Field containers',
      type: 'array',
      items: { default: {}, allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }] },
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
  });

  it('are built with a pause after each resource and each path', async () => {
    let pauses = 0;
    const counted = async () => {
      pauses += 1;
    };
    const document = (await maker().v3('api/v1', groups(), counted)) as Tree;
    const paths = Object.keys(document['paths']).length;
    expect(pauses).toBeGreaterThan(paths);
    pauses = 0;
    const part = await maker().partV2('api/v1', groups(), new Map(), counted);
    expect(Object.keys(part!.paths)).toHaveLength(paths);
    expect(pauses).toBeGreaterThan(paths);
  });

  it('exist for each group and version, and for no other name', async () => {
    const names = maker().names(groups());
    expect(names).toEqual(
      expect.arrayContaining([
        'api',
        'api/v1',
        'apis',
        'apis/apps',
        'apis/apps/v1',
        'version',
        'openid/v1/jwks',
        '.well-known/openid-configuration',
      ]),
    );
    for (const name of names) expect(await maker().v3(name, groups(), pause), name).toBeDefined();
    for (const name of ['', 'apis/apps/v9', 'apis/nonsense', 'constructor'])
      expect(await maker().v3(name, groups(), pause)).toBeUndefined();
  });

  it('have no dangling references', async () => {
    const documents = [
      ...(await Promise.all(
        maker()
          .names(groups())
          .map((name) => maker().v3(name, groups(), pause)),
      )),
      await v2(),
    ];
    for (const document of documents as Tree[]) {
      const schemas = (document['definitions'] ?? document['components'].schemas ?? {}) as Tree;
      for (const [, name] of JSON.stringify(document).matchAll(
        /"#\/(?:definitions|components\/schemas)\/([^"]+)"/g,
      ))
        expect(Object.hasOwn(schemas, name!), name).toBe(true);
    }
  });

  it('describe every response in version 2, as clients require', async () => {
    const document = await v2();
    for (const item of Object.values<Tree>(document['paths'])) {
      for (const [method, operation] of Object.entries(item))
        if (method !== 'parameters')
          for (const response of Object.values<Tree>(operation.responses))
            expect(response['description']).not.toBe('');
    }
  });

  it('are encoded as protobuf', async () => {
    const encoded = fieldsOf(await encodeOpenApi(await v2(), 'v2', pause));
    expect([...new Set(encoded.map(([number]) => number))]).toEqual([1, 2, 8, 9, 10, 13, 12]);
    expect(encoded[0]![1].toString()).toBe('2.0');
    const document = (await maker().v3('apis/apps/v1', groups(), pause)) as Tree;
    const v3 = fieldsOf(await encodeOpenApi(document, 'v3', pause));
    expect([...new Set(v3.map(([number]) => number))]).toEqual([1, 2, 4, 5]);
    // Decoders merge the occurrences of a message by concatenation.
    const merged = (fields: [number, Buffer][], wanted: number) =>
      Buffer.concat(fields.filter(([number]) => number === wanted).map(([, bytes]) => bytes));
    const paths = fieldsOf(merged(v3, 4)).map(([, path]) => fieldsOf(path)[0]![1].toString());
    expect(paths).toEqual(Object.keys(document['paths']));
    const schemas = fieldsOf(merged(fieldsOf(merged(v3, 5)), 1));
    expect(schemas).toHaveLength(Object.keys(document['components'].schemas).length);
  });

  describe('equal the recorded documents except for descriptions', () => {
    const golden = recorded<{ default: Tree; 'runtime-config': Tree; v2: Tree }>('openapi');
    const settled = (document: unknown): unknown => JSON.parse(JSON.stringify(document));

    it.each(Object.keys(golden.default))('%s', async (name) => {
      expect(normal(settled(await maker().v3(name, groups(), pause)))).toEqual(normal(golden.default[name]));
    });

    it.each(Object.keys(golden['runtime-config']))('%s, when asked for', async (name) => {
      const all = groups(() => true);
      expect(normal(settled(await maker(true).v3(name, all, pause)))).toEqual(
        normal(golden['runtime-config'][name]),
      );
    });

    it('version 2', async () => {
      const document = await v2();
      expect(normal(resolved(settled(document) as Tree))).toEqual(normal(resolved(golden.v2)));
    });
  });
});

/** The length-delimited fields of a message. */
function fieldsOf(bytes: Buffer): [number, Buffer][] {
  const fields: [number, Buffer][] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    expect(tag & 7).toBe(2);
    const length = varint();
    fields.push([tag >> 3, bytes.subarray(at, at + length)]);
    at += length;
  }
  expect(at).toBe(bytes.length);
  return fields;
}
