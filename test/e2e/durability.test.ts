import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltServer } from './support/built-server.ts';
import { hasKubectl, Kubectl } from './support/kubectl.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface ConfigMap {
  metadata: { name: string; uid: string; resourceVersion: string };
  data?: Record<string, string>;
}

const byName = async (server: BuiltServer) =>
  new Map(
    (await server.json<{ items: ConfigMap[] }>('GET', CONFIG_MAPS)).items.map((item) => [
      item.metadata.name,
      item,
    ]),
  );

describe('a server that is killed', () => {
  const server = new BuiltServer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  it('keeps every acknowledged write, and continues its revisions', async () => {
    const written = new Map<string, string>();
    const deleted = new Set<string>();
    let highest = 0;
    let killed: Promise<unknown> | undefined;
    const writer = async (number: number) => {
      for (let round = 0; ; round += 1) {
        const name = `map-${number}-${round}`;
        try {
          await server.json('POST', CONFIG_MAPS, { metadata: { name }, data: { value: 'first' } });
          written.set(name, 'first');
          const updated = await server.json<ConfigMap>('PUT', `${CONFIG_MAPS}/${name}`, {
            metadata: { name },
            data: { value: 'second' },
          });
          written.set(name, 'second');
          highest = Math.max(highest, Number(updated.metadata.resourceVersion));
          if (round % 3 === 0) {
            // The outcome of this write is unknown until the response.
            written.delete(name);
            await server.json('DELETE', `${CONFIG_MAPS}/${name}`);
            deleted.add(name);
          }
        } catch (error) {
          if (killed === undefined) throw error;
          return;
        }
        if (written.size >= 150) killed ??= server.end('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
    await killed;
    await server.start();

    const found = await byName(server);
    // An unacknowledged update may have been stored.
    const lost = [...written].filter(
      ([name, value]) =>
        found.get(name) === undefined ||
        (value === 'second' && found.get(name)!.data?.['value'] !== 'second'),
    );
    expect(lost).toEqual([]);
    expect([...deleted].filter((name) => found.has(name))).toEqual([]);
    const next = await server.json<ConfigMap>('POST', CONFIG_MAPS, { metadata: { name: 'after' } });
    expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(highest);
  });

  it('keeps certificates, uids, versions and service addresses', async () => {
    const service = await server.json<{ spec: { clusterIP: string } }>(
      'POST',
      '/api/v1/namespaces/default/services',
      {
        metadata: { name: 'kept' },
        spec: { ports: [{ port: 80 }] },
      },
    );
    const before = { authority: server.credential('certificate-authority-data'), maps: await byName(server) };
    await server.end('SIGKILL');
    await server.start();
    expect(server.credential('certificate-authority-data')).toBe(before.authority);
    expect(await byName(server)).toEqual(before.maps);
    const other = {
      metadata: { name: 'other' },
      spec: { clusterIP: service.spec.clusterIP, ports: [{ port: 80 }] },
    };
    await expect(server.json('POST', '/api/v1/namespaces/default/services', other)).rejects.toThrow(
      'provided IP is already allocated',
    );
  });

  it.skipIf(!hasKubectl)('keeps the objects that kubectl applied', async () => {
    const kubectl = new Kubectl(server);
    await kubectl.run('apply -f examples/web-app/namespace.yaml');
    await kubectl.run('apply -f examples/web-app');
    // Its controllers come to rest: the Pods find no node.
    await kubectl.run('wait deployment/web -n shop --for=jsonpath={.status.unavailableReplicas}=3');
    const kinds = 'deployments,services,ingresses,configmaps,secrets,cronjobs,roles,rolebindings';
    const before = await kubectl.run(`get ${kinds} -n shop -o yaml`);
    await server.end('SIGKILL');
    await server.start();
    expect(await kubectl.run(`get ${kinds} -n shop -o yaml`)).toBe(before);
    expect(await kubectl.run('apply -f examples/web-app')).toContain('deployment.apps/web unchanged');
  });
});
