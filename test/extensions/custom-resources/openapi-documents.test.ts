import { describe, expect, it } from 'vitest';
import { customKindOf } from '../../../src/extensions/custom-resources/openapi-schemas.ts';
import { customResourceRows } from '../../../src/extensions/custom-resources/resource-rows.ts';
import type { CustomResourceDefinition } from '../../../src/model/generated/apiextensions-v1.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { DocumentBuilder } from '../../../src/openapi/documents.ts';
import { encodeOpenApi } from '../../../src/openapi/protobuf.ts';
import { documentV2 } from '../../support/openapi-v2.ts';
import { kindType } from '../../support/types.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into at many depths
type Tree = { [member: string]: any };
const GROUP = 'announced.example.com';
const definition = (scope: string): CustomResourceDefinition => ({
  spec: {
    group: GROUP,
    scope,
    names: { plural: 'anns', kind: 'Ann' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  n: {
                    type: 'integer',
                    minimum: -3,
                    maximum: 2 ** 40,
                    maxLength: 2 ** 40,
                    not: { enum: [] },
                  },
                  m: { type: 'object', additionalProperties: true },
                },
              },
            },
          },
        },
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      },
    ],
  },
});
function documents(scope = 'Namespaced') {
  const custom = definition(scope);
  const rows = customResourceRows(custom, schemeOf().has).map((row) => ({
    ...row,
    customKind: customKindOf(row, custom.spec!.versions![0]!),
  }));
  const builder = new DocumentBuilder({
    release: { minor: '1.32', groupVersions: schemeOf().groupVersions, optionalVersionMembers: [] },
    kindType,
    deleteReturnsObject: () => {
      throw new Error('only built-in resources are asked for');
    },
    descriptions: { ofType: () => undefined, ofField: () => undefined },
    cbor: false,
    issuer: false,
  });
  const groups = [{ group: GROUP, versions: [{ version: 'v1', resources: rows }] }];
  return { builder, groups };
}
const v3Of = async (scope?: string): Promise<Tree> => {
  const { builder, groups } = documents(scope);
  return (await builder.v3(`apis/${GROUP}/v1`, groups, async () => {}))!;
};
const ANNS = `/apis/${GROUP}/v1/namespaces/{namespace}/anns`;

