import type { KubernetesObject } from '../../model/object.ts';

type Awaitable<T> = T | Promise<T>;

/** Looks up the objects that tokens refer to. */
export interface TokenObjectLister {
  serviceAccount(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  pod(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  secret(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  node(name: string): Awaitable<KubernetesObject | undefined>;
}
