import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authority, Servers } from '../outbound/servers.ts';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';
import { until } from './support/until.ts';

const GROUP = 'cluster.example.net';

interface Cluster {
  readonly apiVersion: string;
  readonly spec: { readonly paused?: boolean; readonly suspended?: boolean; readonly size?: number };
}
interface Review {
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Cluster[];
  };
}

/** Converts as the webhooks of Cluster API do: `paused` of v1alpha4 is `suspended` in v1beta1. */
function convert({ request: { uid, desiredAPIVersion, objects } }: Review): object {
  const convertedObjects = objects.map((object) => {
    const { paused, suspended, ...spec } = object.spec;
    const flag = paused ?? suspended;
    const name = desiredAPIVersion.endsWith('v1beta1') ? 'suspended' : 'paused';
    return {
      ...object,
      apiVersion: desiredAPIVersion,
      spec: { ...spec, ...(flag === undefined ? {} : { [name]: flag }) },
    };
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: { uid, convertedObjects, result: { status: 'Success' } },
  };
}

const version = (name: string, flag: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  additionalPrinterColumns: [{ name: flag, type: 'boolean', jsonPath: `.spec.${flag}` }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { [flag]: { type: 'boolean' }, size: { type: 'integer', default: 3 } },
        },
      },
    },
  },
});

describe.skipIf(!hasKubectl)('kubectl and a conversion webhook', () => {
  const server = new BuiltServer();
  const webhooks = new Servers();
  const reviews: Review[] = [];
  let fails = false;
  let kubectl: Kubectl;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const review = JSON.parse(text) as Review;
    reviews.push(review);
    response.writeHead(fails ? 500 : 200, { 'content-type': 'application/json' });
    response.end(fails ? 'out of order' : JSON.stringify(convert(review)));
  }

  const definition = (storage: string, url: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `clusters.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'clusters', kind: 'Cluster' },
      versions: [
        version('v1alpha4', 'paused', storage === 'v1alpha4'),
        version('v1beta1', 'suspended', storage === 'v1beta1'),
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1', 'v1beta1'],
          clientConfig: { url, caBundle: Buffer.from(authority.certificate).toString('base64') },
        },
      },
    },
  });
  let define: (storage: string) => Promise<string>;

  beforeAll(async () => {
    const url = `https://127.0.0.1:${await webhooks.https(answer)}/convert`;
    await server.start();
    kubectl = new Kubectl(server);
    define = (storage) => kubectl.run('apply -f -', { input: JSON.stringify(definition(storage, url)) });
    await define('v1alpha4');
    await kubectl.run(`wait --for=condition=Established crd/clusters.${GROUP} --timeout=60s`);
  });
  afterAll(async () => {
    await server.remove();
    await webhooks.close();
  });

  const cluster = (apiVersion: string, name: string, spec: object) =>
    JSON.stringify({ apiVersion: `${GROUP}/${apiVersion}`, kind: 'Cluster', metadata: { name }, spec });
  const spec = async (apiVersion: string, name: string): Promise<object> =>
    JSON.parse(
      await kubectl.run(`get clusters.${apiVersion}.${GROUP} ${name} -o jsonpath={.spec}`),
    ) as object;
  const apply = (manager: string, apiVersion: string, body: object) =>
    kubectl.try(['apply', '--server-side', `--field-manager=${manager}`, '-f', '-'], {
      input: cluster(apiVersion, 'applied', body),
    });

  it('writes and reads objects in each version', async () => {
    await kubectl.run('create -f -', { input: cluster('v1alpha4', 'old', { paused: true }) });
    await kubectl.run('create -f -', { input: cluster('v1beta1', 'new', { suspended: false }) });
    expect(await spec('v1beta1', 'old')).toEqual({ suspended: true, size: 3 });
    expect(await spec('v1alpha4', 'new')).toEqual({ paused: false, size: 3 });
    await kubectl.run(`patch clusters.v1beta1.${GROUP} old --type=merge -p {"spec":{"suspended":false}}`);
    expect(await spec('v1alpha4', 'old')).toEqual({ paused: false, size: 3 });
  });

  it('converts what a list needs once', async () => {
    for (let index = 0; index < 20; index += 1)
      await server.json('POST', `/apis/${GROUP}/v1alpha4/namespaces/default/clusters`, {
        apiVersion: `${GROUP}/v1alpha4`,
        kind: 'Cluster',
        metadata: { name: `many-${index}`, labels: { many: '1' } },
        spec: { paused: index % 2 === 0 },
      });
    const list = () => kubectl.run(`get clusters.v1beta1.${GROUP} -l many=1 --no-headers`);
    const first = await list();
    expect(first.trimEnd().split('\n')).toHaveLength(20);
    expect(first).toMatch(/many-0 +true\nmany-1 +false\n/);
    reviews.length = 0;
    expect(await list()).toBe(first);
    expect(reviews).toEqual([]);
  });

  it('watches in another version than the stored one', async () => {
    const watch = kubectl.spawn(['get', `clusters.v1beta1.${GROUP}`, 'old', '--watch', '--no-headers']);
    let seen = '';
    watch.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    try {
      await until(() => /^old +false/m.test(seen), 'the first state');
      await kubectl.run(`patch clusters.v1alpha4.${GROUP} old --type=merge -p {"spec":{"paused":true}}`);
      await until(() => /^old +true/m.test(seen), 'the converted change');
    } finally {
      watch.kill();
    }
  });

  it('applies from two managers in two versions, with conflicts', async () => {
    expect((await apply('one', 'v1alpha4', { paused: true })).stderr).toBe('');
    expect((await apply('two', 'v1beta1', { size: 5 })).stderr).toBe('');
    expect(await spec('v1alpha4', 'applied')).toEqual({ paused: true, size: 5 });
    expect((await apply('two', 'v1beta1', { size: 5, suspended: false })).stderr).toContain(
      'Apply failed with 1 conflict: conflict with "one": .spec.paused',
    );
    expect((await apply('two', 'v1beta1', { size: 5, suspended: true })).stderr).toBe('');
  });

  it('moves the storage version', async () => {
    await define('v1beta1');
    expect(await kubectl.run(`get crd clusters.${GROUP} -o jsonpath={.status.storedVersions}`)).toBe(
      '["v1alpha4","v1beta1"]',
    );
    expect(await spec('v1beta1', 'old')).toEqual({ suspended: true, size: 3 });
    await kubectl.run(`label clusters.v1alpha4.${GROUP} --all migrated=yes`);
    reviews.length = 0;
    expect(await spec('v1beta1', 'old')).toEqual({ suspended: true, size: 3 });
    expect(reviews).toEqual([]);
  });

  it('fails only where a conversion is needed while the webhook fails', async () => {
    fails = true;
    const failed = await kubectl.try(['get', `clusters.v1alpha4.${GROUP}`, 'old']);
    expect(failed.stderr).toContain(
      'conversion webhook for cluster.example.net/v1beta1, Kind=Cluster failed',
    );
    expect(await spec('v1beta1', 'old')).toEqual({ suspended: true, size: 3 });
    await kubectl.run('create configmap unaffected');
    fails = false;
    expect(await spec('v1alpha4', 'old')).toEqual({ paused: true, size: 3 });
  });
});
