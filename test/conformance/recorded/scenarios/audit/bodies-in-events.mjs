const ns = 'c-bodies-in-events';
const maps = `/api/v1/namespaces/${ns}/configmaps`;
const table = (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** The event of a request: what it says about bodies. Discovery documents are long: their members are enough. */
const audited = (name, step) => ({
  name,
  run: async (ctx) => {
    const id = `bodies-in-events-${name}`.replaceAll(' ', '-');
    await ctx.request({ ...step, headers: { 'audit-id': id } });
    const find = async () =>
      (await ctx.environment.prepared.audited('/')).filter(
        ({ auditID, stage }) => auditID === id && stage === 'ResponseComplete',
      );
    await ctx.poll({ path: '/version' }, async () => (await find()).length > 0);
    return (await find()).map(({ requestObject, responseObject, responseStatus }) => ({
      requestObject,
      responseStatus,
      members: responseObject && Object.keys(responseObject),
      kind: responseObject?.kind,
    }));
  },
});

export default {
  title:
    'Bodies in audit events: deletion options, defaulted token requests, discovery, answers that the client does not accept',
  profile: 'admission-audit',
  namespace: true,
  steps: [
    audited('deletion', { method: 'DELETE', path: `${maps}/none`, body: { gracePeriodSeconds: 3 } }),
    audited('deletion with a version', {
      method: 'DELETE',
      path: `${maps}/none`,
      body: { kind: 'DeleteOptions', apiVersion: 'apps/v1', orphanDependents: true },
    }),
    audited('collection', {
      method: 'DELETE',
      path: maps,
      body: { kind: 'DeleteOptions', apiVersion: 'v1' },
    }),
    audited('token', {
      method: 'POST',
      path: `/api/v1/namespaces/${ns}/serviceaccounts/none/token`,
      body: { spec: {} },
    }),
    audited('not acceptable', { path: maps, accept: 'image/png' }),
    audited('not acceptable and absent', { path: '/apis/none', accept: 'image/png' }),
    audited('versions', { path: '/api' }),
    audited('group', { path: '/apis/apps' }),
    audited('resources', { path: '/apis/apps/v1' }),
    audited('aggregated discovery', { path: '/apis', accept: table('v2') }),
  ],
};
