import type { NamedContext } from '../../reconcile/controller.ts';
import { StoredDevices } from '../devices/stored-devices.ts';
import { Nominations } from '../nominations.ts';
import { MATCHES_NOTHING } from '../objects/label-matcher.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { ClusterEvent } from '../queue/cluster-event.ts';
import { ClusterState } from '../state/cluster-state.ts';
import type { SchedulingView } from '../view.ts';
import { StoredVolumes } from '../volumes/stored-volumes.ts';
import type { SchedulerSettings } from './settings.ts';
import type { SourceGroup } from './source-group.ts';
import { StoredBudgets } from './stored-budgets.ts';
import { StoredNamespaces } from './stored-namespaces.ts';
import { StoredOwners } from './stored-owners.ts';

/** All that decisions read, from the objects of this server. What few pods need is opened by the first of them. */
export class World implements SchedulingView {
  readonly state = new ClusterState();
  readonly nominations = new Nominations();
  readonly namespaces: StoredNamespaces;
  readonly owners: StoredOwners;
  readonly budgets: StoredBudgets;
  readonly volumes: StoredVolumes;
  readonly devices: StoredDevices | undefined;
  #needsNamespaces = false;

  /** @param happened called with each change of volumes and devices */
  constructor(parts: NamedContext, settings: SchedulerSettings, happened: (event: ClusterEvent) => void) {
    this.namespaces = new StoredNamespaces(parts);
    this.owners = new StoredOwners(parts);
    this.budgets = new StoredBudgets(parts);
    this.volumes = new StoredVolumes(parts, happened);
    this.devices = settings.devices && new StoredDevices(parts, settings.devices, happened);
  }

  get groups(): readonly SourceGroup[] {
    const { namespaces, owners, budgets, volumes, devices } = this;
    return [namespaces, owners, budgets, volumes, ...(devices ? [devices] : [])].map(({ group }) => group);
  }

  /** Notes what is needed to judge a pod, and others beside it. */
  seen({ affinity }: PodInfo): void {
    if (affinity === undefined || this.#needsNamespaces) return;
    const terms = [
      ...affinity.requiredNear,
      ...affinity.requiredFar,
      ...affinity.preferred.map(({ term }) => term),
    ];
    this.#needsNamespaces = terms.some(({ namespaceSelector }) => namespaceSelector !== MATCHES_NOTHING);
  }

  /** Opens what is needed to decide about a pod; undefined if it is open. */
  open(pod: PendingPod): Promise<unknown> | undefined {
    const { namespaces, owners, budgets, volumes, devices } = this;
    const groups = [owners.group, budgets.group];
    if (this.#needsNamespaces) groups.push(namespaces.group);
    if (pod.info.claims.length > 0) groups.push(volumes.group);
    const opening = groups.filter(({ isOpen }) => !isOpen).map((group) => group.open());
    if (pod.resourceClaims.length > 0 && devices?.isOpen === false) opening.push(devices.open());
    return opening.length === 0 ? undefined : Promise.all(opening);
  }
}
