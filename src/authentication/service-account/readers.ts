import type { KubernetesObject } from '../../model/object.ts';

type Awaitable<T> = T | Promise<T>;

/** Where the objects that tokens speak of are looked up. */
export interface TokenObjectReader {
  serviceAccount(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  pod(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  secret(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  node(name: string): Awaitable<KubernetesObject | undefined>;
}
