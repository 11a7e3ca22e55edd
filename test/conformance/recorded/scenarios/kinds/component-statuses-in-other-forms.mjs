const form = (type, as) => `application/${type};as=${as};g=meta.k8s.io;v=v1`;
const accepts = [
  form('json', 'Table'),
  form('json', 'PartialObjectMetadata'),
  form('yaml', 'PartialObjectMetadataList'),
  form('vnd.kubernetes.protobuf', 'PartialObjectMetadata'),
  form('vnd.kubernetes.protobuf', 'PartialObjectMetadataList'),
];
// The reference lists the components in any order.
const paths = [
  '/api/v1/componentstatuses?fieldSelector=metadata.name%3Detcd-0',
  '/api/v1/componentstatuses?labelSelector=none',
  '/api/v1/componentstatuses/etcd-0',
];
const rows = ['Object', 'None', 'None&labelSelector=none', 'All'].flatMap((included) => [
  `/api/v1/componentstatuses/etcd-0?includeObject=${included}`,
  `${paths[0]}&includeObject=${included}`,
]);

export default {
  title: 'Component statuses as tables and as metadata, which have no storage',
  steps: [
    ...paths.flatMap((path) => accepts.map((accept) => ({ name: `${path} ${accept}`, path, accept }))),
    ...rows.map((path) => ({ name: path, path, accept: accepts[0] })),
  ],
};
