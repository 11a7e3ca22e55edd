import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import type { MaybePromise } from '../../steps/steps.ts';

/** The stored policies and bindings of one kind, read from caches. */
export interface PolicyObjects<Policy, Binding> {
  policies(): readonly Policy[];
  bindings(): readonly Binding[];
  /**
   * Fills the caches, then calls `onChange` after each change, until the returned function is called.
   * @throws StorageUnavailableError
   */
  follow(onChange: () => void): Promise<() => void>;
}

/** A kind of parameters that is served. */
export interface ParameterKind {
  readonly namespaced: boolean;
  /** Returns an object as plain JSON that must not be changed. */
  get(namespace: string, name: string): MaybePromise<object | undefined>;
  /** Returns the selected objects in the order of their names; an empty namespace means all. */
  list(namespace: string, selector: LabelSelector): MaybePromise<readonly object[]>;
}

/** Finds the kinds of policy parameters (`paramKind`). The served kinds can change at any time. */
export interface ParameterKinds {
  find(apiVersion: string, kind: string): ParameterKind | undefined;
}
