// The CEL engine alone: compilation and evaluation, with cost accounting, of a rule with two comparisons, and
// of loops over 20, 500 and 100 by 100 elements. The expressions have the same cost as those measured with
// kube-apiserver.
import { summary } from '../support/measure.mjs';

const ROUNDS = 5;
const ROUND_MILLISECONDS = 250;

const numbered = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `name-${index}`,
    value: index + 1,
    tags: ['a', 'b'],
  }));
/**
 * Rows: name, expression, its `self.spec`, its cost, and the minimum evaluations per second: three times
 * those of kube-apiserver.
 */
const EXPRESSIONS = [
  ['two comparisons', 'self.spec.replicas >= 0 && self.spec.replicas <= 5', { replicas: 3 }, 8, 600_000],
  [
    'all of 20, nested',
    'self.spec.items.all(x, x.value > 0 && x.tags.all(t, t != ""))',
    { items: numbered(20) },
    344,
    80_000,
  ],
  [
    'all of 500',
    'self.spec.items.all(x, x.value > 0 && x.name != "")',
    { items: numbered(500) },
    4_004,
    6_000,
  ],
  [
    'all of 100 by 100',
    'self.spec.items.all(x, self.spec.items.exists_one(y, x.name == y.name))',
    { items: numbered(100) },
    51_004,
    450,
  ],
];
const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              value: { type: 'integer' },
              tags: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      },
    },
  },
};

/** Operations per second of CPU time, in several rounds after a warm-up round. */
function rate(action) {
  const rates = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const end = performance.now() + ROUND_MILLISECONDS;
    const before = process.cpuUsage();
    let count = 0;
    for (; performance.now() < end; count += 1) action();
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) rates.push((count / (user + system)) * 1_000_000);
  }
  return summary(rates);
}

export default async function cel(table) {
  const {
    compile,
    declarationsOf,
    declareSchema,
    plan,
    typeSchemaOf,
    valueOfJson,
    valueOfSchema,
    valueSchemaOf,
  } = await import('../../dist/cel.js');
  const declarations = declarationsOf('new', {
    variables: new Map([['self', declareSchema(typeSchemaOf(SCHEMA), 'self').type]]),
  });
  const values = valueSchemaOf(SCHEMA);
  for (const [name, expression, spec, expected, least] of EXPRESSIONS) {
    const self = { spec };
    const program = plan(compile(expression, declarations));
    const evaluate = (value) => program.evaluate(new Map([['self', value]]), { limit: 1_000_000 });
    const evaluation = evaluate(valueOfSchema(self, values));
    if (evaluation.value !== true || evaluation.cost !== expected)
      throw new Error(`${expression}: ${JSON.stringify(evaluation)}`);
    table.row(
      `compile ${name}`,
      rate(() => plan(compile(expression, declarations))),
      'per second',
    );
    const held = valueOfSchema(self, values);
    for (const [what, value] of [
      ['values as a rule sees them, recreated', () => valueOfSchema(self, values)],
      ['values as a rule sees them', () => held],
      ['plain', () => valueOfJson(self)],
    ]) {
      table.row(
        `evaluate ${name}, ${what}`,
        rate(() => evaluate(value())),
        'per second',
      );
    }
    table.note('', `cost ${expected}; at least ${least.toLocaleString('en-US')} evaluations`);
  }
}
