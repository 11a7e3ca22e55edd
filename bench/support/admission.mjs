// Requests to create a pod for an admission chain without a server.

/** The modules that {@link podCreations} needs, for importBundled. */
export const ADMISSION_MODULES = `
export { createAdmissionChain } from './src/admission/chain.ts';
export { AdmissionAttempt } from './src/operations/admission-request.ts';
export { singleKind } from './src/operations/admitted-kind.ts';
export { builtinSchema } from './src/resources/object-schema.ts';
`;

export const POD_KIND = { group: '', version: 'v1', kind: 'Pod' };
export const PODS = { group: '', version: 'v1', resource: 'pods' };

const POD = {
  metadata: {
    name: 'web-7d4b9c6f5-x2x9k',
    namespace: 'n',
    labels: { app: 'web', team: 'red', 'pod-template-hash': '7d4b9c6f5' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-7d4b9c6f5', uid: 'u' }],
  },
  spec: {
    containers: ['web', 'proxy'].map((name) => ({
      name,
      image: `registry.example.com/${name}:1.2.3`,
      ports: [{ containerPort: 8080, protocol: 'TCP' }],
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
      securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
      volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets' }],
    })),
    serviceAccountName: 'default',
    volumes: [{ name: 'token', projected: { sources: [] } }],
  },
};

/** Returns a function that creates requests to create a pod. */
export function podCreations({ AdmissionAttempt, singleKind, builtinSchema }) {
  const admitted = singleKind(POD_KIND, builtinSchema('', 'v1', 'Pod'));
  const user = { name: 'u', uid: '', groups: ['g'], extra: new Map() };
  const { signal } = new AbortController();
  return () =>
    new AdmissionAttempt({
      request: {
        user,
        deadline: Infinity,
        warnings: new Set(),
        annotations: new Map(),
        exchange: { signal },
      },
      admitted,
      operation: 'CREATE',
      resource: PODS,
      subresource: '',
      namespace: 'n',
      name: POD.metadata.name,
      dryRun: false,
      object: POD,
      oldObject: undefined,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
    });
}
