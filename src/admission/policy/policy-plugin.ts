import type { AdmissionPlugin } from '../../request/admission.ts';
import type { PolicySource } from './source.ts';

/** A plugin whose configuration is followed while the server runs. */
export interface PolicyPlugin extends AdmissionPlugin {
  /** Puts the stored policies in force, then follows their changes. @throws StorageUnavailableError */
  start(): Promise<void>;
  stop(): void;
  /** Resolves when all changes so far are in force. */
  settled(): Promise<void>;
}

/** What a kind of policies does with a request. */
export interface PolicyPhases extends Pick<AdmissionPlugin, 'admit' | 'validate'> {
  /** Whether the policies do not apply to deletions. */
  readonly ignoresDeletion?: boolean;
}

/** An admission plugin that evaluates the policies of a source. */
export function policyPlugin(
  name: string,
  source: Pick<PolicySource<never, never, never>, 'generation' | 'handles' | 'start' | 'stop' | 'settled'>,
  { ignoresDeletion = false, ...phases }: PolicyPhases,
): PolicyPlugin {
  const handles: AdmissionPlugin['handles'] = (operation, group, resource, subresource) =>
    !(ignoresDeletion && operation === 'DELETE') && source.handles(operation, group, resource, subresource);
  return {
    name,
    isConfiguredByObjects: true,
    get generation() {
      return source.generation;
    },
    handles,
    // An authorizer may be a webhook, and so may a converter.
    leavesProcess: handles,
    ...phases,
    start: () => source.start(),
    stop: () => source.stop(),
    settled: () => source.settled(),
  };
}
