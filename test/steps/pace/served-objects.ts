import type { WebhookServer } from '../../support/webhook-server.ts';

/** The groups of custom kinds: without a converter and with one. */
export const GROUPS = ['plain.example.com', 'hooked.example.com'];

const RULES = [
  {
    rule: 'self.all(x, x > 0)',
    messageExpression: 'self.size() > 2 ? "many" : "few"',
    reason: 'FieldValueForbidden',
  },
];
const SCHEMA = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', default: 1, maximum: 9 },
        sizes: { type: 'array', maxItems: 9, items: { type: 'integer' }, 'x-kubernetes-validations': RULES },
        tags: {
          type: 'array',
          items: { type: 'string', pattern: '^[a-z]+$' },
          'x-kubernetes-list-type': 'set',
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, phase: { type: 'string' } } },
  },
};

const version = (name: string): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: SCHEMA },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  additionalPrinterColumns: [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }],
});

/** Definitions of custom kinds with two versions, one for each group. */
export const definitionsWith = ({ url, caBundle }: WebhookServer): object[] =>
  GROUPS.map((group) => ({
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [version('v1'), version('v2')],
      conversion:
        group === 'plain.example.com'
          ? { strategy: 'None' }
          : {
              strategy: 'Webhook',
              webhook: {
                conversionReviewVersions: ['v1'],
                clientConfig: { url: `${url}/convert`, caBundle },
              },
            },
    },
  }));

const ADMISSION = '/apis/admissionregistration.k8s.io';
const rules = (...resources: string[]): object => ({
  resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources }],
  namespaceSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
});

/** The path of a validating policy, whose expressions are type-checked. */
export const VALIDATING_POLICY = `${ADMISSION}/v1/validatingadmissionpolicies/checking`;

/** The paths and bodies of policies and their bindings. */
export const POLICIES: readonly (readonly [string, object])[] = [
  [
    `${ADMISSION}/v1/validatingadmissionpolicies`,
    {
      metadata: { name: 'checking' },
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: rules('configmaps', 'widgets', 'deployments'),
        matchConditions: [{ name: 'named', expression: "!object.metadata.name.startsWith('skipped')" }],
        variables: [{ name: 'text', expression: "'checked ' + object.metadata.name" }],
        validations: [
          {
            expression: "variables.text.endsWith('never')",
            messageExpression: "variables.text + ' ' + params.data.a",
          },
          { expression: 'object.spec.replicas < 3', message: 'many' },
        ],
        auditAnnotations: [{ key: 'text', valueExpression: 'variables.text' }],
      },
    },
  ],
  [
    `${ADMISSION}/v1/validatingadmissionpolicybindings`,
    {
      metadata: { name: 'checking' },
      spec: {
        policyName: 'checking',
        paramRef: { name: 'parameters', namespace: 'kube-public', parameterNotFoundAction: 'Deny' },
        validationActions: ['Warn', 'Audit'],
      },
    },
  ],
  [
    `${ADMISSION}/v1alpha1/mutatingadmissionpolicies`,
    {
      metadata: { name: 'changing' },
      spec: {
        reinvocationPolicy: 'IfNeeded',
        matchConstraints: rules('configmaps', 'widgets'),
        matchConditions: [{ name: 'named', expression: "!object.metadata.name.startsWith('skipped')" }],
        variables: [{ name: 'label', expression: "'yes'" }],
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: {
              expression: 'Object{metadata: Object.metadata{labels: {"mutated": variables.label}}}',
            },
          },
          {
            patchType: 'JSONPatch',
            jsonPatch: {
              expression:
                '[JSONPatch{op: "add", path: "/metadata/labels/second", value: object.metadata.name}]',
            },
          },
        ],
      },
    },
  ],
  [
    `${ADMISSION}/v1alpha1/mutatingadmissionpolicybindings`,
    { metadata: { name: 'changing' }, spec: { policyName: 'changing' } },
  ],
];

const metadata = (name: string): object => ({
  name,
  labels: { a: '1', __proto__: '<' },
  annotations: { text: 'two words\n'.repeat(3) },
});

/** The path and body of the parameters of the policies, which no other request reads. */
export const PARAMETERS: readonly [string, object] = [
  '/api/v1/namespaces/kube-public/configmaps',
  { metadata: { name: 'parameters' }, data: { a: 'parameter' } },
];

export const configMaps: readonly object[] = [
  { metadata: metadata('a'), data: { a: 'é<>&', b: '', 'c.d': '1'.repeat(200) }, binaryData: { e: 'AAEC' } },
  { metadata: metadata('skipped'), immutable: true },
  { metadata: metadata('Wrong'), data: { '/': 1 }, unknown: true },
];

export const deployments: readonly object[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata('a'),
    spec: {
      replicas: 2,
      selector: { matchLabels: { a: '1' } },
      template: {
        metadata: { labels: { a: '1' } },
        spec: {
          containers: ['a', 'b', 'c'].map((name) => ({
            name,
            image: name,
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            resources: { requests: { cpu: '0.5', memory: '1Gi' } },
          })),
        },
      },
    },
  },
  { metadata: metadata('b'), spec: { replicas: -1, template: { spec: { containers: [{ name: 'A' }] } } } },
];

/** Custom objects without their version, valid and not. */
export const customObjects: readonly object[] = [
  {
    kind: 'Widget',
    metadata: metadata('a'),
    spec: {
      sizes: [1, 2, 3],
      tags: ['a', 'b'],
      free: { '-0': -0, big: 1e21, list: [1.5, null, 'x'] },
      dropped: 1,
    },
  },
  {
    kind: 'Widget',
    metadata: metadata('skipped-b'),
    spec: { replicas: 10, sizes: [0], tags: ['a', 'a', 'B'] },
  },
  { kind: 'Widget', metadata: metadata('skipped'), spec: {} },
];
