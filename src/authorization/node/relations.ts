import type { PersistentVolume, Pod } from '../../model/generated/core-v1.ts';
import { visitPodReferences } from '../../model/pod-references.ts';
import { volumeSecrets } from './volume-references.ts';

/** Kinds of objects that belong to nodes. */
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
  /** Objects that it uses, each once. */
  readonly uses: readonly string[];
  /** Made claims of the status, which appear after the pod did. */
  readonly claims: string;
}
interface VolumeEntry {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/**
 * Which objects belong to which node: what its pods use, the volumes bound to their claims, the secrets of
 * those, and what names the node itself. Every question is answered by looking into maps; an object costs
 * what it refers to.
 */
export class NodeRelations {
  readonly #pods = new Map<string, PodEntry>();
  readonly #volumes = new Map<string, VolumeEntry>();
  /** Node of volume attachments and resource slices. */
  readonly #owned = new Map<string, string>();
  /** By object, the nodes whose pods use it, with how many pods do. */
  readonly #users = new Map<string, Map<string, number>>();
  /** By secret, the claims whose volumes are mounted with it, with how many volumes are. */
  readonly #mountedBy = new Map<string, Map<string, number>>();

  /** Whether an object belongs to a node. */
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

  /** A pod is there, or has changed; one without a node belongs to none. */
  setPod(pod: Pod): void {
    const { metadata: { namespace = '', name = '', uid = '' } = {}, spec: { nodeName: node = '' } = {} } =
      pod;
    const key = keyOf('pod', namespace, name);
    const claims = (pod.status?.resourceClaimStatuses ?? [])
      .map((one) => `${one.name}=${one.resourceClaimName ?? ''}`)
      .join();
    const before = this.#pods.get(key);
    // What a pod refers to cannot change without its node, its uid or the claims made for it changing.
    if (before?.uid === uid && before.node === node && before.claims === claims) return;
    this.deletePod(namespace, name);
    if (node === '') return;
    const uses = new Set<string>();
    visitPodReferences(pod, (kind, target) => uses.add(keyOf(kind, namespace, target)));
    this.#pods.set(key, { uid, node, uses: [...uses], claims });
    for (const target of uses) raise(this.#users, target, node);
  }

  deletePod(namespace: string, name: string): void {
    const key = keyOf('pod', namespace, name);
    const entry = this.#pods.get(key);
    if (entry === undefined) return;
    this.#pods.delete(key);
    for (const target of entry.uses) lower(this.#users, target, entry.node);
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
    for (const secret of secrets) raise(this.#mountedBy, secret, claim);
  }

  deleteVolume(name: string): void {
    const key = keyOf('pv', '', name);
    const entry = this.#volumes.get(key);
    if (entry === undefined) return;
    this.#volumes.delete(key);
    for (const secret of entry.secrets) lower(this.#mountedBy, secret, entry.claim);
  }

  /** A volume attachment or resource slice names its node; an empty one names none. */
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

function raise(counts: Counts, key: string, by: string): void {
  let inner = counts.get(key);
  if (inner === undefined) {
    inner = new Map();
    counts.set(key, inner);
  }
  inner.set(by, (inner.get(by) ?? 0) + 1);
}

function lower(counts: Counts, key: string, by: string): void {
  const inner = counts.get(key);
  const count = (inner?.get(by) ?? 0) - 1;
  if (count > 0) inner!.set(by, count);
  else if (inner?.delete(by) === true && inner.size === 0) counts.delete(key);
}
