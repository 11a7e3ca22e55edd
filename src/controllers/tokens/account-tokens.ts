import type { Secret, ServiceAccount } from '../../model/generated/core-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { SERVICE_ACCOUNTS } from '../../reconcile/resources.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { ACCOUNT_TOKEN, SECRETS, textOf } from './secrets.ts';

const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';

/** Signs a token without expiry for a service account, bound to its secret. */
export type SignAccountToken = (
  namespace: string,
  account: { readonly name: string; readonly uid: string },
  secret: string,
) => Promise<string>;

/**
 * Populates service account token secrets and deletes them with their account.
 * @param caBundle CA bundle of the server, PEM
 */
export function accountTokenController(
  parts: NamedContext,
  sign: SignAccountToken,
  caBundle: string,
): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const secrets = parts.objects(SECRETS, { field: ['type', ACCOUNT_TOKEN] });
  const accounts = parts.objects(SERVICE_ACCOUNTS);
  const queue = controllerQueue(parts, name, async (key) => {
    const secret = secrets.get(key) as Secret | undefined;
    if (secret === undefined) return 'done';
    const { namespace = '', name: secretName = '', annotations = {} } = secret.metadata ?? {};
    const accountName = annotations[ACCOUNT_NAME] ?? '';
    if (accountName === '') return 'done';
    const account = await findAccount(
      client,
      accounts.get(`${namespace}/${accountName}`),
      namespace,
      accountName,
      annotations[ACCOUNT_UID],
    );
    const uid = account?.metadata?.uid;
    if (uid === undefined) {
      await ignoreSettledErrors(
        client.delete(SECRETS, namespace, secretName, { preconditions: { uid: secret.metadata?.uid } }),
      );
      return 'done';
    }
    if (isComplete(secret, uid, namespace, caBundle)) return 'done';
    const token = textOf(secret, 'token') || (await sign(namespace, { name: accountName, uid }, secretName));
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    await ignoreSettledErrors(
      client.update(SECRETS, {
        ...secret,
        metadata: { ...secret.metadata, annotations: { ...annotations, [ACCOUNT_UID]: uid } },
        data: {
          ...secret.data,
          token: base64(token),
          namespace: base64(namespace),
          'ca.crt': base64(caBundle),
        },
      }),
    );
    return 'done';
  });
  /** Keys of secrets by the key of their account. */
  const byAccount = new Map<string, Set<string>>();
  secrets.onChange((key, secret, previous) => {
    if (previous !== undefined) removeFromIndex(byAccount, accountKey(previous.metadata()), key);
    if (secret === undefined) return;
    const account = accountKey(secret.metadata());
    const known = byAccount.get(account);
    if (known === undefined) byAccount.set(account, new Set([key]));
    else known.add(key);
    queue.add(key);
  });
  accounts.onChange((account, object, previous) => {
    // Only creation, deletion and recreation of an account affect its tokens.
    if (object !== undefined && previous !== undefined && object.metadata().uid === previous.metadata().uid)
      return;
    for (const key of byAccount.get(account) ?? []) queue.add(key);
  });
  return { name, sources: [secrets, accounts], queue };
}

const accountKey = ({ namespace, annotations }: ObjectMeta): string =>
  `${namespace}/${annotations?.[ACCOUNT_NAME]}`;
function removeFromIndex(index: Map<string, Set<string>>, account: string, secret: string): void {
  const keys = index.get(account);
  if (keys?.delete(secret) === true && keys.size === 0) index.delete(account);
}
const hasToken = (secret: Secret): boolean => textOf(secret, 'token') !== '';

/**
 * The account of a secret, with a matching uid. Reads the account from the API when the informer does not
 * have it, so that no secret is deleted because of a stale cache.
 */
async function findAccount(
  client: Client,
  known: ServiceAccount | undefined,
  namespace: string,
  name: string,
  uid: string | undefined,
): Promise<ServiceAccount | undefined> {
  const isMatch = (account: ServiceAccount | undefined) =>
    account !== undefined && (uid === undefined || uid === '' || account.metadata?.uid === uid);
  if (isMatch(known)) return known;
  const current = (await client.get(SERVICE_ACCOUNTS, namespace, name)) as ServiceAccount | undefined;
  return isMatch(current) ? current : undefined;
}

const isComplete = (secret: Secret, uid: string, namespace: string, caBundle: string): boolean =>
  hasToken(secret) &&
  textOf(secret, 'namespace') === namespace &&
  textOf(secret, 'ca.crt') === caBundle &&
  secret.metadata?.annotations?.[ACCOUNT_UID] === uid;
