// The expression engine by itself, as programs use it: compiling and planning, and evaluating with its cost counted, of a rule of two comparisons, of loops over
// 20, 500 and 100 by 100 elements.
import { summary } from '../support/measure.mjs';

const ROUNDS = 5;
const ROUND_MILLISECONDS = 500;

const numbered = (count) => Array.from({ length: count }, (_, index) => ({ name: `name-${index}`, value: index + 1, tags: ['a', 'b'] }));
/** By what a row is called: the expression, its `self`, and the fewest evaluations a second: three times what the reference makes. */
const EXPRESSIONS = [
  ['two comparisons', 'self.replicas >= 0 && self.replicas <= self.most', { replicas: 3, most: 5 }, 600_000],
  ['all of 20, nested', 'self.items.all(x, x.value > 0 && x.tags.all(t, t != ""))', { items: numbered(20) }, 80_000],
  ['all of 500', 'self.items.all(x, x.value > self.least)', { items: numbered(500), least: 0 }, 6_000],
  ['all of 100 by 100', 'self.items.all(x, self.items.exists_one(y, x.name == y.name))', { items: numbered(100) }, 450],
];
const SCHEMA = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    most: { type: 'integer' },
    least: { type: 'integer' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, value: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
};

/** How often an action can be done in a second of the processor's time, in several rounds after one unmeasured. */
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
  const { compile, declarationsOf, declareSchema, plan, typeSchemaOf, valueOfSchema, valueSchemaOf } = await import('../../dist/cel.js');
  const declarations = declarationsOf('new', { variables: new Map([['self', declareSchema(typeSchemaOf(SCHEMA), 'self').type]]) });
  const values = valueSchemaOf(SCHEMA);
  for (const [name, expression, self, least] of EXPRESSIONS) {
    const bindings = new Map([['self', valueOfSchema(self, values)]]);
    const program = plan(compile(expression, declarations));
    const { value, cost } = program.evaluate(bindings);
    if (value !== true) throw new Error(`${expression} is not true`);
    table.row(
      `compile ${name}`,
      rate(() => plan(compile(expression, declarations))),
      'a second',
    );
    table.row(
      `evaluate ${name}, cost ${cost}`,
      rate(() => program.evaluate(bindings, { limit: 1_000_000 })),
      'a second',
    );
    table.note('', `at least ${least.toLocaleString('en-US')} evaluations`);
  }
}
