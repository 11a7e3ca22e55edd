import type { Exchange } from '../connection/exchange.ts';
import { createInProcessExchange } from '../connection/in-process.ts';
import type { Release } from '../model/scheme.ts';
import { API_SERVER } from '../reconcile/identities.ts';
import type { UserInfo } from '../request/user.ts';

const CONFLICT = 409;

/** The API server as the author of what a client asked for: unlike its own writes, webhooks see it. */
const ON_BEHALF: UserInfo = { ...API_SERVER };

/**
 * Creates namespaces as the API server itself, by requests through the whole filter chain. A namespace that
 * exists is not an error.
 * @param send passes an exchange with its user to the chain
 */
export function namespaceCreator(
  send: (exchange: Exchange, user: UserInfo) => void,
  { gitVersion }: Release,
): (name: string) => Promise<void> {
  return async (name) => {
    const { exchange, response } = createInProcessExchange({
      method: 'POST',
      target: '/api/v1/namespaces',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        // Its name becomes the field manager.
        'user-agent': `kube-apiserver/${gitVersion}`,
      },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    });
    send(exchange, ON_BEHALF);
    const { status, body } = await response;
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    if (status < 400 || status === CONFLICT) return;
    const { message } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { message?: string };
    throw new Error(message ?? `the server responded with status ${status}`);
  };
}
