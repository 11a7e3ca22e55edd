// An operator: keeps the pages of each Website in a ConfigMap that the Website owns, reports them in its status,
// and holds a deleted Website with a finalizer until its pages are withdrawn.
// npx tsx examples/operator/operator.ts [kubeconfig]
import {
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';

interface Website extends KubernetesObject {
  readonly spec: { readonly pages: Readonly<Record<string, string>> };
}

const [group, version, plural] = ['example.com', 'v1', 'websites'];
const FINALIZER = 'example.com/withdraw';
const FIELD_MANAGER = 'website-operator';
const RETRY_MILLISECONDS = 1000;

const config = new KubeConfig();
const kubeconfigFile = process.argv[2];
if (kubeconfigFile === undefined) config.loadFromDefault();
else config.loadFromFile(kubeconfigFile);
const objects = KubernetesObjectApi.makeApiClient(config);
const websites = config.makeApiClient(CustomObjectsApi);

/** Applies an object as this operator, which owns the fields that it names. */
const apply = (object: KubernetesObject) =>
  objects.patch(object, undefined, undefined, FIELD_MANAGER, true, PatchStrategy.ServerSideApply);

/** Makes the cluster match a Website. It may run again at any time. */
async function reconcile(website: Website): Promise<void> {
  const {
    name = '',
    namespace = '',
    uid = '',
    generation,
    deletionTimestamp,
    finalizers,
  } = website.metadata!;
  const identity = { apiVersion: `${group}/${version}`, kind: 'Website' };
  if (deletionTimestamp !== undefined) {
    if (!finalizers?.includes(FINALIZER)) return;
    console.log(`withdrew ${namespace}/${name}`);
    // Applying no finalizer removes the one that this operator has applied. The UID prevents that a deleted object is created again.
    await apply({ ...identity, metadata: { name, namespace, uid } });
    return;
  }
  await apply({ ...identity, metadata: { name, namespace, uid, finalizers: [FINALIZER] } });
  const owner = { ...identity, name, uid, controller: true, blockOwnerDeletion: true };
  const pages = { apiVersion: 'v1', kind: 'ConfigMap', data: website.spec.pages };
  await apply({ ...pages, metadata: { name, namespace, ownerReferences: [owner] } } as KubernetesObject);
  const conditions = [{ type: 'Published', status: 'True', observedGeneration: generation }];
  const status = { pages: Object.keys(website.spec.pages).length, conditions };
  await websites.patchNamespacedCustomObjectStatus(
    { group, version, plural, namespace, name, body: { status } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
}

/** Keys of Websites to reconcile, one at a time; a key that waits is reconciled once, in its latest state. */
const waiting = new Set<string>();
let running = false;

async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (const key of waiting) {
    waiting.delete(key);
    const [namespace, name] = key.split('/');
    const website = informer.get(name!, namespace);
    try {
      if (website !== undefined) await reconcile(website);
    } catch (error) {
      console.error(`${key}: ${(error as Error).message}`);
      setTimeout(() => enqueue(website!), RETRY_MILLISECONDS);
    }
  }
  running = false;
}

function enqueue({ metadata }: KubernetesObject): void {
  waiting.add(`${metadata?.namespace}/${metadata?.name}`);
  void run();
}

const informer = makeInformer<Website>(config, `/apis/${group}/${version}/${plural}`, () =>
  websites.listCustomObjectForAllNamespaces({ group, version, plural }),
);
for (const event of ['add', 'update'] as const) informer.on(event, enqueue);
informer.on('error', (error) => {
  console.error(`the watch ended: ${error}`);
  setTimeout(() => void informer.start(), RETRY_MILLISECONDS);
});
await informer.start();
console.log('watching websites');
