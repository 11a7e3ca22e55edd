// Definitions and custom objects used by the measurements.
import { setTimeout } from 'node:timers/promises';
import { many } from './client.mjs';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

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

/** Creates definitions and waits until all are established, with a list now and then. */
export async function establish(client, first, count) {
  await many(count, 16, (index) =>
    client.ask(DEFINITIONS, { method: 'POST', body: JSON.stringify(definition(first + index)) }),
  );
  for (;;) {
    const { body } = await client.ask(DEFINITIONS, { keep: true });
    const { items } = JSON.parse(body);
    if (items.length >= first + count && items.every(isEstablished)) return;
    await setTimeout(20);
  }
}

const isEstablished = ({ status }) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True');
