import type { CacheRecord } from '../../cache/record.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { OperationContext } from '../environment.ts';
import { Write } from './write.ts';

/** The creation of an object; several attempts if its name is generated. */
export class Creation extends Write<CacheRecord> {
  /** The resourceVersion that the client set; empty if none. */
  readonly sentVersion: string;
  /** The resourceVersion that the client or admission set; empty if none. */
  givenVersion = '';

  /**
   * @param object in the storage version, defaulted; the stages change it
   * @param name of the request; empty if it is generated
   */
  constructor(
    context: OperationContext,
    object: KubernetesObject,
    name: string,
    options: KubernetesObject | undefined,
  ) {
    super(context, 'CREATE', name, options, undefined, undefined);
    this.object = object;
    this.sentVersion = object.metadata?.resourceVersion ?? '';
  }

  get key(): string {
    return this.context.resource.stored.key(this.context.namespace, this.name);
  }
}
