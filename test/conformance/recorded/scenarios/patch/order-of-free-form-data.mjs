import { patch, post } from '../../helpers/requests.mjs';

const revisions = '/apis/apps/v1/namespaces/${ns}/controllerrevisions';
const data = { b: 1, a: { d: [{ z: 1, y: 2 }], c: 3 } };
const json = (name, ...operations) => patch(name, `${revisions}/r`, operations, 'json');
const merge = (name, body) => patch(name, `${revisions}/r`, body);

export default {
  title: 'Immutable data that a patch leaves, reads, repeats and encodes again',
  namespace: true,
  setup: [post('a revision', revisions, { metadata: { name: 'r' }, revision: 1, data })],
  steps: [
    json('a member beside it', { op: 'replace', path: '/revision', value: 2 }),
    json('the same data', { op: 'replace', path: '/data', value: data }),
    json('the same data in another order', { op: 'replace', path: '/data', value: { a: data.a, b: 1 } }),
    json('a copy of itself', { op: 'copy', from: '/data', path: '/data' }),
    json('a member of it again', { op: 'replace', path: '/data/b', value: 1 }),
    json('a test of a scalar in it', { op: 'test', path: '/data/b', value: 1 }),
    json('a test of an object in it', { op: 'test', path: '/data/a', value: data.a }),
    json('a copy out of it', { op: 'copy', from: '/data/a/c', path: '/revision' }),
    merge('a merge patch beside it', { revision: 4 }),
    merge('its members merged', { data }),
    merge('no members merged', { data: {} }),
    patch('a strategic patch beside it', `${revisions}/r`, { revision: 5 }, 'strategic-merge'),
    {
      name: 'a configuration with a scalar',
      method: 'PATCH',
      path: `${revisions}/s?fieldManager=m`,
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: { name: 's' },
        revision: 1,
        data: 'x',
      },
    },
  ],
};
