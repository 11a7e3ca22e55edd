import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

it('returns a TokenRequest with the managed fields of the request', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await cluster.fetch(accounts, { method: 'POST', body: { metadata: { name: 'robot' } } });
  const response = await cluster.fetch(`${accounts}/robot/token?fieldManager=tester`, {
    method: 'POST',
    body: { spec: { audiences: ['a'], expirationSeconds: 600 } },
  });
  const { metadata } = (await response.json()) as { metadata: { managedFields: object[] } };
  expect(metadata.managedFields).toEqual([
    {
      manager: 'tester',
      operation: 'Update',
      apiVersion: 'authentication.k8s.io/v1',
      time: expect.any(String),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:audiences': {}, 'f:expirationSeconds': {} } },
      subresource: 'token',
    },
  ]);
});

it.each([
  ['/openapi/v3/api/v1', '/api/v1/namespaces/{name}', 'io.k8s.apimachinery.pkg.apis.meta.v1.Status'],
  [
    '/openapi/v3/apis/batch/v1',
    '/apis/batch/v1/namespaces/{namespace}/jobs/{name}',
    'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  ],
  ['/openapi/v3/api/v1', '/api/v1/namespaces/{namespace}/pods/{name}', 'io.k8s.api.core.v1.Pod'],
])('%s documents the response to DELETE of %s like kube-apiserver', async (document, path, schema) => {
  const { paths } = (await (await cluster.fetch(document)).json()) as {
    paths: Record<
      string,
      { delete: { responses: Record<string, { content: Record<string, { schema: { $ref: string } }> }> } }
    >;
  };
  expect(paths[path]?.delete.responses['200']?.content['application/json']?.schema.$ref).toBe(
    `#/components/schemas/${schema}`,
  );
});
