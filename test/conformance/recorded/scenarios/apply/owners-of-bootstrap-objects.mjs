const GROUPS = {
  rbac: '/apis/rbac.authorization.k8s.io/v1',
  flow: '/apis/flowcontrol.apiserver.k8s.io/v1',
};
const objects = [
  '/api/v1/namespaces/default',
  '/api/v1/namespaces/default/services/kubernetes',
  '/api/v1/namespaces/default/endpoints/kubernetes',
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
  '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking',
  '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps',
  '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
  `${GROUPS.rbac}/clusterroles/edit`,
  `${GROUPS.rbac}/clusterrolebindings/system:basic-user`,
  `${GROUPS.rbac}/namespaces/kube-system/roles/extension-apiserver-authentication-reader`,
  `${GROUPS.rbac}/namespaces/kube-system/rolebindings/system::leader-locking-kube-scheduler`,
  `${GROUPS.flow}/prioritylevelconfigurations/workload-low`,
  `${GROUPS.flow}/flowschemas/probes`,
];

export default {
  title: 'The server owns the fields of the objects that it creates at start',
  steps: [
    {
      name: 'the endpoints exist, which are created last',
      run: async ({ request }) => {
        for (;;) {
          const { status } = await request({ path: objects[3] });
          if (status !== 404) return status;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      },
    },
    ...objects.map((path) => ({
      name: path,
      path,
      managedFields: 'keep',
      ignore: ['/data', '/rules', '/ports', '/spec/ports', '/subsets'],
    })),
    {
      name: 'an apply conflicts with the server',
      method: 'PATCH',
      path: '/api/v1/namespaces/default?fieldManager=other',
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'default', labels: { 'kubernetes.io/metadata.name': 'other' } },
      },
    },
  ],
};
