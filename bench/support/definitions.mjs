// Definitions and custom objects used by the measurements.
import { many } from './client.mjs';
import { until } from './measure.mjs';

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const string = { type: 'string' };
const conditions = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: { type: 'string', maxLength: 316 },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: { type: 'string', maxLength: 1024 },
      message: { type: 'string', maxLength: 32768 },
      lastTransitionTime: { type: 'string', format: 'date-time' },
    },
  },
};

/** A definition with defaults, a rule, a status and printer columns. @param index distinguishes definitions */
export function definition(index) {
  const [plural, kind] = [`benches${index}`, `Bench${index}`];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${groupOf(index)}` },
    spec: {
      group: groupOf(index),
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: `${kind} is a kind of the measurements.`,
              properties: {
                spec: {
                  type: 'object',
                  'x-kubernetes-validations': [
                    { rule: 'self.minimum <= self.replicas', message: 'minimum must not exceed replicas' },
                  ],
                  properties: {
                    minimum: { type: 'integer', default: 0 },
                    replicas: { type: 'integer', minimum: 0, maximum: 1000 + index, default: 1 },
                    paused: { type: 'boolean', default: false },
                    settings: { type: 'string', maxLength: 4096 },
                    labels: { type: 'object', additionalProperties: string },
                    ports: {
                      type: 'array',
                      'x-kubernetes-list-type': 'map',
                      'x-kubernetes-list-map-keys': ['name'],
                      items: {
                        type: 'object',
                        required: ['name'],
                        properties: {
                          name: { type: 'string', maxLength: 63 },
                          port: { type: 'integer', minimum: 1, maximum: 65535 },
                          protocol: { type: 'string', enum: ['TCP', 'UDP'], default: 'TCP' },
                        },
                      },
                    },
                  },
                },
                status: { type: 'object', properties: { conditions, observed: { type: 'integer' } } },
              },
            },
          },
        },
      ],
    },
  };
}

/** A definition of 65 kB, most of it descriptions, as published ones are. */
export function largeDefinition(index) {
  const large = definition(index);
  const { spec } = large.spec.versions[0].schema.openAPIV3Schema.properties;
  for (let group = 0; group < 30; group += 1) {
    const fields = Array.from({ length: 12 }, (_, field) => [
      `field${field}`,
      {
        type: field % 3 === 0 ? 'integer' : 'string',
        description: `Field ${field} of group ${group} of definition ${index}, which says in a sentence or two what the field is for, as published definitions do it.`,
      },
    ]);
    spec.properties[`group${group}`] = {
      type: 'object',
      description: `Group ${group} of definition ${index}.`,
      properties: Object.fromEntries(fields),
    };
  }
  return large;
}

const groupOf = (index) => `g${index % 30}.bench.example.com`;

/** Path of the objects of a definition. */
export const objectsOf = (index) => `/apis/${groupOf(index)}/v1/namespaces/default/benches${index}`;

/** An object whose response has as many bytes as that of the ConfigMap of the measurements. */
export const customObject = (index, name) => ({
  apiVersion: `${groupOf(index)}/v1`,
  kind: `Bench${index}`,
  metadata: { name, labels: { app: 'bench' } },
  spec: {
    replicas: 3,
    settings: 'x'.repeat(290),
    ports: [
      { name: 'http', port: 8080 },
      { name: 'metrics', port: 9090 },
    ],
  },
});

/** Creates definitions and waits, with a watch of them, until all are established. */
export async function establish(client, first, count) {
  const missing = new Set(
    Array.from({ length: count }, (_, index) => definition(first + index).metadata.name),
  );
  let rest = '';
  const decoder = new TextDecoder();
  const watch = await client.open(`${DEFINITIONS}?watch=1`, (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { object } = JSON.parse(line);
      if (isEstablished(object)) missing.delete(object.metadata.name);
    }
  });
  await many(count, 16, (index) =>
    client.ask(DEFINITIONS, { method: 'POST', body: JSON.stringify(definition(first + index)) }),
  );
  await until(() => missing.size === 0);
  watch.close();
}

const isEstablished = ({ status }) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True');
