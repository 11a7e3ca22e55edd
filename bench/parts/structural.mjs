// Custom objects and their structural schemas alone: what a create of a 1 kB object does (pruning, defaults,
// validation), an update with ratcheting, and the longest step with a large object.
import { importBundled } from '../support/bundle.mjs';
import { summary } from '../support/measure.mjs';

const ROUNDS = 5;
const OBJECTS = 4000;
const string = { type: 'string' };

const listOf = (items, keys) => ({
  type: 'array',
  items,
  ...(keys === undefined ? {} : { listType: 'map', listMapKeys: keys }),
});
const object = (properties, more = {}) => ({
  type: 'object',
  properties: new Map(Object.entries(properties)),
  ...more,
});
const SCHEMA = object({
  spec: object(
    {
      replicas: { type: 'integer', minimum: 0, default: 1 },
      paused: { type: 'boolean', default: false },
      items: listOf(
        object(
          {
            name: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
            value: { type: 'integer', minimum: 0 },
            protocol: { type: 'string', enum: ['TCP', 'UDP'], default: 'TCP' },
            tags: { type: 'array', listType: 'set', items: string },
            limits: object(
              { cpu: { isIntOrString: true }, memory: { isIntOrString: true } },
              { anyOf: [{ required: ['cpu'] }, { required: ['memory'] }] },
            ),
          },
          { required: ['name'] },
        ),
        ['name'],
      ),
      labels: { type: 'object', additionalProperties: string },
    },
    { required: ['items'] },
  ),
});
const objectOf = (items) => ({
  apiVersion: 'example.test/v1',
  kind: 'Example',
  metadata: { name: 'one' },
  spec: {
    replicas: 3,
    unknown: 1,
    labels: { a: 'x', b: 'y' },
    items: Array.from({ length: items }, (_, index) => ({
      name: `name-${index}`,
      value: index,
      tags: ['a', 'b'],
      limits: { cpu: 1, memory: '1Gi' },
    })),
  },
});

/** Microseconds of CPU per value, in several rounds after a warm-up round. */
function cost(make, action) {
  const costs = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const values = Array.from({ length: OBJECTS }, make);
    const before = process.cpuUsage();
    for (const value of values) action(value);
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) costs.push((user + system) / OBJECTS);
  }
  return summary(costs);
}

/** CPU milliseconds of the longest step. */
function longest(steps) {
  for (let most = 0; ; ) {
    const before = process.cpuUsage();
    const { done } = steps.next();
    const { user, system } = process.cpuUsage(before);
    most = Math.max(most, (user + system) / 1000);
    if (done) return most;
  }
}

export default async function structural(table) {
  const { copyJson, runNow, Structure } = await importBundled(`
    export * from './src/schema/structural/index.ts';
    export { runNow } from './src/steps/run.ts';
  `);
  const structure = new Structure(SCHEMA);
  const small = objectOf(12);
  const clean = copyJson(small);
  runNow(structure.prune(clean, { isObject: true }));
  runNow(structure.setDefaults(clean, { isObject: true }));
  if (runNow(structure.validate(clean)).length > 0) throw new Error('the object must be valid');
  const check = (value, old) => {
    runNow(structure.prune(value, { isObject: true }));
    runNow(structure.setDefaults(value, { isObject: true }));
    runNow(structure.validate(value, { old }));
    runNow(structure.validateLists(value, { old }));
    runNow(structure.embeddedResources(value));
  };
  const size = JSON.stringify(small).length;
  table.row(
    `create of ${size} bytes`,
    cost(
      () => copyJson(small),
      (value) => check(value),
    ),
    'µs',
    30,
  );
  table.row(
    'update of it',
    cost(
      () => copyJson(small),
      (value) => check(value, clean),
    ),
    'µs',
    40,
  );

  const steps = (act) => summary(Array.from({ length: ROUNDS }, () => longest(act(objectOf(12_000)))));
  table.row(
    'longest step of pruning 12,000 items',
    steps((value) => structure.prune(value)),
    'ms',
    50,
  );
  table.row(
    'longest step of defaults',
    steps((value) => structure.setDefaults(value)),
    'ms',
    50,
  );
  table.row(
    'longest step of validation',
    steps((value) => structure.validate(value)),
    'ms',
    50,
  );
  table.row(
    'longest step of list types',
    steps((value) => structure.validateLists(value)),
    'ms',
    50,
  );
  const faulty = (value) => {
    for (const item of value.spec.items) item.value = -1;
    return structure.validate(value, { old: copyJson(value) });
  };
  table.row('longest step of ratcheting', steps(faulty), 'ms', 50);
}
