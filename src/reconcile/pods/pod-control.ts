import type { Pod, PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import type { KubernetesObject, OwnerReference } from '../../model/object.ts';
import { apiVersionOf } from '../../model/object.ts';
import { ApiError } from '../../status/index.ts';
import type { Client, Resource } from '../client.ts';
import type { EventRecorder } from '../events/recorder.ts';
import { PODS } from '../resources.ts';
import { isNamespaceTerminating } from '../settled-errors.ts';

/** The owner of Pods, in the resource that it is one of. */
export interface Owner {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

/** Creates and deletes the Pods of a controller, and reports that as events of their owner. */
export class PodControl {
  readonly #client: Pick<Client, 'create' | 'delete'>;
  readonly #events: EventRecorder;

  constructor(client: Pick<Client, 'create' | 'delete'>, events: EventRecorder) {
    this.#client = client;
    this.#events = events;
  }

  /** @throws ApiError, reported unless the namespace is going */
  async create({ resource, object }: Owner, pod: Pod): Promise<Pod> {
    try {
      const created = (await this.#client.create(PODS, pod)) as Pod;
      this.#events.record(
        resource,
        object,
        'Normal',
        'SuccessfulCreate',
        `Created pod: ${created.metadata?.name}`,
      );
      return created;
    } catch (error) {
      if (!isNamespaceTerminating(error))
        this.#events.record(
          resource,
          object,
          'Warning',
          'FailedCreate',
          `Error creating: ${(error as Error).message}`,
        );
      throw error;
    }
  }

  /** Deletes the Pod that was seen, no other one of its name; one that has gone is not reported. @throws ApiError */
  async delete({ resource, object }: Owner, { metadata = {} }: Pod): Promise<void> {
    const { namespace = '', name = '', uid } = metadata;
    try {
      await this.#client.delete(PODS, namespace, name, { preconditions: { uid } });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
      this.#events.record(
        resource,
        object,
        'Warning',
        'FailedDelete',
        `Error deleting: ${(error as Error).message}`,
      );
      throw error;
    }
    this.#events.record(resource, object, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  }
}

/** The reference by which an owner controls an object. */
export function controllerReference({ resource, object }: Owner): OwnerReference {
  const { name = '', uid = '' } = object.metadata ?? {};
  return {
    apiVersion: apiVersionOf(resource.group, resource.version),
    kind: resource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A Pod of a template, named after its owner with a random suffix. */
export function podFromTemplate(owner: Owner, { metadata, spec }: PodTemplateSpec): Pod {
  const { name = '', namespace } = owner.object.metadata ?? {};
  const { labels, annotations, finalizers } = metadata ?? {};
  return {
    metadata: {
      generateName: generateNameOf(name),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: spec ?? {},
  };
}

/** The prefix of names of Pods; the name itself where a hyphen would make it invalid. */
export const generateNameOf = (name: string): string =>
  dns1123Subdomain(`${name}-a`).length === 0 ? `${name}-` : name;
