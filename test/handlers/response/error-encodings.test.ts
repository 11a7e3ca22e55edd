import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const CBOR = 'application/cbor';
const JSON_TYPE = 'application/json';
const BOOKS = '/apis/errors.test/v1/namespaces/default/books';

describe('an error, for a client that asks for CBOR', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'], featureGates: ['CBORServingAndStorage=true'] });
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await cluster.fetch('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      method: 'POST',
      body: {
        metadata: { name: 'books.errors.test' },
        spec: {
          group: 'errors.test',
          scope: 'Namespaced',
          names: { plural: 'books', kind: 'Book' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      },
    });
    await vi.waitUntil(async () => (await cluster.fetch(BOOKS)).status === 200);
  });
  afterAll(() => cluster.stop());

  it.each([
    ['of a handler', 'GET', '/api/v1/namespaces/default/pods/none', 404, CBOR],
    ['of the handler of a custom resource', 'GET', `${BOOKS}/none`, 404, CBOR],
    ['of an unknown resource', 'GET', '/api/v1/nothing', 404, JSON_TYPE],
    ['of an unknown subresource', 'GET', '/api/v1/namespaces/default/pods/none/nothing', 404, JSON_TYPE],
    ['of an absent subresource of a custom resource', 'GET', `${BOOKS}/none/status`, 404, JSON_TYPE],
    ['of an absent method', 'PUT', '/api/v1/namespaces/default/pods', 405, JSON_TYPE],
    ['of a filter', 'GET', '/api/v1/pods?timeout=x', 400, JSON_TYPE],
    ['of a parameter', 'GET', '/api/v1/pods?fieldSelector=x', 400, CBOR],
  ])('%s has the type that kube-apiserver gives it', async (_, method, path, status, type) => {
    const response = await cluster.fetch(path, { method, headers: { accept: CBOR } });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
  });
});
