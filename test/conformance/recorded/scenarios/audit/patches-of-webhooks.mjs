import { patchPath, webhookOf } from '../../helpers/webhooks.mjs';

const ns = 'c-patches-of-webhooks';
const maps = `/api/v1/namespaces/${ns}/configmaps`;
const webhook = (name, operations) =>
  webhookOf(name, ns, { operations: ['UPDATE'], resources: ['configmaps'] }, patchPath(name, operations));

export default {
  title: 'Patches in audit annotations: without effect, with members in any order, with markup',
  profile: 'admission-audit',
  namespace: true,
  setup: [
    { method: 'POST', path: maps, body: { metadata: { name: 'm' }, data: { k: 'v' } } },
    {
      method: 'POST',
      path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
      body: {
        metadata: { name: ns },
        webhooks: [
          webhook('same', [
            { value: 'v', path: '/data/k', op: 'add' },
            { op: 'test', path: '/data', value: { k: 'v' } },
          ]),
          webhook('other', [{ op: 'add', value: { z: '<&>', a: 'b' }, path: '/metadata/annotations' }]),
        ],
      },
    },
  ],
  steps: [
    {
      name: 'the annotations of an update that changes nothing itself',
      run: async (ctx) => {
        const ids = [];
        const update = {
          method: 'PUT',
          path: maps.concat('/m?dryRun=All'),
          body: { metadata: { name: 'm' }, data: { k: 'v' } },
        };
        await ctx.poll(update, ({ body }) => body.metadata.annotations !== undefined);
        await ctx.request({ ...update, headers: { 'audit-id': 'patches-of-webhooks' } });
        const find = async () =>
          (await ctx.environment.prepared.audited(maps)).filter(
            ({ auditID, stage }) => auditID === 'patches-of-webhooks' && stage === 'ResponseComplete',
          );
        await ctx.poll({ path: '/version' }, async () => (await find()).length > 0);
        for (const { annotations } of await find())
          for (const [key, value] of Object.entries(annotations))
            if (key.includes('webhook')) ids.push([key.replace(/\/.*/, ''), value]);
        return ids.sort();
      },
    },
  ],
};
