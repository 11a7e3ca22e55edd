import type { Namespace } from '../model/generated/core-v1.ts';
import { ApiError } from '../status/index.ts';
import { type Controller, NAMESPACES, type NamedContext, SERVICE_ACCOUNTS } from './controller.ts';
import { controllerQueue } from './work-queue.ts';

const DEFAULT = 'default';

/** Creates the `default` service account in every active namespace. */
export function serviceAccountController(parts: NamedContext): Controller {
  const { name } = parts;
  const client = parts.client(parts.user);
  const namespaces = parts.objects(NAMESPACES);
  const accounts = parts.objects(SERVICE_ACCOUNTS, { name: DEFAULT });
  const queue = controllerQueue(parts, name, async (namespace) => {
    if (!isActive(namespaces.get(namespace)) || accounts.has(`${namespace}/${DEFAULT}`)) return 'done';
    await ignoreSettledErrors(client.create(SERVICE_ACCOUNTS, { metadata: { namespace, name: DEFAULT } }));
    return 'done';
  });
  namespaces.onChange((key, namespace) => {
    if (namespace !== undefined) queue.add(key);
  });
  accounts.onChange((key, account) => {
    if (account === undefined) queue.add(key.slice(0, key.indexOf('/')));
  });
  return { name, sources: [namespaces, accounts], queue };
}

export const isActive = (namespace: Namespace | undefined): boolean =>
  namespace !== undefined &&
  namespace.metadata?.deletionTimestamp === undefined &&
  namespace.status?.phase === 'Active';

/** Ignores errors that need no retry: already exists, not found, namespace terminating. */
export async function ignoreSettledErrors(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (
      !(
        error instanceof ApiError &&
        (error.reason === 'AlreadyExists' || error.code === 404 || isTerminating(error))
      )
    )
      throw error;
  }
}

const isTerminating = ({ details }: ApiError): boolean =>
  details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
