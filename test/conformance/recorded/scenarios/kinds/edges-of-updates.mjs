import { patch, post, put } from '../../helpers/requests.mjs';

const apps = '/apis/apps/v1/namespaces/${ns}';
const services = '/api/v1/namespaces/${ns}/services';
const policies = '/apis/networking.k8s.io/v1/namespaces/${ns}/networkpolicies';

const labels = { app: 'web' };
const workload = (name, annotations) => ({
  metadata: { name, annotations },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
/** Steps that write an annotation which stands for a field. */
const annotated = (plural, annotation) => [
  post(`${plural}`, `${apps}/${plural}`, workload('w')),
  ...[
    ['text', 'x'],
    ['plus', '+4'],
    ['zeros', '007'],
    ['negative', '-3'],
    ['large', '9223372036854775808'],
  ].flatMap(([word, value]) => [
    post(`${plural}: ${word}`, `${apps}/${plural}`, workload(`w-${word}`, { [annotation]: value })),
    patch(`${plural}: patched, ${word}`, `${apps}/${plural}/w`, {
      metadata: { annotations: { [annotation]: value } },
    }),
    put(`${plural}: status, ${word}`, `${apps}/${plural}/w/status`, workload('w', { [annotation]: value })),
  ]),
];
const service = (name, ...ports) => ({ metadata: { name }, spec: { type: 'NodePort', ports } });
const port = (name, number, nodePort, protocol = 'TCP') => ({
  name,
  port: number,
  protocol,
  ...(nodePort === undefined ? {} : { nodePort }),
});
const policy = (podSelector) => ({ spec: { podSelector } });

export default {
  title: 'Annotations that stand for fields, shared node ports, generations of empty maps',
  namespace: true,
  steps: [
    ...annotated('daemonsets', 'deprecated.daemonset.template.generation'),
    ...annotated('deployments', 'deprecated.deployment.rollback.to'),
    post('one node port for two ports', services, service('a', port('x', 1, 31990), port('y', 2, 31990))),
    post('and two protocols', services, service('b', port('x', 1, 31991), port('y', 2, 31991, 'UDP'))),
    post('two protocols of a port', services, service('dns', port('x', 53), port('y', 53, undefined, 'UDP'))),
    {
      ...patch('keep their node port', `${services}/dns`, {
        spec: { ports: [port('x', 53), port('y', 53, undefined, 'UDP')] },
      }),
      save: { shared: '/spec/ports/0/nodePort' },
    },
    post('a policy', policies, { metadata: { name: 'p' }, ...policy({}) }),
    patch('the same selector', `${policies}/p`, policy({})),
    patch('an empty map', `${policies}/p`, policy({ matchLabels: {} })),
    patch('an empty map again', `${policies}/p`, policy({ matchLabels: {} })),
    patch('an empty list', `${policies}/p`, policy({ matchExpressions: [] })),
  ],
};
