const table = 'as=Table;v=v1;g=meta.k8s.io';
const metadata = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const ranges = [
  'application/*',
  '*',
  '*/*;q=1, application/yaml;q=0.5',
  'application/*, application/yaml;q=0.1',
  '*, application/yaml',
  'application/yaml;q=0.5, application/json;q=0.9 , text/html',
  'application/yaml;q=x, application/json;q=0.1',
  'a, application/yaml, b/c/d',
  `application/vnd.kubernetes.protobuf;${table}, application/json`,
  `application/*;${table}, application/vnd.kubernetes.protobuf`,
  `*/*;${metadata}`,
  `application/yaml;q=0.4;${metadata}, application/json;${table};q=0.6`,
  'application/json;v=v1, application/yaml',
  'application/yaml;stream=watch, application/json;stream=watch',
  'application/json;sv=v2, application/yaml',
  'application/json;pretty=true',
  'application/json;pretty=1',
  'text/html',
  ',',
];
const paths = [
  '/api/v1/namespaces/${ns}',
  '/api/v1/namespaces/none',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?labelSelector=none',
  '/apis/policy',
  '/api/v1?timeout=1m',
];

export default {
  title:
    'Media ranges are tried by quality and by how specific they are; patterns alone are not enough for all paths',
  namespace: true,
  steps: paths.flatMap((path) =>
    ranges.map((accept) => ({
      name: `${path} ${accept}`,
      path,
      accept,
      ignore: ['/resources', '/$yaml/resources', '/columnDefinitions', '/rows/*/cells', '/$protobuf/raw'],
    })),
  ),
};
