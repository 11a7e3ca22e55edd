const maps = '/api/v1/namespaces/${ns}/configmaps';
const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};
const patch = (name, type, body, path = `${maps}/a`) => ({
  name,
  method: 'PATCH',
  path,
  contentType: types[type] ?? type,
  body,
});

export default {
  title: 'Patches of missing objects, of kinds and versions, and members that repeat',
  namespace: true,
  setup: [{ method: 'POST', path: maps, body: { metadata: { name: 'a' }, data: { one: '1' } } }],
  steps: [
    ...Object.keys(types).flatMap((type) => [
      patch(`unreadable ${type} patch of a missing object`, type, 'bad', `${maps}/none`),
      patch(`unreadable ${type} patch`, type, 'bad'),
    ]),
    patch('another media type', 'application/json', '{}'),
    patch('the document by a scalar', 'json', [{ op: 'replace', path: '', value: 5 }]),
    patch('the document by a list', 'json', [{ op: 'replace', path: '', value: [] }]),
    patch('kind in a strategic patch', 'strategic', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      data: { two: '2' },
    }),
    patch('kind in a merge patch', 'merge', { kind: 'Secret' }),
    patch('the order of unknown fields', 'merge', { unknown: 1, metadata: { zzz: 1 }, another: 1 }),
    {
      name: 'repeated objects',
      method: 'POST',
      path: maps,
      body: '{"metadata":{"name":"b","labels":{"a":"1","x":"1"},"no":1,"labels":{"a":"2"}}}',
    },
    {
      name: 'a dry run shows the selfLink',
      method: 'PUT',
      path: `${maps}/a?dryRun=All`,
      body: { metadata: { name: 'a', selfLink: '/x' } },
    },
    {
      name: 'YAML that is not UTF-8',
      method: 'POST',
      path: maps,
      contentType: 'application/yaml',
      body: { base64: Buffer.from('metadata: {name: "\xff"}', 'latin1').toString('base64') },
    },
  ],
};
