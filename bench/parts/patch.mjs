// Patches of each kind, of small and large objects, and the cost of defaulting and validating a Pod.
import { tsImport } from 'tsx/esm/api';
import { many } from '../support/client.mjs';
import { rounds, summary } from '../support/measure.mjs';
import { CONFIG_MAPS, configMap, NAMESPACE, PODS, pod } from '../support/objects.mjs';
import { withServer } from '../support/server.mjs';

const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
/** Number of objects patched in one round. */
const OBJECTS = 40;

const variables = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `SETTING_${index}`,
    value: `the value of setting number ${index}`,
  }));

/** A Pod of about 10 kB in the response, without managed fields. */
function largePod(index, round = 0) {
  const { metadata, spec } = pod(index);
  const containers = spec.containers.map((container) => ({
    ...container,
    env: variables(45),
    image: `${container.image}-${round}`,
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels: { ...metadata.labels, round: String(round) } },
    spec: { ...spec, containers },
  };
}

function deployment(name, round = 0) {
  const labels = { app: name };
  const container = { name: 'main', image: `application:${round}`, env: variables(1000) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

async function rules(table) {
  const load = (path) => tsImport(`../../src/${path}`, import.meta.url);
  const { types } = (await load('model/scheme.ts')).schemeOf();
  const { fromPlain } = await load('codec/typed.ts');
  const { pods } = await load('kinds/core/pods/pod.ts');
  const { validateObjectMeta } = await load('kinds/validation/object-meta.ts');
  const strategy = pods.strategy({});
  const type = types.ofKind('', 'v1', 'Pod');
  const context = {
    user: { name: 'bench', groups: [] },
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: NAMESPACE,
    dryRun: false,
  };
  const view = { ...context, allowPrivileged: false, now: () => '2020-01-01T00:00:00Z' };
  const count = 2000;
  const figures = [];
  for (let round = -1; round < 5; round += 1) {
    const objects = Array.from({ length: count }, (_, index) => fromPlain(type, pod(index)).value);
    const started = performance.now();
    for (const object of objects) {
      strategy.defaults.v1(object);
      strategy.prepareForCreate(object, view);
      const problems = [
        ...validateObjectMeta(object.metadata, { namespaced: false }),
        ...strategy.validate(object, view),
      ];
      if (problems.length > 1) throw new Error(JSON.stringify(problems));
    }
    if (round >= 0) figures.push(((performance.now() - started) * 1000) / count);
  }
  table.row('defaulting and validation of a 4 kB Pod', summary(figures), 'µs', 100);
}

export default async function patch(table) {
  await rules(table);
  await withServer(async (server) => {
    const client = server.admin;
    const send = (type, path, body, query = '') =>
      client.ask(`${path}${query}`, { method: 'PATCH', type, body: JSON.stringify(body) });
    let version = 0;
    const measure = async (name, budget, count, request) => {
      const load = async () => {
        version += 1;
        await many(count, 16, (index) => request(index % OBJECTS, `${version}-${index}`));
        return count;
      };
      const { cpu, rate } = await rounds(server, 5, load);
      table.row(name, cpu, 'µs CPU', budget);
      table.row(name, rate, 'per second');
    };

    const map = (index) => `${CONFIG_MAPS}/applied-${index}`;
    const applyMap = (index, round) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', ...configMap(`applied-${index}`) };
      return send(APPLY, map(index), { ...object, data: { ...object.data, round } }, '?fieldManager=bench');
    };
    await measure('apply a 1 kB ConfigMap, 16 at a time', 334, 3000, applyMap);
    await measure('merge patch of it', 236, 3000, (index, round) =>
      send(MERGE, map(index), { data: { changed: round } }),
    );
    await measure('strategic patch of it', 236, 3000, (index, round) =>
      send(STRATEGIC, map(index), { data: { changed: round } }),
    );

    const podPath = (index) => `${PODS}/${pod(index).metadata.name}`;
    const applyPod = (index, round) =>
      send(APPLY, podPath(index), largePod(index, round), '?fieldManager=bench&force=true');
    await measure('apply a 10 kB Pod, 16 at a time', 696, 800, applyPod);
    await measure('apply it unchanged', 696, 800, (index) => applyPod(index, 'same'));
    const image = (round) => ({
      spec: { containers: [{ name: 'container-main', image: `application:${round}` }] },
    });
    await measure('strategic patch of it', 696, 800, (index, round) =>
      send(STRATEGIC, podPath(index), image(round)),
    );
    await measure('merge patch of it', 696, 800, (index, round) =>
      send(MERGE, podPath(index), { metadata: { annotations: { round } } }),
    );

    const applyDeployment = (index, round) =>
      send(
        APPLY,
        `${DEPLOYMENTS}/many-${index}`,
        deployment(`many-${index}`, round),
        '?fieldManager=bench&force=true',
      );
    await measure('apply 1,000 items of a list by key', undefined, 100, applyDeployment);
  });
}
