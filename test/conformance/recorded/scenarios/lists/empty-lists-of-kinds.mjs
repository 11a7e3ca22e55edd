const forms = ['Table', 'PartialObjectMetadataList'].map(
  (as) => `application/json;as=${as};g=meta.k8s.io;v=v1`,
);
const namespaced = [
  '/api/v1/namespaces/none/limitranges',
  '/api/v1/namespaces/none/pods',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/none/roles',
  '/apis/storage.k8s.io/v1/namespaces/none/csistoragecapacities',
  '/apis/apps/v1/namespaces/none/controllerrevisions',
];
const others = [
  '/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=none',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?labelSelector=none',
  '/apis/apiregistration.k8s.io/v1/apiservices?labelSelector=none',
];

export default {
  title: 'Empty lists as tables and as metadata: rows that are null and rows that are none',
  steps: [...namespaced, ...others].flatMap((path) =>
    [...forms, 'application/yaml;as=Table;g=meta.k8s.io;v=v1'].map((accept) => ({
      name: `${path} ${accept}`,
      path,
      accept,
    })),
  ),
};
