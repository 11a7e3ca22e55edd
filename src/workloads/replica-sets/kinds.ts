import type { ReplicaSet, ReplicaSetStatus } from '../../model/generated/apps-v1.ts';
import type { PodTemplateSpec, ReplicationController } from '../../model/generated/core-v1.ts';
import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import type { Resource } from '../../reconcile/client.ts';
import { REPLICA_SETS, REPLICATION_CONTROLLERS } from '../../reconcile/resources.ts';

/** A ReplicaSet or a ReplicationController. */
export type ReplicatedObject = ReplicaSet | ReplicationController;

/** What the rules of both kinds need of an object. */
export interface Replication {
  readonly replicas: number;
  readonly minReadySeconds: number;
  readonly selector: LabelSelector | undefined;
  readonly template: PodTemplateSpec;
  readonly status: ReplicaSetStatus;
}

/** A kind of objects that keep a number of equal Pods. */
export interface ReplicatedKind {
  readonly resource: Resource;
  /** Who reports its events. */
  readonly component: string;
  read(object: ReplicatedObject): Replication;
}

export const REPLICA_SET: ReplicatedKind = {
  resource: REPLICA_SETS,
  component: 'replicaset-controller',
  read({ spec = {}, status = {} }) {
    const { replicas = 1, minReadySeconds = 0, template = {} } = spec;
    return { replicas, minReadySeconds, template, status, selector: spec.selector as LabelSelector };
  },
};

export const REPLICATION_CONTROLLER: ReplicatedKind = {
  resource: REPLICATION_CONTROLLERS,
  component: 'replication-controller',
  read({ spec = {}, status = {} }) {
    const { replicas = 1, minReadySeconds = 0, template = {} } = spec;
    const matchLabels = spec.selector as Record<string, string> | undefined;
    return { replicas, minReadySeconds, template, status, selector: matchLabels && { matchLabels } };
  },
};
