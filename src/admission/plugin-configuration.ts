import type { Toleration } from '../model/generated/core-v1.ts';
import type { QuotaScope } from '../quota/usage.ts';
import type { Policy } from './pod-security/policy.ts';

/** A limit on the rate of events. */
export interface EventLimit {
  readonly type: 'Server' | 'Namespace' | 'User' | 'SourceAndObject';
  /** Events per second in the long run. */
  readonly qps: number;
  /** Events at once. */
  readonly burst: number;
  /** Maximum number of namespaces, users or objects that are counted; 0: the default. */
  readonly cacheSize: number;
}

/** The pod security policy of namespaces without labels, and the exemptions from pod security. */
export interface PodSecuritySettings {
  readonly defaults: Policy;
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

/** The tolerations for namespaces without annotations. */
export interface TolerationSettings {
  /** Added to new pods. */
  readonly added: readonly Toleration[];
  /** The only tolerations that pods may have; empty: no restriction. */
  readonly allowed: readonly Toleration[];
}

/** A resource that may be consumed only if a quota covers it. */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** Parts of the names of quota resources that must be covered. */
  readonly matchContains: readonly string[];
  /** Scopes that must be covered. */
  readonly matchScopes: readonly QuotaScope[];
}

/** How long decisions of the image policy are kept, and what happens without one. Milliseconds. */
export interface ImagePolicySettings {
  readonly allowTtl: number;
  readonly denyTtl: number;
  /** Whether pods are allowed while the backend fails. */
  readonly defaultAllow: boolean;
}

/** The settings of the plugins that have a configuration document. */
export interface PluginConfiguration {
  readonly eventLimits: readonly EventLimit[];
  readonly imagePolicy: ImagePolicySettings | undefined;
  readonly podSecurity: PodSecuritySettings;
  /**
   * Node selectors by namespace, which restrict its pods; `clusterDefaultNodeSelector` applies to namespaces
   * without annotation.
   */
  readonly nodeSelectors: ReadonlyMap<string, string>;
  readonly tolerations: TolerationSettings;
  readonly limitedResources: readonly LimitedResource[];
}
