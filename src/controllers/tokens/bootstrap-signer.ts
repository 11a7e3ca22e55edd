import { createHmac } from 'node:crypto';
import type { ConfigMap, Secret } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { CONFIG_MAPS } from '../../reconcile/resources.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { BOOTSTRAP_TOKEN, expirationOf, SECRETS, SYSTEM_NAMESPACE, textOf } from './secrets.ts';

const CLUSTER_INFO = 'cluster-info';
const KEY = 'kube-public/cluster-info';
const KUBECONFIG = 'kubeconfig';
const SIGNATURE_PREFIX = 'jws-kubeconfig-';

/**
 * Signs the public kubeconfig for joining nodes with every bootstrap token that allows signing.
 */
export function bootstrapSignerController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const secrets = parts.objects(SECRETS, { field: ['type', BOOTSTRAP_TOKEN] });
  const infos = parts.objects(CONFIG_MAPS, { name: CLUSTER_INFO });
  const queue = controllerQueue(parts, name, async (key) => {
    const info = infos.get(key) as ConfigMap | undefined;
    const kubeconfig = info?.data?.[KUBECONFIG];
    if (info === undefined || kubeconfig === undefined) return 'done';
    const others = Object.entries(info.data ?? {}).filter(([member]) => !member.startsWith(SIGNATURE_PREFIX));
    const data = Object.fromEntries([
      ...others,
      ...signatures(
        Array.from(secrets.entries(), ([, { object }]) => object as Secret),
        kubeconfig,
        parts.clusterClock.now(),
      ),
    ]);
    if (sameMembers(data, info.data ?? {})) return 'done';
    await client.update(CONFIG_MAPS, { ...info, data });
    return 'done';
  });
  secrets.onChange(() => queue.add(KEY));
  infos.onChange((key) => {
    if (key === KEY) queue.add(key);
  });
  return { name, sources: [secrets, infos], queue };
}

function signatures(secrets: readonly Secret[], kubeconfig: string, now: number): [string, string][] {
  return secrets.flatMap((secret) => {
    const id = textOf(secret, 'token-id');
    const password = textOf(secret, 'token-secret');
    const signs = textOf(secret, 'usage-bootstrap-signing') === 'true' && expirationOf(secret) > now;
    if (
      !signs ||
      secret.metadata?.namespace !== SYSTEM_NAMESPACE ||
      secret.metadata.name !== `bootstrap-token-${id}` ||
      password === ''
    )
      return [];
    return [[`${SIGNATURE_PREFIX}${id}`, detachedSignature(kubeconfig, id, password)] as [string, string]];
  });
}

/** A detached JSON Web Signature (RFC 7515, appendix F). */
function detachedSignature(content: string, id: string, password: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: id })).toString('base64url');
  const signature = createHmac('sha256', password)
    .update(`${header}.${Buffer.from(content).toString('base64url')}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

const sameMembers = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => b[key] === value);
