import type { PersistentVolume, Pod } from '../../model/generated/core-v1.ts';
import { visitPodReferences } from '../../model/pod-references.ts';
import { volumeSecrets } from './volume-references.ts';

/** Kinds of objects that can be related to nodes. */
export type RelatedKind =
  | 'secret'
  | 'configmap'
  | 'pvc'
  | 'pv'
  | 'serviceaccount'
  | 'resourceclaim'
  | 'pod'
  | 'volumeattachment'
  | 'resourceslice';

const keyOf = (kind: RelatedKind, namespace: string, name: string): string => `${kind}/${namespace}/${name}`;

interface PodEntry {
  readonly uid: string;
  readonly node: string;
  /** Keys of the objects that the pod uses, without duplicates. */
  readonly uses: readonly string[];
  /** Resource claims in the status, which are set after creation. */
  readonly claims: string;
}
interface VolumeEntry {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/**
 * Relations of objects to nodes: objects that the node's pods use, volumes bound to their claims, secrets of
 * those volumes, and objects that name the node. Look-ups take constant time; memory is proportional to the
 * references.
 */
export class NodeRelations {
  readonly #pods = new Map<string, PodEntry>();
  readonly #volumes = new Map<string, VolumeEntry>();
  /** Node of volume attachments and resource slices. */
  readonly #owned = new Map<string, string>();
  /** By object, the nodes whose pods use it, with the number of pods. */
  readonly #users = new Map<string, Map<string, number>>();
  /** By secret, the claims whose volumes need it, with the number of volumes. */
  readonly #mountedBy = new Map<string, Map<string, number>>();

  /** Whether an object is related to a node. */
  belongs(node: string, kind: RelatedKind, namespace: string, name: string): boolean {
    const key = keyOf(kind, namespace, name);
    switch (kind) {
      case 'pod':
        return this.#pods.get(key)?.node === node;
      case 'volumeattachment':
      case 'resourceslice':
        return this.#owned.get(key) === node;
      case 'pv':
        return this.#uses(node, this.#volumes.get(key)?.claim);
      case 'secret':
        if (this.#uses(node, key)) return true;
        for (const claim of this.#mountedBy.get(key)?.keys() ?? []) if (this.#uses(node, claim)) return true;
        return false;
      default:
        return this.#uses(node, key);
    }
  }

  /** Adds or updates a pod; a pod without a node has no relations. */
  setPod(pod: Pod): void {
    const { metadata: { namespace = '', name = '', uid = '' } = {}, spec: { nodeName: node = '' } = {} } =
      pod;
    const key = keyOf('pod', namespace, name);
    const claims = (pod.status?.resourceClaimStatuses ?? [])
      .map((one) => `${one.name}=${one.resourceClaimName ?? ''}`)
      .join();
    const before = this.#pods.get(key);
    // References of a pod change only with its node, its uid or its resource claim statuses.
    if (before?.uid === uid && before.node === node && before.claims === claims) return;
    this.deletePod(namespace, name);
    if (node === '') return;
    const uses = new Set<string>();
    visitPodReferences(pod, (kind, target) => uses.add(keyOf(kind, namespace, target)));
    this.#pods.set(key, { uid, node, uses: [...uses], claims });
    for (const target of uses) increment(this.#users, target, node);
  }

  deletePod(namespace: string, name: string): void {
    const key = keyOf('pod', namespace, name);
    const entry = this.#pods.get(key);
    if (entry === undefined) return;
    this.#pods.delete(key);
    for (const target of entry.uses) decrement(this.#users, target, entry.node);
  }

  setVolume(volume: PersistentVolume): void {
    const name = volume.metadata?.name ?? '';
    this.deleteVolume(name);
    const reference = volume.spec?.claimRef;
    if (reference === undefined) return;
    const claim = keyOf('pvc', reference.namespace ?? '', reference.name ?? '');
    const secrets = [
      ...new Set(volumeSecrets(volume).map((secret) => keyOf('secret', secret.namespace, secret.name))),
    ];
    this.#volumes.set(keyOf('pv', '', name), { claim, secrets });
    for (const secret of secrets) increment(this.#mountedBy, secret, claim);
  }

  deleteVolume(name: string): void {
    const key = keyOf('pv', '', name);
    const entry = this.#volumes.get(key);
    if (entry === undefined) return;
    this.#volumes.delete(key);
    for (const secret of entry.secrets) decrement(this.#mountedBy, secret, entry.claim);
  }

  /** Sets the node of a volume attachment or resource slice; an empty name removes it. */
  setOwned(kind: 'volumeattachment' | 'resourceslice', name: string, node: string): void {
    const key = keyOf(kind, '', name);
    if (node === '') this.#owned.delete(key);
    else this.#owned.set(key, node);
  }

  #uses(node: string, key: string | undefined): boolean {
    return key !== undefined && this.#users.get(key)?.has(node) === true;
  }
}

type Counts = Map<string, Map<string, number>>;

function increment(counts: Counts, key: string, by: string): void {
  let inner = counts.get(key);
  if (inner === undefined) {
    inner = new Map();
    counts.set(key, inner);
  }
  inner.set(by, (inner.get(by) ?? 0) + 1);
}

function decrement(counts: Counts, key: string, by: string): void {
  const inner = counts.get(key);
  const count = (inner?.get(by) ?? 0) - 1;
  if (count > 0) inner!.set(by, count);
  else if (inner?.delete(by) === true && inner.size === 0) counts.delete(key);
}
