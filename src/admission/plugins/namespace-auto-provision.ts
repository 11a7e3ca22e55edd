import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

export interface NamespaceAutoProvisionOptions extends Pick<AdmissionListers, 'namespace'> {
  /** Creates a namespace; resolves too if it exists. Rejects with the text of the refusal. */
  readonly createNamespace: (name: string) => Promise<void>;
}

/** Creates absent namespaces of new objects. */
export function namespaceAutoProvision({
  namespace: find,
  createNamespace,
}: NamespaceAutoProvisionOptions): BuiltinPlugin {
  const isNamespace = (group: string, resource: string) => group === '' && resource === 'namespaces';
  return {
    handles: (operation, group, resource) => operation === 'CREATE' && !isNamespace(group, resource),
    // The request waits for another write, which passes admission itself.
    leavesProcess: () => true,
    admit(request) {
      const { namespace, dryRun } = request;
      if (dryRun || namespace === '') return;
      const found = find(namespace);
      if (found !== undefined && !(found instanceof Promise)) return;
      return provide(found);

      async function provide(looking: typeof found): Promise<void> {
        if ((await looking) !== undefined) return;
        try {
          await createNamespace(namespace);
        } catch (error) {
          throw admissionForbidden(request, (error as Error).message);
        }
      }
    },
  };
}