describe('OpenAPI documents of custom resources', () => {
  it('exist for each version, not for the group', () => {
    const { builder, groups } = documents();
    expect(builder.names(groups)).toEqual(['apis', `apis/${GROUP}/v1`, 'version']);
  });

  it('have the paths and methods of kube-apiserver', async () => {
    const { info, paths, components } = await v3Of();
    expect(info).toEqual({ title: 'Kubernetes CRD Swagger', version: 'v0.1.0' });
    const methods = Object.entries<Tree>(paths).map(([path, item]) => [
      path,
      ...Object.keys(item).filter((key) => key !== 'parameters'),
    ]);
    expect(methods).toEqual([
      [`/apis/${GROUP}/v1/anns`, 'get'],
      [ANNS, 'get', 'post', 'delete'],
      [`${ANNS}/{name}`, 'get', 'put', 'delete', 'patch'],
      [`${ANNS}/{name}/scale`, 'get', 'put', 'patch'],
      [`${ANNS}/{name}/status`, 'get', 'put', 'patch'],
    ]);
    expect(Object.keys(components)).toEqual(['schemas']);
    const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
    expect(Object.keys(components.schemas)).toEqual([
      'com.example.announced.v1.Ann',
      'com.example.announced.v1.AnnList',
      'io.k8s.api.autoscaling.v1.Scale',
      'io.k8s.api.autoscaling.v1.ScaleSpec',
      'io.k8s.api.autoscaling.v1.ScaleStatus',
      ...[
        'DeleteOptions',
        'FieldsV1',
        'ListMeta',
        'ManagedFieldsEntry',
        'ObjectMeta',
        'OwnerReference',
        'Patch',
        'Preconditions',
        'Status',
        'StatusCause',
        'StatusDetails',
        'Time',
      ].map((name) => meta + name),
    ]);
  });

  it('describe an operation', async () => {
    const item = (await v3Of())['paths'][ANNS];
    const schema = { $ref: '#/components/schemas/com.example.announced.v1.Ann' };
    const content = { 'application/json': { schema }, 'application/yaml': { schema } };
    expect({ ...item.post, parameters: item.post.parameters.map((one: Tree) => one['name']) }).toEqual({
      description: 'create an Ann',
      operationId: 'createAnnouncedExampleComV1NamespacedAnn',
      parameters: ['dryRun', 'fieldManager', 'fieldValidation'],
      requestBody: { content, required: true },
      responses: {
        200: { content, description: 'OK' },
        201: { content, description: 'Created' },
        202: { content, description: 'Accepted' },
        401: { description: 'Unauthorized' },
      },
      tags: ['announcedExampleCom_v1'],
      'x-kubernetes-action': 'post',
      'x-kubernetes-group-version-kind': { group: GROUP, kind: 'Ann', version: 'v1' },
    });
    const { requestBody } = (await v3Of())['paths'][`${ANNS}/{name}`].patch;
    expect(Object.keys(requestBody.content)).toEqual([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
  });

  it('refer to shared parameters in version 2 by the names that clients know', async () => {
    const { builder, groups } = documents('Cluster');
    const document = JSON.parse((await documentV2(builder, groups)).toString()) as Tree;
    const item = document['paths'][`/apis/${GROUP}/v1/anns/{name}`];
    expect(Object.keys(item)).toEqual(['get', 'put', 'delete', 'patch', 'parameters']);
    expect(item.get).toEqual({
      consumes: ['application/json', 'application/yaml'],
      description: 'read the specified Ann',
      operationId: 'readAnnouncedExampleComV1Ann',
      parameters: [{ $ref: '#/parameters/resourceVersion-5WAnf1kx' }],
      produces: ['application/json', 'application/yaml'],
      responses: {
        200: { description: 'OK', schema: { $ref: '#/definitions/com.example.announced.v1.Ann' } },
        401: { description: 'Unauthorized' },
      },
      schemes: ['https'],
      tags: ['announcedExampleCom_v1'],
      'x-kubernetes-action': 'get',
      'x-kubernetes-group-version-kind': { group: GROUP, kind: 'Ann', version: 'v1' },
    });
    expect(item.patch.consumes).toEqual([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
    const names = item.patch.parameters.map((one: Tree) => one['name'] ?? one['$ref']);
    expect(names).toEqual([
      '#/parameters/body-78PwaGsr',
      'dryRun',
      '#/parameters/fieldManager-7c6nTn1T',
      'fieldValidation',
      '#/parameters/force-tOGGb0Yi',
    ]);
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/parameters\/([^"]+)"/g))
      expect(Object.hasOwn(document['parameters'], name!), name).toBe(true);
  });

  it('have no dangling references, and are encoded as protobuf', async () => {
    const { builder, groups } = documents();
    const v2 = JSON.parse((await documentV2(builder, groups)).toString()) as Tree;
    const v3 = await v3Of();
    for (const [document, schemas] of [
      [v2, v2['definitions']],
      [v3, v3['components'].schemas],
    ] as const)
      for (const [, name] of JSON.stringify(document).matchAll(
        /"#\/(?:definitions|components\/schemas)\/([^"]+)"/g,
      ))
        expect(Object.hasOwn(schemas, name!), name).toBe(true);
    const encoded = await encodeOpenApi(v3, 'v3', async () => {});
    expect(encoded.includes('com.example.announced.v1.AnnList')).toBe(true);
    // maximum (11) as a double, max_length (15) as an int64 of 2^40.
    expect(encoded.includes(Buffer.from([0x59, 0, 0, 0, 0, 0, 0, 0x70, 0x42]))).toBe(true);
    expect(encoded.includes(Buffer.from([0x78, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20]))).toBe(true);
  });
});
