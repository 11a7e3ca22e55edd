import { describe, expect, it } from 'vitest';
import { flowControlObjectsController } from '../../src/controllers/flow-control-objects.ts';
import {
  bootstrapFlowSchemas,
  bootstrapPriorityLevels,
} from '../../src/kinds/flowcontrol/bootstrap-objects.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import type { Resource } from '../../src/reconcile/client.ts';
import type { ControllerContext } from '../../src/reconcile/controller.ts';
import { startCluster } from '../../src/testing/index.ts';
import { FakeSource } from '../reconcile/fake-source.ts';
import { RULES } from '../support/rule-context.ts';

const BASE = '/apis/flowcontrol.apiserver.k8s.io/v1';
const AUTOUPDATE = 'apf.kubernetes.io/autoupdate-spec';

const annotated = (
  name: string,
  value: string | undefined,
  spec: object,
  generation = 2,
): KubernetesObject => ({
  metadata: {
    name,
    generation,
    resourceVersion: '7',
    ...(value === undefined ? {} : { annotations: { [AUTOUPDATE]: value } }),
  },
  spec,
});

/** What the controller does to stored priority levels. */
async function maintained(stored: KubernetesObject[]): Promise<string[]> {
  const calls: string[] = [];
  let again: (() => void) | undefined;
  const note = (verb: string) => async (_resource: Resource, object: KubernetesObject) => {
    const { annotations = {} } = object.metadata ?? {};
    calls.push(
      `${verb} ${object.metadata?.name} ${annotations[AUTOUPDATE]} ${JSON.stringify(object['spec'])}`,
    );
  };
  const parts = {
    client: () => ({
      create: note('create'),
      update: note('update'),
      delete: async (_resource: Resource, _namespace: string, name: string) =>
        void calls.push(`delete ${name}`),
    }),
    objects: ({ resource }: Resource) => new FakeSource(resource === 'flowschemas' ? [] : stored),
    clock: {
      now: () => 0,
      after(milliseconds: number, callback: () => void) {
        expect(milliseconds).toBe(60_000);
        again = callback;
        return () => undefined;
      },
    },
    logger: { detail: () => undefined },
  } as unknown as ControllerContext;
  const { queue } = flowControlObjectsController(parts, {
    flowSchemas: [],
    priorityLevels: [
      annotated('suggested', 'true', { built: 'in' }),
      annotated('exempt', 'true', { built: 'in' }),
    ],
  });
  queue.start();
  await expect.poll(() => again).toBeDefined();
  await queue.stop();
  return calls;
}

const EXEMPT = annotated('exempt', 'true', { built: 'in' });

describe('the built-in flow schemas and priority levels', () => {
  it.each([
    ['nothing', [], ['create suggested true {"built":"in"}', 'create exempt true {"built":"in"}']],
    ['what it should be', [annotated('suggested', 'true', { built: 'in' }), EXEMPT], []],
    [
      'another spec',
      [annotated('suggested', 'true', { own: 1 }), EXEMPT],
      ['update suggested true {"built":"in"}'],
    ],
    ['a spec that is not maintained', [annotated('suggested', 'false', { own: 1 }), EXEMPT], []],
    [
      'a changed spec without annotation',
      [annotated('suggested', undefined, { own: 1 }), EXEMPT],
      ['update suggested false {"own":1}'],
    ],
    [
      'an unchanged spec without annotation',
      [annotated('suggested', undefined, { own: 1 }, 1), EXEMPT],
      ['update suggested true {"built":"in"}'],
    ],
    [
      'a mandatory object that should not be maintained',
      [annotated('suggested', 'true', { built: 'in' }), annotated('exempt', 'false', { own: 1 })],
      ['update exempt true {"built":"in"}'],
    ],
    [
      'an object of an earlier release, and one of a user',
      [
        annotated('suggested', 'true', { built: 'in' }),
        EXEMPT,
        annotated('former', 'true', {}),
        annotated('users', undefined, {}),
        annotated('kept', 'false', {}),
      ],
      ['delete former'],
    ],
  ])('%s', async (_case, stored, calls) => {
    expect(await maintained(stored as KubernetesObject[])).toEqual(calls);
  });

  it('are stored as they are built in, so that nothing is written again', async () => {
    const cluster = await startCluster();
    for (const [resource, objects] of [
      ['flowschemas', bootstrapFlowSchemas(RULES)],
      ['prioritylevelconfigurations', bootstrapPriorityLevels()],
    ] as const) {
      const response = await cluster.fetch(`${BASE}/${resource}`);
      const { items } = (await response.json()) as { items: KubernetesObject[] };
      for (const { metadata, spec } of objects as (KubernetesObject & { spec: object })[])
        expect(items.find((item) => item.metadata?.name === metadata?.name)?.['spec']).toEqual(spec);
    }
    await cluster.stop();
  });
});
