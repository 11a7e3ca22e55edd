import { CRDS, definition, specOf, untilServed, version } from '../../helpers/definitions.mjs';
import { patchPath, webhookOf } from '../../helpers/webhooks.mjs';

const ns = 'c-changes-of-webhooks';
const group = 'changes.example.com';
const maps = `/api/v1/namespaces/${ns}/configmaps`;
const pods = `/api/v1/namespaces/${ns}/pods`;
const changes = `/apis/${group}/v1/namespaces/${ns}/changes`;
const text = { type: 'string' };
const change = definition(
  group,
  'Namespaced',
  { plural: 'changes', kind: 'Change' },
  version('v1', specOf({ type: 'object', properties: { a: text, set: { ...text, default: 'd' } } })),
);

const set = (path, value) => [{ op: 'add', path, value }];
const one = (op, path, from) => [{ op, path, from }];
/** Patches of ConfigMaps and of custom objects. */
const PATCHES = {
  'nothing new': (name) => set('/metadata/labels/case', name),
  'only a test': () => [{ op: 'test', path: '/metadata/name', value: 'x' }],
  'unknown field': () => set('/odd', 1),
  'replaced default': () => [{ op: 'replace', path: '/odd', value: 1 }],
  'labels of a wrong type': () => set('/metadata/labels', 'text'),
  'time of deletion': () => set('/metadata/deletionTimestamp', '2020-01-01T00:00:00Z'),
  'another kind': () => set('/kind', 'Other'),
  'kind of a wrong type': () => set('/kind', 5),
  'no kind': () => one('remove', '/kind'),
  'another version': () => set('/apiVersion', 'x/v1'),
  'no version': () => one('remove', '/apiVersion'),
  'remove all': () => one('remove', ''),
  'remove below nothing': () => one('remove', '/none/x'),
  'move nothing': () => one('move', '/x', '/none'),
  'move without from': () => one('move', '/x'),
  'copy from below nothing': () => one('copy', '/x', '/none/y'),
  'copy into nothing': () => one('copy', '/none/x', '/metadata/name'),
  'path of a wrong type': () => one('replace', 5),
  'test below nothing': () => [{ op: 'test', path: '/none/x', value: 1 }],
  'operation of a wrong type': () => one(5, '/x'),
  'no path': () => [{ op: 'add', value: 1 }],
};
const ITEMS = {
  'add after the end': () => set('/spec/containers/3', {}),
  'add with a word': () => set('/spec/containers/x', {}),
  'remove after the end': () => one('remove', '/spec/containers/1'),
  'remove with a word': () => one('remove', '/spec/containers/x'),
  'replace after the end': () => [{ op: 'replace', path: '/spec/containers/1', value: {} }],
  'move after the end': () => one('move', '/x', '/spec/containers/1'),
  'test after the end': () => [{ op: 'test', path: '/spec/containers/1', value: {} }],
};
const slug = (kind, name) => `${kind}-${name.replaceAll(' ', '-')}`;
const pod = { spec: { containers: [{ name: 'c', image: 'i' }] } };
const KINDS = {
  map: [maps, { resources: ['configmaps'] }, { data: { k: 'v' } }, PATCHES],
  change: [
    changes,
    { apiGroups: [group], resources: ['changes'] },
    { apiVersion: `${group}/v1`, kind: 'Change', spec: { a: 'b' } },
    PATCHES,
  ],
  pod: [pods, { resources: ['pods'] }, pod, ITEMS],
};
const CASES = Object.entries(KINDS).flatMap(([kind, [path, rule, body, patches]]) =>
  Object.entries(patches).map(([name, operations]) => {
    const id = slug(kind, name);
    const metadata = { name: 'x', labels: { case: id } };
    const selector = { objectSelector: { matchLabels: { case: id } } };
    return {
      name: `${kind}: ${name}`,
      request: {
        method: 'POST',
        path: `${path}?dryRun=All&fieldManager=${id}`,
        body: { ...body, metadata },
      },
      id,
      webhook: webhookOf(id, ns, rule, patchPath(id, operations(id)), selector),
    };
  }),
);

const annotationsOf = async (ctx, part) => {
  const { audited } = ctx.environment.prepared;
  for (let tries = 0; tries < 50; tries += 1) {
    const [event] = await audited(part);
    if (event !== undefined)
      return Object.entries(event.annotations ?? {}).filter(([name]) => name.startsWith('mutation.webhook'));
    await ctx.sleep(100);
  }
  return undefined;
};
const again = (name, operations, reinvocationPolicy) =>
  webhookOf(name, ns, { resources: ['secrets'] }, patchPath(name, operations), { reinvocationPolicy });
const secret = (name, method, path, body) => ({
  name,
  run: async (ctx) => {
    const { webhooks } = ctx.environment.prepared;
    const taken = () => ['again', 'once'].map((tag) => webhooks.take(tag).length);
    taken();
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : undefined;
    const { status } = await ctx.request({ method, path, body, contentType });
    return { status, calls: taken() };
  },
});
const secrets = `/api/v1/namespaces/${ns}/secrets`;

export default {
  title: 'When a webhook has changed an object, and why its patch does not apply',
  profile: 'admission-audit',
  namespace: true,
  setup: [
    { method: 'POST', path: CRDS, body: change },
    untilServed(changes),
    {
      method: 'POST',
      path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
      body: {
        metadata: { name: ns },
        webhooks: [
          ...CASES.map(({ webhook }) => webhook),
          again('again', [], 'IfNeeded'),
          again('once', [{ op: 'test', path: '/metadata/name', value: 's' }], 'Never'),
        ],
      },
    },
    async function untilActive(ctx) {
      const { webhooks } = ctx.environment.prepared;
      const body = { metadata: { name: 's' } };
      const call = { method: 'POST', path: `${secrets}?dryRun=All`, body };
      await ctx.poll(call, () => webhooks.take('once').length > 0);
    },
  ],
  steps: [
    ...CASES.flatMap(({ name, request, id }) => [
      { name, ...request, ignore: ['/metadata/uid', '/metadata/managedFields'] },
      { name: `${name}: annotations`, run: (ctx) => annotationsOf(ctx, `fieldManager=${id}`) },
    ]),
    secret('the first patch of a creation changes it', 'POST', secrets, { metadata: { name: 's' } }),
    secret('of an update as well', 'PATCH', `${secrets}/s`, { stringData: { a: 'b' } }),
    secret('but not of one without effect', 'PATCH', `${secrets}/s`, {}),
  ],
};
