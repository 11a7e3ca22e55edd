import { patch as patchRequest, post, put } from '../../helpers/requests.mjs';

const deployments = '/apis/apps/v1/namespaces/${ns}/deployments';
const accounts = '/api/v1/namespaces/${ns}/serviceaccounts';

const keep = { managedFields: 'keep' };
const patch = (...parameters) => ({ ...patchRequest(...parameters), ...keep });
const get = (name, path) => ({ name, path, ...keep });
const apply = (name, path, body, manager = 'one', force = true) => ({
  name,
  method: 'PATCH',
  path: `${path}?fieldManager=${manager}&force=${force}`,
  contentType: 'application/apply-patch+yaml',
  body,
  ...keep,
});

const labels = { app: 'web' };
const deployment = {
  metadata: { name: 'd' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const scale = (replicas) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'd' },
  ...(replicas === undefined ? {} : { spec: { replicas } }),
});
const path = `${deployments}/d`;
const scalePath = `${path}/scale`;
const shown = (step, note) => [step, get(`${note}: the deployment`, path)];
const account = (secrets) => ({ apiVersion: 'v1', kind: 'ServiceAccount', secrets });
const conditions = (type) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  status: { conditions: [{ ...type, status: 'True' }] },
});

export default {
  title: 'Owners of scales, of list items without their key and with null as key',
  namespace: true,
  steps: [
    post('a deployment', deployments, deployment),
    ...shown(patch('a scale patch without changes', scalePath, {}), 'the replicas have their own entry'),
    ...shown(patch('the same replicas', scalePath, { spec: { replicas: 2 } }), 'the entry is gone'),
    ...shown(patch('other replicas', scalePath, { spec: { replicas: 3 } }), 'still none'),
    ...shown(put('a Scale', scalePath, scale(4)), 'a replaced Scale'),
    ...shown(apply('replicas as they are', scalePath, scale(4)), 'the applier and the first owner'),
    apply('other replicas without force', scalePath, scale(5), 'two', false),
    ...shown(apply('other replicas', scalePath, scale(5), 'two'), 'the applier alone'),
    ...shown(apply('no replicas', scalePath, scale(), 'two'), 'nobody owns replicas that are gone'),
    ...shown(patch('replicas of the deployment', path, { spec: { replicas: 6 } }), 'an owner of the field'),
    ...shown(apply('taken from the field', scalePath, scale(7), 'two'), 'taken from the field'),
    apply('a null key', `${path}/status`, conditions({ type: null }), 'three'),
    patch('the key of the stored item', `${path}/status`, conditions({ type: '' })),
    apply('another key', `${path}/status`, conditions({ type: 'X' }), 'three'),
    {
      ...post('secrets without names', accounts, { metadata: { name: 's' }, secrets: [{ name: 'a' }, {}] }),
      ...keep,
    },
    apply('applied where owners are unknown', `${accounts}/s`, account([{ name: 'b' }])),
    patch('all named again', `${accounts}/s`, { secrets: [{ name: 'a' }] }),
    apply('applied by name', `${accounts}/s`, account([{ name: 'b' }])),
    patch('one without name', `${accounts}/s`, { secrets: [{ name: 'a' }, { kind: 'Secret' }] }),
    apply('a new account without names', `${accounts}/t`, account([{}])),
  ],
};
