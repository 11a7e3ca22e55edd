import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryDirectory } from '../../src/files/temporary-directory.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { create } from '../admission/webhook/support.ts';

const GROUP = '/apis/admissionregistration.k8s.io';
const EVERYTHING = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
const CHANGES = { ...EVERYTHING, operations: ['CREATE', 'UPDATE'] };

/** A parameter kind that is not served makes a policy fail for every request. */
const failing = (operations: object) => ({
  failurePolicy: 'Fail',
  paramKind: { apiVersion: 'example.com/v1', kind: 'Absent' },
  matchConstraints: { resourceRules: [operations] },
});

describe('fail-closed policies for everything that cannot be evaluated', () => {
  let files: TemporaryDirectory;
  let cluster: TestCluster | undefined;
  beforeEach(() => {
    files = new TemporaryDirectory();
  });
  afterEach(async () => {
    await cluster?.stop();
    files.remove();
  });

  const start = async () => {
    cluster = await startCluster({
      storageBackend: 'embedded',
      dataDir: files.path('data'),
      controllers: ['-*'],
      featureGates: ['MutatingAdmissionPolicy=true'],
      runtimeConfig: ['admissionregistration.k8s.io/v1alpha1=true'],
    });
    return cluster;
  };

  it.each([
    [
      'validating',
      'v1',
      { ...failing(EVERYTHING), validations: [{ expression: 'true' }] },
      { validationActions: ['Deny'] },
      422,
    ],
    [
      'mutating',
      'v1alpha1',
      {
        ...failing(CHANGES),
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
      },
      {},
      403,
    ],
  ])(
    'do not keep the server from starting, and can be deleted: %s',
    async (type, version, spec, binding, code) => {
      const policies = `${GROUP}/${version}/${type}admissionpolicies`;
      const bindings = `${GROUP}/${version}/${type}admissionpolicybindings`;
      const before = await start();
      const post = async (path: string, body: object): Promise<number> =>
        (await before.fetch(path, { method: 'POST', body })).status;
      expect(await post(policies, { metadata: { name: 'all' }, spec })).toBe(201);
      expect(
        await post(bindings, { metadata: { name: 'all' }, spec: { policyName: 'all', ...binding } }),
      ).toBe(201);
      while ((await create(before, 'x', '?dryRun=All')).status !== code)
        await new Promise((resolve) => setImmediate(resolve));
      await before.stop();

      const after = await start();
      expect((await after.fetch('/readyz')).status).toBe(200);
      // In force with the first request.
      expect((await create(after, 'x')).status).toBe(code);
      expect((await after.fetch('/api/v1/namespaces/default/endpoints/kubernetes')).status).toBe(200);
      expect((await after.fetch(`${bindings}/all`, { method: 'DELETE' })).status).toBe(200);
      expect((await after.fetch(`${policies}/all`, { method: 'DELETE' })).status).toBe(200);
      while ((await create(after, 'x', '?dryRun=All')).status !== 201)
        await new Promise((resolve) => setImmediate(resolve));
    },
  );
});
