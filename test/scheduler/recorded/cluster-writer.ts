import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { ObjectMeta } from '../../../src/model/generated/meta-v1.ts';
import type { Situation } from '../situations/situation.ts';
import type { Outcome, Recording } from './recording.ts';
import type { ScoreLog } from './score-log.ts';
import { pause, type Stack } from './stack.ts';

interface Item {
  metadata?: ObjectMeta;
  status?: object;
}

/** Members of a situation with the API paths of their collections. */
const COLLECTIONS: readonly (readonly [
  member: Exclude<keyof Situation, 'probes' | 'devices'>,
  api: string,
  resource: string,
])[] = [
  ['namespaces', '/api/v1', 'namespaces'],
  ['priorityClasses', '/apis/scheduling.k8s.io/v1', 'priorityclasses'],
  ['nodes', '/api/v1', 'nodes'],
  ['services', '/api/v1', 'services'],
  ['replicaSets', '/apis/apps/v1', 'replicasets'],
  ['budgets', '/apis/policy/v1', 'poddisruptionbudgets'],
  ['storageClasses', '/apis/storage.k8s.io/v1', 'storageclasses'],
  ['volumes', '/api/v1', 'persistentvolumes'],
  ['claims', '/api/v1', 'persistentvolumeclaims'],
  ['csiNodes', '/apis/storage.k8s.io/v1', 'csinodes'],
  ['csiDrivers', '/apis/storage.k8s.io/v1', 'csidrivers'],
  ['capacities', '/apis/storage.k8s.io/v1', 'csistoragecapacities'],
  ['pods', '/api/v1', 'pods'],
];
const DEVICES = [
  ['classes', '/apis/resource.k8s.io/v1beta1', 'deviceclasses'],
  ['slices', '/apis/resource.k8s.io/v1beta1', 'resourceslices'],
  ['claims', '/apis/resource.k8s.io/v1beta1', 'resourceclaims'],
] as const;

/** Until the informers of kube-scheduler have seen all writes. */
const SETTLED_MILLISECONDS = 150;
/** How long kube-scheduler keeps a pod on its node that has gone while its volumes were bound. */
const BINDING_MILLISECONDS = 1500;
const POLL_MILLISECONDS = 10;
const OUTCOME_MILLISECONDS = 15_000;

