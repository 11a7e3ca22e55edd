import { patch, post, put } from '../../helpers/requests.mjs';

const spaces = '/api/v1/namespaces';
const volumes = '/api/v1/persistentvolumes';
const finalizers = ['example.com/stay'];
const remove = (name, path) => ({ name, method: 'DELETE', path });
const get = (name, path) => ({ name, path });

export default {
  title: 'Finalizers of deletions that do not begin there, and updates that end a deletion',
  steps: [
    post('a namespace', spaces, { metadata: { name: 'second-a' } }),
    remove('not orphaned', `${spaces}/second-a?orphanDependents=false`),
    post('another namespace', spaces, { metadata: { name: 'second-b' } }),
    put('finalized before its deletion', `${spaces}/second-b/finalize`, {
      metadata: { name: 'second-b' },
      spec: { finalizers: [] },
    }),
    remove('the deletion', `${spaces}/second-b`),
    patch('an update that changes nothing', `${spaces}/second-b`, {}),
    get('it is gone', `${spaces}/second-b`),
    post('a volume', volumes, {
      metadata: { name: 'second-deletions', finalizers },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
    }),
    remove('the volume', `${volumes}/second-deletions`),
    patch('a further finalizer', `${volumes}/second-deletions`, {
      metadata: { finalizers: [...finalizers, 'example.com/b'] },
    }),
    patch('no finalizer', `${volumes}/second-deletions`, { metadata: { finalizers: null } }),
  ],
};
