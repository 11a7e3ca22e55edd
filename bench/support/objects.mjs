// Objects used by the measurements.

export const NAMESPACE = 'default';
export const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
export const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

/** A Pod of about 4 kB in the JSON response, managed fields and defaults included. */
export function pod(index) {
  const name = `pod-${String(index).padStart(5, '0')}`;
  const container = (suffix) => ({
    name: `container-${suffix}`,
    image: `registry.example.com/team/application-${suffix}:1.${index}.0`,
    command: ['/usr/local/bin/application', '--listen=0.0.0.0:8080', `--instance=${name}`],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: Array.from({ length: 4 }, (_, number) => ({
      name: `SETTING_${number}`,
      value: `the value of setting number ${number}`,
    })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 10 },
    volumeMounts: [{ name: 'settings', mountPath: '/etc/application', readOnly: true }],
  });
  return {
    metadata: {
      name,
      labels: { app: 'application', slot: String(index % 100), 'app.kubernetes.io/managed-by': 'bench' },
      annotations: { 'example.com/checksum': 'c'.repeat(64), 'example.com/description': 'd'.repeat(200) },
    },
    spec: {
      containers: [container('main')],
      volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
      nodeSelector: { 'kubernetes.io/os': 'linux' },
    },
  };
}

/** A ConfigMap of about 1 kB. */
export function configMap(name, filler = 'x') {
  return { metadata: { name, labels: { app: 'bench' } }, data: { settings: filler.repeat(700) } };
}

/** Grants users read access to Pods with RBAC. */
export async function grantReader(client, users = ['reader']) {
  const api = '/apis/rbac.authorization.k8s.io/v1';
  const role = {
    metadata: { name: 'bench-reader' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
  };
  const subjects = users.map((name) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }));
  const binding = {
    metadata: { name: 'bench-reader' },
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'bench-reader' },
  };
  await client.ask(`${api}/clusterroles`, { method: 'POST', body: JSON.stringify(role) });
  await client.ask(`${api}/clusterrolebindings`, { method: 'POST', body: JSON.stringify(binding) });
}