const pathOf = (api: string, resource: string, { metadata = {} }: Item, name = true): string => {
  const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${api}${scope}/${resource}${name ? `/${metadata.name}` : ''}`;
};

/** Creates the objects of situations, and records what becomes of their probes. */
export class ClusterWriter {
  readonly #stack: Stack;
  readonly #log: ScoreLog;

  constructor(stack: Stack, log: ScoreLog) {
    this.#stack = stack;
    this.#log = log;
  }

  async record(situation: Situation): Promise<Recording> {
    const written: Record<string, unknown> = {};
    for (const [member, api, resource] of COLLECTIONS) {
      const items: object[] = [];
      for (const item of situation[member]) items.push(await this.#create(api, resource, item));
      written[member] = items;
    }
    if (situation.devices !== undefined) {
      const devices: Record<string, object[]> = {};
      for (const [member, api, resource] of DEVICES) {
        devices[member] = [];
        for (const item of situation.devices[member])
          devices[member].push(await this.#create(api, resource, item));
      }
      written['devices'] = devices;
    }
    const cases: Recording['cases'][number][] = [];
    await pause(SETTLED_MILLISECONDS);
    for (const probe of situation.probes) {
      const recorded = await this.#probe(probe, situation);
      if (recorded !== undefined) cases.push(recorded);
    }
    await this.#removeAll(situation);
    return { situation: written as unknown as Recording['situation'], cases };
  }

  /** @returns the object as the server shows it */
  async #create(api: string, resource: string, item: Item): Promise<object> {
    let answer = await this.#stack.call('POST', pathOf(api, resource, item, false), item);
    // Namespaces and priority classes stay from one situation to the next.
    if (answer.status === 409) answer = await this.#stack.call('GET', pathOf(api, resource, item));
    if (answer.status >= 300) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
    const { status } = item;
    if (status !== undefined && Object.keys(status).length > 0)
      answer = await this.#stack.call(
        'PATCH',
        `${pathOf(api, resource, item)}/status`,
        { status },
        'application/merge-patch+json',
      );
    if (answer.status >= 300) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
    return stripped(answer.body);
  }

  /** Undefined for a pod that is not valid. */
  async #probe(probe: Pod, situation: Situation): Promise<Recording['cases'][number] | undefined> {
    const pod = (await this.#create('/api/v1', 'pods', probe).catch(() => undefined)) as Pod | undefined;
    if (pod === undefined) return undefined;
    const path = pathOf('/api/v1', 'pods', probe);
    const outcome = await this.#outcome(path, probe);
    await this.#remove(path);
    for (const name of outcome.victims ?? []) {
      const victim = situation.pods.find(({ metadata }) => metadata?.name === name)!;
      await this.#remove(pathOf('/api/v1', 'pods', victim));
      await this.#create('/api/v1', 'pods', victim);
    }
    if (outcome.node !== undefined || outcome.message?.includes('deallocation') === true)
      await this.#restoreClaims(probe, situation);
    if (outcome.node !== undefined && (probe.spec?.volumes ?? []).length > 0)
      await pause(BINDING_MILLISECONDS);
    await pause(outcome.victims === undefined ? SETTLED_MILLISECONDS / 4 : SETTLED_MILLISECONDS);
    return { pod, outcome };
  }

  /** A pod that got a node has changed its claims and their volumes. */
  async #restoreClaims({ spec }: Pod, situation: Situation): Promise<void> {
    const restore = async (api: string, resource: string, items: readonly Item[]): Promise<void> => {
      for (const item of items) await this.#remove(pathOf(api, resource, item));
      for (const item of items) await this.#create(api, resource, item);
    };
    if ((spec?.volumes ?? []).length > 0) {
      await restore('/api/v1', 'persistentvolumeclaims', situation.claims);
      await restore('/api/v1', 'persistentvolumes', situation.volumes);
    }
    if ((spec?.resourceClaims ?? []).length > 0)
      await restore('/apis/resource.k8s.io/v1beta1', 'resourceclaims', situation.devices?.claims ?? []);
  }

  async #outcome(path: string, { metadata }: Pod): Promise<Outcome> {
    for (let waited = 0; waited < OUTCOME_MILLISECONDS; waited += POLL_MILLISECONDS) {
      await pause(POLL_MILLISECONDS);
      const { spec, status } = (await this.#stack.call('GET', path)).body as Pod;
      const key = `${metadata!.namespace}/${metadata!.name}`;
      const node = spec?.nodeName || this.#log.reservedNode(key);
      const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
      if (node !== undefined) {
        await pause(POLL_MILLISECONDS);
        const scores = this.#log.take(key);
        return { node, ...(scores && { scores }) };
      }
      if (condition?.status === 'False' && condition.reason !== 'SchedulingGated')
        return {
          message: condition.message!,
          reason: condition.reason!,
          ...(status?.nominatedNodeName && {
            nominatedNode: status.nominatedNodeName,
            victims: await this.#victims(),
          }),
        };
    }
    return {};
  }

  async #victims(): Promise<string[]> {
    const { items } = (await this.#stack.call('GET', '/api/v1/pods')).body as { items: Pod[] };
    return items
      .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined)
      .map(({ metadata }) => metadata!.name!);
  }

  async #remove(path: string): Promise<void> {
    await this.#stack.call('DELETE', `${path}?gracePeriodSeconds=0`);
    for (;;) {
      if ((await this.#stack.call('GET', path)).status === 404) return;
      await this.#stack.call(
        'PATCH',
        path,
        { metadata: { finalizers: null } },
        'application/merge-patch+json',
      );
      await pause(POLL_MILLISECONDS);
    }
  }

  async #removeAll(situation: Situation): Promise<void> {
    for (const [member, api, resource] of [...COLLECTIONS].reverse()) {
      if (member === 'namespaces' || member === 'priorityClasses') continue;
      for (const item of situation[member]) await this.#remove(pathOf(api, resource, item));
    }
    for (const [member, api, resource] of DEVICES)
      for (const item of situation.devices?.[member] ?? []) await this.#remove(pathOf(api, resource, item));
  }
}

/** Without what no decision depends on. */
function stripped(object: Record<string, unknown>): object {
  const { apiVersion: _, kind: __, ...rest } = structuredClone(object) as Record<string, unknown> & Item;
  delete rest.metadata?.managedFields;
  delete rest.metadata?.resourceVersion;
  delete rest.metadata?.creationTimestamp;
  delete rest.metadata?.generation;
  return rest;
}
