import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ManagedFieldsEntry } from '../../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Servers } from '../../outbound/servers.ts';
import { answer, configure, webhook } from './support.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd', namespace: 'default' } };

describe('the owners of a Scale', () => {
  let cluster: TestCluster;
  let servers: Servers;
  /** The owners in the new and in the old object of each review, by the type of the webhook. */
  let seen: Record<string, [object: readonly string[], oldObject: readonly string[]]>;

  const describeEntry = ({
    manager,
    operation,
    apiVersion,
    subresource,
    time,
    fieldsV1,
  }: ManagedFieldsEntry) =>
    `${manager} ${operation} ${apiVersion} ${subresource ?? '-'} ${time === undefined ? 'no time' : 'time'} ${JSON.stringify(fieldsV1)}`;
  const ownersOf = ({ metadata }: { metadata: { managedFields?: ManagedFieldsEntry[] } }) =>
    (metadata.managedFields ?? []).map(describeEntry);

  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['-*'] });
    servers = new Servers();
    for (const type of ['Mutating', 'Validating'] as const) {
      const port = await servers.https((incoming, outgoing) => {
        void answer(incoming, outgoing, ({ object, oldObject }) => {
          seen[type] = [ownersOf(object), ownersOf(oldObject as typeof object)];
          return {};
        });
      });
      const rules = [
        {
          apiGroups: ['apps'],
          apiVersions: ['v1'],
          operations: ['UPDATE'],
          resources: ['deployments/scale'],
        },
      ];
      await configure(cluster, type, 'w', webhook(port, { rules }));
    }
    const labels = { a: 'b' };
    const created = await cluster.fetch(`${DEPLOYMENTS}?fieldManager=maker`, {
      method: 'POST',
      body: {
        metadata: { name: 'd' },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    });
    expect(created.status).toBe(201);
  });
  afterAll(async () => {
    await cluster.stop();
    await servers.close();
  });
  beforeEach(() => {
    seen = {};
  });

  const REPLICAS = '{"f:spec":{"f:replicas":{}}}';
  async function scale(method: 'PUT' | 'PATCH', manager: string, replicas: number, type: string) {
    const query = `fieldManager=${manager}${type.includes('apply') ? '&force=true' : ''}`;
    const response = await cluster.fetch(`${DEPLOYMENTS}/d/scale?${query}`, {
      method,
      headers: { 'content-type': type },
      body: { ...SCALE, spec: { replicas } },
    });
    expect(response.status).toBe(200);
    expect(ownersOf((await response.json()) as Parameters<typeof ownersOf>[0])).toEqual([]);
  }

  it('are in what mutating webhooks see, those of this write with its time', async () => {
    await scale('PUT', 'putter', 2, 'application/json');
    const putter = `putter Update autoscaling/v1 scale`;
    expect(seen).toEqual({
      Mutating: [[`${putter} time ${REPLICAS}`], [`maker Update autoscaling/v1 - time ${REPLICAS}`]],
      Validating: [[], []],
    });
    const patcher = 'patcher Update autoscaling/v1 scale';
    await scale('PATCH', 'patcher', 3, 'application/merge-patch+json');
    expect(seen).toEqual({
      Mutating: [[`${patcher} time ${REPLICAS}`], [`${putter} no time ${REPLICAS}`]],
      Validating: [[], []],
    });
    await scale('PATCH', 'applier', 4, 'application/apply-patch+yaml');
    expect(seen).toEqual({
      Mutating: [[`applier Apply autoscaling/v1 scale time ${REPLICAS}`], [`${patcher} no time ${REPLICAS}`]],
      Validating: [[], []],
    });
  });
});
