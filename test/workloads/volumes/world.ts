import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import type { Resource } from '../../../src/reconcile/client.ts';
import { CLAIMS, STORAGE_CLASSES, VOLUMES } from '../../../src/reconcile/resources.ts';
import { ApiError } from '../../../src/status/index.ts';
import { ClaimReconciler } from '../../../src/workloads/volumes/claims.ts';
import { StoredObjects } from '../../../src/workloads/volumes/stored-objects.ts';
import { VolumeReconciler } from '../../../src/workloads/volumes/volumes.ts';
import { VolumeWriter } from '../../../src/workloads/volumes/writer.ts';
import { FakeSource } from '../../reconcile/fake-source.ts';

const SETTINGS = { provisions: true, simulates: true, syncPeriod: 1000 };

/** Claims, volumes and classes in memory, on which the controller acts one key after another. */
export class World {
  readonly #sources = new Map<Resource, FakeSource>();
  readonly #due = new Set<string>();
  /** Takes the next write; `lost`: it is carried out, but fails. */
  fault: 'refused' | 'lost' | undefined;
  /** What broke the rules. */
  readonly broken: string[] = [];
  #uids = 0;
  readonly #claims: ClaimReconciler;
  readonly #volumes: VolumeReconciler;

  constructor() {
    const stored = new StoredObjects({ objects: (resource) => this.source(resource) });
    const writer = new VolumeWriter(
      {
        create: (resource, object) => this.#write(resource, object, undefined),
        update: (resource, object, options) => this.#write(resource, object, options?.subresource),
        delete: async (resource, _namespace, name) => this.remove(resource, name),
      },
      { record: () => undefined },
    );
    const shared = { stored, writer, settings: SETTINGS };
    this.#claims = new ClaimReconciler({ ...shared, node: () => undefined });
    this.#volumes = new VolumeReconciler({ ...shared, bindClaim: (key) => this.#due.add(`claim:${key}`) });
    stored.follow(
      (key) => this.#due.add(`claim:${key}`),
      (name) => this.#due.add(`volume:${name}`),
    );
  }

  source(resource: Resource): FakeSource {
    const known = this.#sources.get(resource) ?? new FakeSource();
    this.#sources.set(resource, known);
    return known;
  }

  newUid(): string {
    this.#uids += 1;
    return `uid-${this.#uids}`;
  }

  get volumes(): PersistentVolume[] {
    return Array.from(this.source(VOLUMES).entries(), ([, { object }]) => object as PersistentVolume);
  }

  get claims(): PersistentVolumeClaim[] {
    return Array.from(this.source(CLAIMS).entries(), ([, { object }]) => object as PersistentVolumeClaim);
  }

  /** A user writes an object. */
  put(resource: Resource, object: KubernetesObject): void {
    this.source(resource).set(keyOf(object), object);
  }

  /** Objects of the class are deleted at once, others when nothing keeps them. */
  remove(resource: Resource, key: string): void {
    this.source(resource).delete(key);
  }

  /** Works off keys in an order that `choose` says. */
  async settle(choose: (count: number) => number): Promise<void> {
    for (let steps = 0; this.#due.size > 0; steps += 1) {
      if (steps > 10_000) throw new Error(`no end: ${[...this.#due].join()}`);
      const key = [...this.#due][choose(this.#due.size)]!;
      this.#due.delete(key);
      const [kind = '', name = ''] = key.split(':');
      try {
        await (kind === 'claim' ? this.#claims : this.#volumes).reconcile(name);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#due.add(key);
      }
    }
  }

  async #write(
    resource: Resource,
    object: KubernetesObject,
    subresource?: string,
  ): Promise<KubernetesObject> {
    const { fault } = this;
    this.fault = undefined;
    if (fault === 'refused') throw new ApiError(409, 'Conflict', 'refused', undefined);
    const key = keyOf(object);
    const stored = this.source(resource).get(key);
    const metadata = { ...object.metadata, uid: object.metadata?.uid ?? `uid-${key}` };
    // The status is written by its subresource only, and the rest without it.
    const written =
      subresource === 'status'
        ? { ...stored, status: object['status'] }
        : { ...object, metadata, status: stored === undefined ? {} : stored['status'] };
    this.#check(resource, stored, written);
    this.source(resource).set(key, written);
    if (fault === 'lost') throw new ApiError(500, '', 'lost', undefined);
    return written;
  }

  /** A volume goes from one claim to another only when it was free between. */
  #check(resource: Resource, stored: KubernetesObject | undefined, written: KubernetesObject): void {
    if (resource === STORAGE_CLASSES) return;
    const before = targetOf(resource, stored);
    const now = targetOf(resource, written);
    if (before !== undefined && now !== undefined && before !== now)
      this.broken.push(`${keyOf(written)} went from ${before} to ${now}`);
  }
}

/** What a volume or claim is bound to. */
function targetOf(resource: Resource, object: KubernetesObject | undefined): string | undefined {
  if (resource === VOLUMES) return (object as PersistentVolume | undefined)?.spec?.claimRef?.uid;
  return (object as PersistentVolumeClaim | undefined)?.spec?.volumeName;
}

const keyOf = ({ metadata }: KubernetesObject): string =>
  metadata?.namespace === undefined ? (metadata?.name ?? '') : `${metadata.namespace}/${metadata.name}`;
