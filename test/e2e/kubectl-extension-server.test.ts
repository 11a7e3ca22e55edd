import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ExtensionServer, json } from '../support/extension-server.ts';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

const TIMEOUT = 120_000;
const GROUP = 'things.example.test';
const ROOT = `/apis/${GROUP}/v1`;

describe.skipIf(!hasKubectl)('kubectl and an extension server', () => {
  const server = new BuiltServer();
  let kubectl: Kubectl;
  let extension: ExtensionServer;
  beforeAll(async () => {
    await server.start();
    kubectl = new Kubectl(server);
    const map = await kubectl.run(
      'get configmap extension-apiserver-authentication -n kube-system -o jsonpath={.data.requestheader-client-ca-file}',
    );
    const thing = {
      kind: 'Thing',
      apiVersion: `${GROUP}/v1`,
      metadata: { name: 'one', namespace: 'default' },
    };
    extension = await new ExtensionServer({
      hosts: ['things.default.svc'],
      frontProxyAuthority: map,
      answer({ path, proxy }, response) {
        if (proxy !== 'front-proxy-client') return json(response, {}, 401);
        if (path === ROOT)
          return json(response, {
            kind: 'APIResourceList',
            apiVersion: 'v1',
            groupVersion: `${GROUP}/v1`,
            resources: [
              {
                name: 'things',
                singularName: 'thing',
                namespaced: true,
                kind: 'Thing',
                verbs: ['get', 'list', 'delete'],
                shortNames: ['th'],
              },
            ],
          });
        if (path === `${ROOT}/namespaces/default/things/one`) return json(response, thing);
        if (path.endsWith('/things'))
          return json(response, {
            kind: 'ThingList',
            apiVersion: `${GROUP}/v1`,
            metadata: {},
            items: [thing],
          });
        return json(response, { kind: 'Status', status: 'Failure', code: 404 }, 404);
      },
    }).start();
    await server.json('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'things' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    await server.json('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1.${GROUP}` },
      spec: {
        group: GROUP,
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        caBundle: extension.caBundle,
        service: { namespace: 'default', name: 'things', port: extension.port },
      },
    });
  }, TIMEOUT);
  afterAll(async () => {
    await extension?.stop();
    await server.remove();
  });

  it(
    'finds, reads and lists its resources',
    async () => {
      await kubectl.run(`wait --for=condition=Available apiservice/v1.${GROUP} --timeout=60s`);
      await vi.waitFor(async () =>
        expect(await kubectl.run(`api-resources --api-group=${GROUP} --cached=false`)).toContain('Thing'),
      );
      expect(await kubectl.run('get th one -o jsonpath={.metadata.name}')).toBe('one');
      expect(await kubectl.run('get things -o name')).toContain(`thing.${GROUP}/one`);
      expect(await kubectl.run(`get --raw ${ROOT}`)).toContain('APIResourceList');
      expect(await kubectl.run('get apiservices')).toMatch(new RegExp(`v1.${GROUP} +default/things +True`));
    },
    TIMEOUT,
  );
});
