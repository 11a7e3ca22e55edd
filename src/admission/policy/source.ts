import type { MatchResources, ParamKind, ParamRef } from '../../model/generated/admissionregistration-v1.ts';
import type { LabelSelector } from '../../model/label-selector.ts';
import type { ObjectMeta } from '../../model/object.ts';
import type { Logger } from '../../observability/log.ts';
import type { AdmissionOperation, AdmissionRequest } from '../../request/admission.ts';
import { runInTurns } from '../../steps/run.ts';
import type { Steps } from '../../steps/steps.ts';
import type { LoopTurns } from '../../steps/turns.ts';
import { processClock } from '../../time/clock.ts';
import type { EquivalentResources } from '../listers.ts';
import { type Candidate, MatchIndex, type MatchRules } from '../matching/match-index.ts';
import { isExemptFromPolicies } from '../matching/rules.ts';
import { compileSelector } from '../matching/selectors.ts';
import type { PolicyObjects } from './objects.ts';

/** What all kinds of policies have. */
export interface PolicyShape {
  readonly metadata?: ObjectMeta;
  readonly spec?: {
    readonly paramKind?: ParamKind;
    readonly matchConstraints?: MatchResources;
    readonly failurePolicy?: string;
  };
}

/** What all kinds of bindings have. */
export interface BindingShape {
  readonly metadata?: ObjectMeta;
  readonly spec?: {
    readonly policyName?: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    readonly validationActions?: readonly string[];
  };
}

/** What a policy or binding matches besides its rules. */
export interface Selectors {
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

/** A binding in force. */
export interface BoundPolicy {
  readonly name: string;
  readonly paramRef: ParamRef | undefined;
  readonly actions: readonly string[];
  readonly rules: MatchRules;
  readonly selectors: Selectors;
}

/** A policy in force: compiled, with its bindings in the order of their names. */
export interface PolicyHook<Compiled> {
  readonly name: string;
  /** Errors do not deny. */
  readonly ignoresErrors: boolean;
  readonly paramKind: ParamKind | undefined;
  readonly rules: MatchRules;
  readonly selectors: Selectors;
  /** By what their rules match, in the order of their names. */
  readonly bindings: MatchIndex<BoundPolicy>;
  readonly compiled: Compiled;
}

/** Where the policies of one kind come from, whatever they are compiled to. */
export interface PolicyOrigin<Policy extends PolicyShape, Binding extends BindingShape> {
  readonly objects: PolicyObjects<Policy, Binding>;
  readonly equivalents: EquivalentResources;
  readonly logger: Logger;
  /** The turns of the event loop for compilation. */
  readonly turns: LoopTurns;
}

export interface PolicySourceOptions<Policy extends PolicyShape, Binding extends BindingShape, Compiled>
  extends PolicyOrigin<Policy, Binding> {
  /** Loads what compilation needs; awaited before the first policy is compiled. */
  readonly load: () => Promise<(policy: Policy) => Steps<Compiled>>;
  /** Called when a policy has been compiled, with the milliseconds that it took. */
  readonly onCompiled?: ((milliseconds: number) => void) | undefined;
}

/**
 * The policies in force. They follow the stored objects: a change is compiled in steps while the previous
 * policies remain in force.
 */
export class PolicySource<Policy extends PolicyShape, Binding extends BindingShape, Compiled> {
  readonly #options: PolicySourceOptions<Policy, Binding, Compiled>;
  /** Compiled policies by uid and generation. */
  #compiled = new Map<string, Compiled>();
  #hooks: readonly Unindexed<Compiled>[] = [];
  #index: MatchIndex<PolicyHook<Compiled>> | undefined;
  /** Generation of the served resources that the index was made for. */
  #resources = -1;
  #compile: ((policy: Policy) => Steps<Compiled>) | undefined;
  #isChanged = false;
  #running: Promise<void> | undefined;
  #unfollow: (() => void) | undefined;
  #generation = 1;

  constructor(options: PolicySourceOptions<Policy, Binding, Compiled>) {
    this.#options = options;
  }

  /** Grows when the policies in force or the served resources change. */
  get generation(): number {
    return this.#generation + this.#options.equivalents.generation;
  }

  /** Whether no policy is in force. */
  get isEmpty(): boolean {
    return this.#hooks.length === 0;
  }

  /** Puts the stored policies in force, then follows their changes. @throws StorageUnavailableError */
  async start(): Promise<void> {
    this.#unfollow = await this.#options.objects.follow(() => this.#changed());
    this.#changed();
    await this.settled();
  }

