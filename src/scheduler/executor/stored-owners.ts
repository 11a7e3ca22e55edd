import type { ReplicaSet, StatefulSet } from '../../model/generated/apps-v1.ts';
import type { ReplicationController, Service } from '../../model/generated/core-v1.ts';
import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { NamedContext } from '../../reconcile/controller.ts';
import type { Labels } from '../objects/label-matcher.ts';
import type { OwnerView } from '../objects/owner-selector.ts';
import { REPLICA_SETS, REPLICATION_CONTROLLERS, SERVICES, STATEFUL_SETS } from '../resources.ts';
import { SourceGroup } from './source-group.ts';

/** The services and controllers of this server. */
export class StoredOwners implements OwnerView {
  readonly #services: IndexedSource;
  readonly #replicationControllers: IndexedSource;
  readonly #replicaSets: IndexedSource;
  readonly #statefulSets: IndexedSource;
  readonly group: SourceGroup;

  constructor({ objects }: Pick<NamedContext, 'objects'>) {
    this.#services = objects(SERVICES);
    this.#replicationControllers = objects(REPLICATION_CONTROLLERS);
    this.#replicaSets = objects(REPLICA_SETS);
    this.#statefulSets = objects(STATEFUL_SETS);
    this.group = new SourceGroup(
      this.#services,
      this.#replicationControllers,
      this.#replicaSets,
      this.#statefulSets,
    );
  }

  *serviceSelectors(namespace: string): Generator<Labels, void> {
    for (const [, { object }] of this.#services.entries(namespace)) {
      const { selector } = (object as Service).spec ?? {};
      if (selector !== undefined) yield selector;
    }
  }

  replicationController(namespace: string, name: string): Labels | undefined {
    return (this.#replicationControllers.get(`${namespace}/${name}`) as ReplicationController | undefined)
      ?.spec?.selector;
  }

  replicaSet(namespace: string, name: string): LabelSelector | undefined {
    return (this.#replicaSets.get(`${namespace}/${name}`) as ReplicaSet | undefined)?.spec?.selector;
  }

  statefulSet(namespace: string, name: string): LabelSelector | undefined {
    return (this.#statefulSets.get(`${namespace}/${name}`) as StatefulSet | undefined)?.spec?.selector;
  }
}
