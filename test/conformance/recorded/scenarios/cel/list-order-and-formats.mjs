import { CRDS, definition, version } from '../../helpers/definitions.mjs';

const group = 'order-and-formats.cel.example.com';

/** A definition with one property and one failing rule for each text expression. */
const probes = (expressions) => {
  const properties = expressions.map((expression, index) => [
    `x${index}`,
    {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: `${expression} == 'never'`, messageExpression: expression }],
    },
  ]);
  return definition(
    group,
    'Cluster',
    { plural: 'probes', singular: 'probe', kind: 'Probe', listKind: 'ProbeList' },
    version('v1', { type: 'object', properties: Object.fromEntries(properties) }),
  );
};

const formatted = (...expressions) => expressions.map((expression) => `'%s'.format([${expression}])`);

const values = formatted(
  "[1, 'a', true].isSorted()",
  "[1, 'a', true].min()",
  "[1.5, 'a'].max()",
  "[double('NaN'), 1.0].isSorted()",
  '[null].sum()',
  '[dyn(null), 1].max()',
  '[1, null].isSorted()',
  '[1, 2u].sum()',
  "[b'\\000\\x41\"']",
  "['\\u00a0\\u200b\\x01']",
  "[dyn(quantity('1'))]",
  '[dyn(optional.of(1))]',
  "quantity('0.3').asApproximateFloat()",
  "quantity('12345678901234567890').asApproximateFloat()",
  "quantity('9223372036854775807').isInteger()",
  "quantity('9223372036854775807').asInteger()",
  "quantity('0.5').add(quantity('0.5')).isInteger()",
  "timestamp(0).getHours('utc')",
  "timestamp(0).getHours('Europe/Berlin')",
  "timestamp(0).getHours('EUROPE/BERLIN')",
  "timestamp(0).getHours('US/Pacific')",
  "timestamp(0).getHours('/etc/localtime')",
  '[1, 2].all(__result__, __result__ > 0)',
);

const refused = [
  ...formatted("[null, optional.of('a')]", "{ip('::1'): 1}", "[quantity('1').foo]"),
  "ip('::1') != ip('::1') ? 'a' : 'b'",
  'self.true',
  'self.in',
  '[1].map(__result__, k)',
  "ip('::1').foo",
];

export default {
  title: 'Elements without an order, nested formats, decimals, time zones, and errors of names',
  profile: 'expressions',
  steps: [
    {
      name: 'expressions that do not compile',
      method: 'POST',
      path: `${CRDS}?dryRun=All`,
      body: probes(refused),
    },
    {
      name: 'values and errors',
      run: async (ctx) => {
        const created = await ctx.request({ method: 'POST', path: CRDS, body: probes(values) });
        if (created.status !== 201) return { status: created.status, body: created.body };
        const path = `/apis/${group}/v1/probes`;
        await ctx.poll({ path }, (answer) => answer.status === 200);
        const body = {
          apiVersion: `${group}/v1`,
          kind: 'Probe',
          metadata: { name: 'probe' },
          ...Object.fromEntries(values.map((_, index) => [`x${index}`, index])),
        };
        const { status, body: answer } = await ctx.request({ method: 'POST', path, body });
        return { status, causes: answer.details?.causes };
      },
    },
  ],
};
