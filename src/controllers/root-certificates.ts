import type { ConfigMap } from '../model/generated/core-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Controller, NamedContext } from '../reconcile/controller.ts';
import { CONFIG_MAPS, NAMESPACES } from '../reconcile/resources.ts';
import { ignoreSettledErrors } from '../reconcile/settled-errors.ts';
import { workloadQueue } from '../reconcile/work-queue.ts';
import { isActive } from './service-accounts.ts';

const PUBLISHED = 'kube-root-ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
const DESCRIPTION_TEXT = 'What to trust when connecting to the API server from inside the cluster.';

/** Publishes the server's CA bundle in every active namespace. @param caBundle PEM */
export function rootCertificatesController(parts: NamedContext, caBundle: string): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const namespaces = parts.objects(NAMESPACES);
  const published = parts.objects(CONFIG_MAPS, { name: PUBLISHED });
  const queue = workloadQueue(parts, async (namespace) => {
    if (!isActive(namespaces.get(namespace))) return 'done';
    const current = published.get(`${namespace}/${PUBLISHED}`);
    if (current === undefined)
      await ignoreSettledErrors(
        client.create(CONFIG_MAPS, withCaBundle({ metadata: { namespace, name: PUBLISHED } }, caBundle)),
      );
    else if (!isComplete(current, caBundle))
      await ignoreSettledErrors(client.update(CONFIG_MAPS, withCaBundle(current, caBundle)));
    return 'done';
  });
  namespaces.onChange((key, namespace) => {
    if (namespace !== undefined) queue.add(key);
  });
  published.onChange((key) => queue.add(key.slice(0, key.indexOf('/'))));
  return { name, sources: [namespaces, published], queue };
}

function isComplete({ data = {}, metadata }: ConfigMap, caBundle: string): boolean {
  return (
    Object.keys(data).length === 1 &&
    data['ca.crt'] === caBundle &&
    metadata?.annotations?.[DESCRIPTION] === DESCRIPTION_TEXT
  );
}

const withCaBundle = (object: KubernetesObject, caBundle: string): KubernetesObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { ...object.metadata?.annotations, [DESCRIPTION]: DESCRIPTION_TEXT },
  },
  data: { 'ca.crt': caBundle },
});
