const maps = '/api/v1/namespaces/${ns}/configmaps';
const token = (value) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const queries = [
  'limit=',
  'limit',
  'limit=9223372036854775808',
  'limit=1%00',
  'timeoutSeconds=',
  'timeout=99999999999999999999',
  'continue=a',
  'continue=false',
  'continue=true',
  `continue=${token('[]')}`,
  `continue=${token('null')}`,
  `continue=${token('{}x')}`,
  `continue=${token({ v: 'meta.k8s.io/v1', rv: '1', start: 'a' })}`,
  `limit=1&continue=${token({ V: 'meta.k8s.io/v1', RV: -1, Start: 'a' })}`,
  'labelSelector=%00',
  'labelSelector=a%3E-1',
  'labelSelector=a%20in%20(-,_)',
  'resourceVersion=0&resourceVersionMatch=Exact&limit=',
];

export default {
  title: 'Query values that are empty, out of range or malformed, and tokens that are no tokens',
  namespace: true,
  setup: [{ method: 'POST', path: maps, body: { metadata: { name: 'a', labels: { a: '1' } } } }],
  steps: [
    ...queries.map((query) => ({ name: query.slice(0, 60), path: `${maps}?${query}` })),
    ...['', '=0', '=true'].map((value) => ({ name: `export${value}`, path: `${maps}/a?export${value}` })),
    ...['%2e%2e', 'a%25b'].map((name) => ({ name: `the name ${name}`, path: `${maps}/${name}` })),
    {
      name: 'component statuses with selectors',
      path: '/api/v1/componentstatuses?fieldSelector=metadata.name%3Dnone',
    },
    {
      name: 'component statuses with an unknown field',
      path: '/api/v1/componentstatuses?fieldSelector=a%3Db',
    },
  ],
};
