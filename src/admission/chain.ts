import type {
  Admission,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRequest,
} from '../request/admission.ts';
import { errors } from '../status/errors.ts';
import type { AdmissionPhase } from './plugins/declaration.ts';

/** How often the plugins of a gap in the chain were passed over. */
export interface PassedCounter {
  count: number;
}

/**
 * Returns the counter of plugins that the chain leaves out in a phase of an operation, because they ignore the
 * resource or have no such phase; undefined without metrics.
 */
export type PassedPlugins = (
  operation: AdmissionOperation,
  phase: AdmissionPhase,
  plugins: readonly string[],
) => PassedCounter | undefined;

type Step = (request: AdmissionRequest) => void | Promise<void>;

/** The admission steps of one operation on one resource. */
interface Prepared {
  readonly admit: readonly Step[];
  readonly validate: readonly Step[];
  /** Whether a plugin acts on the resource. */
  readonly isHandled: boolean;
  /** The counters of the last gaps of the phases: of all plugins if none acts. */
  readonly passed: readonly PassedCounter[];
  /** A step may wait for something outside the process. */
  readonly leavesProcess: boolean;
}

/**
 * Maximum cached combinations of operation and resource; only churn of custom resources reaches it.
 */
const PREPARED_LIMIT = 20_000;

const isInternal = ({ isConfiguredByObjects }: AdmissionPlugin): boolean => isConfiguredByObjects !== true;

/**
 * Runs plugins in order: first the mutating phase, which is repeated once if a plugin asks for it, then the
 * validating phase. The applicable plugins are determined once per operation and resource, again when the
 * generation of a plugin changes. A plugin with side effects rejects dry runs. The writes of the server itself
 * skip plugins that are configured by objects.
 */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  passed: PassedPlugins = () => undefined,
): Admission {
  const changing = plugins.filter((plugin) => plugin.generation !== undefined);
  const prepared = new PreparedSteps(plugins, passed);
  const ownPrepared = plugins.every(isInternal)
    ? prepared
    : new PreparedSteps(plugins.filter(isInternal), passed);
  let generation = 0;

  const current = (own: boolean): PreparedSteps => {
    if (changing.length > 0) {
      let now = 0;
      for (const plugin of changing) now += plugin.generation!;
      if (now !== generation) {
        generation = now;
        prepared.clear();
      }
    }
    return own ? ownPrepared : prepared;
  };
  const stepsOf = ({ isOwnWrite, operation, resource, subresource }: AdmissionRequest): Prepared =>
    current(isOwnWrite).get(operation, resource.group, resource.resource, subresource);

  return {
    handles: (operation, group, resource, subresource) =>
      current(false).get(operation, group, resource, subresource).isHandled,
    passed(operation, group, resource, subresource) {
      for (const counter of current(false).get(operation, group, resource, subresource).passed)
        counter.count += 1;
    },
    leavesProcess: (operation, group, resource, subresource) =>
      current(false).get(operation, group, resource, subresource).leavesProcess,
    admit: (request) => mutate(stepsOf(request).admit, request),
    validate: (request) => run(stepsOf(request).validate, request, 0),
  };
}

/** The steps of these plugins by operation and resource. */
class PreparedSteps {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #passed: PassedPlugins;
  readonly #known = new Map<string, Prepared>();

  constructor(plugins: readonly AdmissionPlugin[], passed: PassedPlugins) {
    this.#plugins = plugins;
    this.#passed = passed;
  }

  get(operation: AdmissionOperation, group: string, resource: string, subresource: string): Prepared {
    const key = `${operation} ${group}/${resource}/${subresource}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      const applicable = new Set(
        this.#plugins.filter((plugin) => plugin.handles(operation, group, resource, subresource)),
      );
      const admit = this.#phase(operation, 'admit', applicable);
      const validate = this.#phase(operation, 'validate', applicable);
      known = {
        admit: admit.steps,
        validate: validate.steps,
        isHandled: [...applicable].some((plugin) => plugin.admit ?? plugin.validate),
        passed: [admit.last, validate.last].filter((counter) => counter !== undefined),
        leavesProcess: [...applicable].some((plugin) =>
          plugin.leavesProcess?.(operation, group, resource, subresource),
        ),
      };
      if (this.#known.size >= PREPARED_LIMIT) this.#known.clear();
      this.#known.set(key, known);
    }
    return known;
  }

  clear(): void {
    this.#known.clear();
  }

  /**
   * The steps of a phase. Each counts the plugins that were left out before it, so that a rejection does not
   * count those after it; a step at the end counts the last ones.
   */
  #phase(operation: AdmissionOperation, phase: AdmissionPhase, applicable: ReadonlySet<AdmissionPlugin>) {
    const steps: Step[] = [];
    let left: string[] = [];
    for (const plugin of this.#plugins) {
      if (applicable.has(plugin) && plugin[phase] !== undefined) {
        steps.push(stepOf(plugin, phase, this.#passed(operation, phase, left)));
        left = [];
      } else left.push(plugin.name);
    }
    const last = this.#passed(operation, phase, left);
    if (last !== undefined)
      steps.push(() => {
        last.count += 1;
      });
    return { steps, last };
  }
}

function stepOf(plugin: AdmissionPlugin, phase: AdmissionPhase, passed: PassedCounter | undefined): Step {
  return (request) => {
    if (passed !== undefined) passed.count += 1;
    const effects = request.dryRun ? plugin.sideEffects?.(request) : undefined;
    if (effects !== undefined) throw errors.badRequest(effects);
    // The previous plugin may have changed the object in place.
    if (phase === 'admit') request.objectChanged();
    return plugin[phase]!(request);
  };
}

/** Runs the mutating steps, and once more if one of them asked for it. */
function mutate(steps: readonly Step[], request: AdmissionRequest): void | Promise<void> {
  const again = (): void | Promise<void> => {
    const { rounds } = request;
    if (!rounds.needsSecond || rounds.round === 1) return;
    rounds.round = 1;
    return run(steps, request, 0);
  };
  const pending = run(steps, request, 0);
  return pending instanceof Promise ? pending.then(again) : again();
}

/** Runs steps in sequence; returns a promise only when a step is asynchronous. */
function run(steps: readonly Step[], request: AdmissionRequest, from: number): void | Promise<void> {
  for (let position = from; position < steps.length; position++) {
    const pending = steps[position]!(request);
    if (pending instanceof Promise) return pending.then(() => run(steps, request, position + 1));
  }
}
