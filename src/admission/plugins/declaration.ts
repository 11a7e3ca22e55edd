import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import type { Scheme } from '../../model/scheme.ts';
import type { AdmissionOperation } from '../../request/admission.ts';
import type { Authorizer } from '../../request/attributes.ts';
import type { ClusterClock, ProcessClock } from '../../time/clock.ts';
import type { AdmissionListers } from '../listers.ts';
import type { PluginConfiguration } from '../plugin-configuration.ts';
import type { Wait } from '../retry-lookup.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';
import type { TolerationSeconds } from './default-toleration-seconds.ts';
import type { ReviewImages } from './image-policy-webhook.ts';
import type { OwnerResource } from './owner-references-permission-enforcement.ts';
import type { PodSecurityObserver } from './pod-security.ts';

/** The two phases of admission. */
export type AdmissionPhase = 'admit' | 'validate';

type Phases = Readonly<Partial<Record<AdmissionPhase, readonly AdmissionOperation[]>>>;

/** An admission plugin: all that flags, metrics and the chain have to know about it, with the releases that have it. */
export interface PluginDeclaration extends Life {
  readonly name: string;
  /** One line of Markdown for docs/admission.md. */
  readonly does: string;
  /** Whether it runs unless a flag disables it. */
  readonly isDefault: boolean;
  /** Enabling it logs a warning. */
  readonly isDeprecated?: boolean;
  /** The operations for which kube-apiserver 1.32 calls it, whatever the resource. */
  readonly operations: Phases;
  /** Creates it. Absent for the plugins that objects configure (webhooks, policies). */
  create?(options: PluginOptions): BuiltinPlugin;
}

export const CREATE = ['CREATE'] as const;
export const UPDATE = ['UPDATE'] as const;
export const WRITES = ['CREATE', 'UPDATE'] as const;
export const CHANGES = ['CREATE', 'UPDATE', 'DELETE'] as const;
export const ALL = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** The same operations in both phases. */
export const both = (operations: readonly AdmissionOperation[]): Phases => ({
  admit: operations,
  validate: operations,
});

/** What plugins need: each takes the members that it reads. */
export interface PluginOptions extends AdmissionListers, PluginConfiguration {
  /** The release whose rules hold. */
  readonly scheme: Scheme;
  /** Generates a random suffix for the names of token volumes. */
  readonly nameSuffix: () => string;
  readonly authorizer: Authorizer;
  /** The cluster's time in milliseconds. */
  readonly now: ClusterClock['now'];
  /** Whether pods can be resized. */
  readonly resizesPods: boolean;
  /** Returns whether a feature gate is on. */
  readonly isOn: RuleContext['isOn'];
  /** Monotonic clock in milliseconds. */
  readonly monotonic: ProcessClock['monotonic'];
  readonly wait: Wait;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly tolerationSeconds?: TolerationSeconds;
  /** Creates a namespace; resolves too if it exists. Rejects with the text of the refusal. */
  readonly createNamespace: (name: string) => Promise<void>;
  /** The resource that serves a kind; undefined if none does. */
  readonly resourceOfKind: (group: string, version: string, kind: string) => OwnerResource | undefined;
  readonly podSecurityObserver: PodSecurityObserver;
  /** Asks the image policy; needed with ImagePolicyWebhook. */
  readonly reviewImages: ReviewImages;
}