  stop(): void {
    this.#unfollow?.();
  }

  /** Resolves when all changes so far are in force. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Whether a policy may match an operation on a resource in any of its versions. */
  handles(operation: AdmissionOperation, group: string, resource: string, subresource: string): boolean {
    return this.#hooks.length > 0 && this.#indexed().handles(operation, group, resource, subresource);
  }

  /** The policies whose rules may match a request, in the order of their names. */
  candidates(request: AdmissionRequest): readonly Candidate<PolicyHook<Compiled>>[] {
    return this.#indexed().candidates(request);
  }

  #indexed(): MatchIndex<PolicyHook<Compiled>> {
    const { equivalents } = this.#options;
    if (this.#index !== undefined && this.#resources === equivalents.generation) return this.#index;
    this.#resources = equivalents.generation;
    const hooks = this.#hooks.map((hook) => ({
      ...hook,
      bindings: new MatchIndex(hook.bound, ({ rules }) => rules, equivalents, isExemptFromPolicies),
    }));
    this.#index = new MatchIndex(hooks, ({ rules }) => rules, equivalents, isExemptFromPolicies);
    return this.#index;
  }

  #changed(): void {
    this.#isChanged = true;
    this.#running ??= this.#refresh();
  }

  async #refresh(): Promise<void> {
    // Changes of one turn of the event loop are one change.
    await Promise.resolve();
    while (this.#isChanged) {
      this.#isChanged = false;
      try {
        this.#hooks = await this.#readHooks();
        this.#index = undefined;
        this.#generation += 1;
      } catch (error) {
        this.#options.logger.error('failed to read admission policies; the previous ones remain in force', {
          err: (error as Error).message,
        });
      }
    }
    this.#running = undefined;
  }

  async #readHooks(): Promise<Unindexed<Compiled>[]> {
    const { objects } = this.#options;
    const bound = new Map<string, Binding[]>();
    for (const binding of objects.bindings()) {
      const policyName = binding.spec?.policyName ?? '';
      const others = bound.get(policyName);
      if (others === undefined) bound.set(policyName, [binding]);
      else others.push(binding);
    }
    const compiled = new Map<string, Compiled>();
    const hooks: Unindexed<Compiled>[] = [];
    for (const policy of objects.policies()) {
      const name = policy.metadata?.name ?? '';
      const bindings = bound.get(name);
      if (bindings === undefined) continue;
      const key = `${policy.metadata?.uid} ${policy.metadata?.generation}`;
      const program = this.#compiled.get(key) ?? (await this.#compileNew(policy));
      compiled.set(key, program);
      const { paramKind, matchConstraints, failurePolicy } = policy.spec ?? {};
      hooks.push({
        name,
        ignoresErrors: failurePolicy === 'Ignore',
        paramKind,
        ...matchOf(matchConstraints),
        bound: bindings.map(bind),
        compiled: program,
      });
    }
    this.#compiled = compiled;
    return hooks;
  }

  async #compileNew(policy: Policy): Promise<Compiled> {
    this.#compile ??= await this.#options.load();
    const started = processClock.monotonic();
    const compiled = await runInTurns(this.#options.turns, this.#compile(policy));
    this.#options.onCompiled?.(processClock.monotonic() - started);
    return compiled;
  }
}

/** A policy before its bindings are indexed for the served resources. */
type Unindexed<Compiled> = Omit<PolicyHook<Compiled>, 'bindings'> & {
  readonly bound: readonly BoundPolicy[];
};

function bind({ metadata, spec = {} }: BindingShape): BoundPolicy {
  const { paramRef, matchResources, validationActions = [] } = spec;
  return { name: metadata?.name ?? '', paramRef, actions: validationActions, ...matchOf(matchResources) };
}

/** An empty list of rules matches everything. */
function matchOf(resources: MatchResources = {}): {
  readonly rules: MatchRules;
  readonly selectors: Selectors;
} {
  const { resourceRules = [], excludeResourceRules, matchPolicy } = resources;
  return {
    rules: {
      rules: resourceRules.length === 0 ? undefined : resourceRules,
      excludes: excludeResourceRules,
      isExact: matchPolicy !== 'Equivalent',
    },
    selectors: {
      namespaces: compileSelector(resources.namespaceSelector),
      objects: compileSelector(resources.objectSelector),
    },
  };
}
