import { post } from '../../helpers/requests.mjs';

const namespaced = (group, resource) => `${group}/namespaces/\${ns}/${resource}`;
const core = (resource) => namespaced('/api/v1', resource);
const bodies = [
  [core('configmaps'), { metadata: { uid: 5 } }],
  [core('configmaps'), { metadata: { ownerReferences: [{ uid: {} }] } }],
  [core('configmaps'), { metadata: { managedFields: [{ operation: 5 }] } }],
  [core('pods'), { spec: { restartPolicy: 5 } }],
  [core('pods'), { spec: { containers: [{ ports: [{ protocol: true }] }] } }],
  [core('pods'), { spec: { containers: [{ securityContext: { capabilities: { add: [5] } } }] } }],
  [core('pods'), { spec: { containers: [{ securityContext: { capabilities: { add: 5 } } }] } }],
  [core('pods'), { spec: { volumes: [{ hostPath: { type: [] } }] } }],
  [core('services'), { spec: { ipFamilies: [5] } }],
  [core('services'), { spec: { ipFamilyPolicy: 5 } }],
  [core('persistentvolumeclaims'), { spec: { accessModes: 'x' } }],
  [
    namespaced('/apis/apps/v1', 'deployments'),
    { spec: { selector: { matchExpressions: [{ operator: 5 }] } } },
  ],
  [namespaced('/apis/autoscaling/v2', 'horizontalpodautoscalers'), { spec: { metrics: [{ type: 5 }] } }],
  [
    namespaced('/apis/autoscaling/v2', 'horizontalpodautoscalers'),
    { spec: { metrics: [{ resource: { name: 5 } }] } },
  ],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', { spec: { extra: { a: 5 } } }],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', { spec: { extra: { a: [5] } } }],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests', { spec: { usages: 5 } }],
  [
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    { webhooks: [{ rules: [{ scope: 5 }] }] },
  ],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { spec: { scope: 5 } }],
];

export default {
  title: 'An error of decoding names the Go type of the field',
  namespace: true,
  steps: bodies.map(([path, body]) => post(`${path.split('/').pop()} ${JSON.stringify(body)}`, path, body)),
};
