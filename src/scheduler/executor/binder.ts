import type { KubernetesObject } from '../../model/object.ts';
import type { Client } from '../../reconcile/client.ts';
import { PODS } from '../../reconcile/resources.ts';
import type { DeviceBinder, DevicePlan } from '../devices/device-binder.ts';
import { type PodInfo, podKey } from '../objects/pod-info.ts';
import type { VolumeBinder } from '../volumes/volume-binder.ts';
import type { VolumePlan } from '../volumes/volume-plan.ts';

/** Pods that are bound at the same time. */
const MOST_BINDINGS = 64;

/** A node for a pod, with what goes with it. */
export interface Placement {
  readonly pod: PodInfo;
  readonly node: string;
  /** Undefined if all volumes of the pod are bound. */
  readonly volumes: VolumePlan | undefined;
  /** Undefined without claims to devices. */
  readonly devices: DevicePlan | undefined;
}

export interface BinderOptions {
  readonly client: Pick<Client, 'createSubresource'>;
  readonly volumes: VolumeBinder;
  /** Undefined without dynamic resource allocation. */
  readonly devices: DeviceBinder | undefined;
}

/** Writes where pods go. */
export class Binder {
  readonly #options: BinderOptions;
  #bindings = 0;
  #waiting: (() => void)[] = [];

  constructor(options: BinderOptions) {
    this.#options = options;
  }

  /** Resolves when another pod can be bound. */
  async ready(): Promise<void> {
    while (this.#bindings >= MOST_BINDINGS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Others see volumes and devices as the placement has them. @returns the placement with the changed objects */
  assume(placement: Placement): Placement {
    const { volumes, devices } = this.#options;
    if (placement.devices !== undefined) devices!.assume(placement.devices);
    if (placement.volumes === undefined) return placement;
    return { ...placement, volumes: volumes.assume(placement.volumes, placement.node) };
  }

  /** Gives a placement up. @throws ApiError if a claim stays reserved for the pod */
  async forget({ pod, volumes, devices }: Placement): Promise<void> {
    if (volumes !== undefined) this.#options.volumes.forget(volumes);
    if (devices !== undefined) await this.#options.devices!.release(pod, devices);
  }

  /** Resolves when the pod has its node. @throws Error with the message for the pod */
  async bind({ pod, node, volumes, devices }: Placement): Promise<void> {
    if (volumes !== undefined)
      await running('PreBind', 'VolumeBinding', this.#options.volumes.bind(podKey(pod), node, volumes));
    if (devices !== undefined)
      await running('PreBind', 'DynamicResources', this.#options.devices!.bind(pod, devices));
    await running('Bind', 'DefaultBinder', this.#write(pod, node));
  }

  async #write({ namespace, name, uid }: PodInfo, node: string): Promise<void> {
    const binding: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { namespace, name, uid },
      target: { kind: 'Node', name: node },
    };
    this.#bindings += 1;
    try {
      await this.#options.client.createSubresource(PODS, 'binding', binding);
    } finally {
      this.#bindings -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/** Words an error as kube-scheduler words that of a plugin. */
async function running(point: string, plugin: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Error(`running ${point} plugin "${plugin}": ${(error as Error).message}`, { cause: error });
  }
}
