const maps = '/api/v1/namespaces/${ns}/configmaps';
const pods = '/api/v1/namespaces/${ns}/pods';
const events = '/api/v1/namespaces/${ns}/events';
const leases = '/apis/coordination.k8s.io/v1/namespaces/${ns}/leases';
const remove = (name, path, extra) => ({ name, method: 'DELETE', path, ...extra });
const spec = { containers: [{ name: 'c', image: 'i' }] };

export default {
  title:
    'Preconditions in the query and for collections; kinds whose deletion shows a mark or has no dependents',
  namespace: true,
  setup: [
    ...['a', 'b'].map((name) => ({ method: 'POST', path: maps, body: { metadata: { name } } })),
    { method: 'POST', path: pods, body: { metadata: { name: 'p' }, spec } },
    { method: 'POST', path: pods, body: { metadata: { name: 'q' }, spec } },
    {
      method: 'POST',
      path: events,
      body: { metadata: { name: 'e' }, involvedObject: { namespace: '${ns}' } },
    },
    {
      method: 'POST',
      path: '/apis/batch/v1/namespaces/${ns}/jobs',
      body: { metadata: { name: 'j' }, spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } },
    },
    { method: 'POST', path: leases, body: { metadata: { name: 'l' } } },
    { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: '${ns}-2' } } },
  ],
  steps: [
    remove('a lease with a wrong uid', `${leases}/l?uid=x`),
    remove('a lease with a wrong version', `${leases}/l?resourceVersion=1`),
    remove('a namespace with a wrong uid', '/api/v1/namespaces/${ns}-2?uid=x'),
    remove('a namespace with a wrong version', '/api/v1/namespaces/${ns}-2?resourceVersion=1'),
    remove('a wrong uid', `${maps}/a?uid=x`),
    remove('a wrong version', `${maps}/a?resourceVersion=1`),
    remove('an empty policy', `${maps}/a?propagationPolicy=`),
    remove('an empty grace period', `${maps}/a?gracePeriodSeconds=`),
    remove('a grace period out of range', `${maps}/a?gracePeriodSeconds=9999999999999999999`),
    remove('no time', `${maps}/a?timeout=1ns`),
    remove('a group version that cannot be parsed', `${maps}/a`, {
      body: { kind: 'DeleteOptions', apiVersion: 'a/b/c' },
    }),
    remove('a collection with a wrong uid', maps, { body: { preconditions: { uid: 'x' } } }),
    remove('a collection at a malformed version', `${maps}?resourceVersion=x`),
    { name: 'nothing is gone', path: maps },
    remove('a dry run shows the mark', `${pods}/p?dryRun=All`),
    remove('orphan', `${pods}/p?propagationPolicy=Orphan`),
    remove('a further deletion without dependents', `${pods}/p?propagationPolicy=Background`),
    remove('an event has no dependents', `${events}/e?propagationPolicy=Foreground`),
    remove('a job in the background', '/apis/batch/v1/namespaces/${ns}/jobs/j?propagationPolicy=Background'),
    {
      name: 'eviction in another namespace',
      method: 'POST',
      path: `${pods}/q/eviction`,
      body: { metadata: { name: 'q', namespace: 'other' } },
    },
    {
      name: 'binding without a name',
      method: 'POST',
      path: `${pods}/q/binding`,
      body: { target: { name: 'n' } },
    },
  ],
};
