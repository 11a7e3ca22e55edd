import type { Endpoint } from '../outbound/endpoint.ts';
import { inClusterConfig } from './in-cluster.ts';
import { type Credentials, KubeconfigDocument, textOf } from './kubeconfig-document.ts';

/** Returns the credentials for a host and port; undefined: none. */
export type WebhookCredentials = (host: string) => Endpoint | undefined;

const OWN_SERVICE = 'kubernetes.default.svc:443';
const DEFAULT_PORT = /:443$/;
const HAS_PORT = /:\d{1,5}$/;

/**
 * Reads the credentials for webhooks from a kubeconfig, whose users are named after hosts: `host:port`, then
 * `*.suffix:port`, both also without the port 443, then `*`, then the user of the current context. A Service
 * is the host `name.namespace.svc`; a host without port has the port 443.
 * @throws ConfigurationError if a user has unsupported credentials
 */
export function readWebhookCredentials(file: string): WebhookCredentials {
  const document = new KubeconfigDocument(file);
  const users = new Map<string, Credentials>();
  for (const name of document.userNames()) {
    if (users.has(name))
      throw document.configurationError(`duplicate name ${JSON.stringify(name)} in the list of users`);
    users.set(name, document.credentials(document.entry('users', name) ?? {}));
  }
  const context = document.entry('contexts', document.currentContext);
  const current = textOf(context?.user);
  return (host) => {
    const target = HAS_PORT.test(host) ? host : `${host}:443`;
    const found =
      matching(users, target) ??
      (DEFAULT_PORT.test(target) ? matching(users, target.replace(DEFAULT_PORT, '')) : undefined);
    if (found === undefined && target === OWN_SERVICE) {
      const own = ownCredentials();
      if (own !== undefined) return own;
    }
    const credentials = found ?? users.get('*') ?? (current === undefined ? undefined : users.get(current));
    return credentials === undefined ? undefined : { server: `https://${target}`, ...credentials };
  };
}

/** The user with the name of the target, or else with the longest matching `*.suffix`. */
function matching(users: ReadonlyMap<string, Credentials>, target: string): Credentials | undefined {
  const exact = users.get(target);
  if (exact !== undefined) return exact;
  for (let dot = target.indexOf('.'); dot >= 0; dot = target.indexOf('.', dot + 1)) {
    const found = users.get(`*${target.slice(dot)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The service account of the pod in which this server runs; undefined outside of a cluster. */
function ownCredentials(): Endpoint | undefined {
  try {
    return inClusterConfig();
  } catch {
    return undefined;
  }
}
