import { AUTHENTICATION_MAP } from '../controllers/authentication-map.ts';
import type { Resources } from '../resources/resources.ts';

/** Writes the data with which extension servers authenticate clients, into a store that has those of another cluster. */
export async function publishAuthenticationData(
  resources: Resources,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  const { stored } = resources.internal('', 'configmaps');
  const key = stored.key('kube-system', AUTHENTICATION_MAP);
  const { entry } = await stored.storage.get(key);
  if (entry === undefined) return;
  const object = stored.codec.decode(entry.value, entry.revision);
  const value = stored.codec.encode({
    ...object,
    data: { ...(object['data'] as object | undefined), ...data },
  });
  await stored.storage.transact({ key, expected: entry.revision, value });
}
