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

/** What a plugin needs of the source of its policies. */
type Source = Pick<
  PolicySource<never, never, never>,
  'generation' | 'handles' | 'start' | 'stop' | 'settled'
>;

/** An admission plugin that evaluates the policies of a source. */
export const policyPlugin = (
  name: string,
  source: Source,
  { ignoresDeletion = false, ...phases }: PolicyPhases,
): PolicyPlugin => Object.assign(new SourcePlugin(name, source, ignoresDeletion), phases);

class SourcePlugin implements PolicyPlugin {
  readonly name: string;
  readonly isConfiguredByObjects = true;
  readonly #source: Source;
  readonly #ignoresDeletion: boolean;

  constructor(name: string, source: Source, ignoresDeletion: boolean) {
    this.name = name;
    this.#source = source;
    this.#ignoresDeletion = ignoresDeletion;
  }

  get generation(): number {
    return this.#source.generation;
  }

  handles(...[operation, group, resource, subresource]: Parameters<AdmissionPlugin['handles']>): boolean {
    return (
      !(this.#ignoresDeletion && operation === 'DELETE') &&
      this.#source.handles(operation, group, resource, subresource)
    );
  }

  /** An authorizer may be a webhook, and so may a converter. */
  leavesProcess(...request: Parameters<AdmissionPlugin['handles']>): boolean {
    return this.handles(...request);
  }

  start(): Promise<void> {
    return this.#source.start();
  }

  stop(): void {
    this.#source.stop();
  }

  settled(): Promise<void> {
    return this.#source.settled();
  }
}
