import type {
  Admission,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRequest,
} from '../request/admission.ts';
import { errors } from '../status/errors.ts';

type Step = (request: AdmissionRequest) => void | Promise<void>;

/** The admission steps of one operation on one resource. */
interface Prepared {
  readonly admit: readonly Step[];
  readonly validate: readonly Step[];
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
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  const changing = plugins.filter((plugin) => plugin.generation !== undefined);
  const prepared = new PreparedSteps(plugins);
  const ownPrepared = plugins.every(isInternal) ? prepared : new PreparedSteps(plugins.filter(isInternal));
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
    handles(operation, group, resource, subresource) {
      const { admit, validate } = current(false).get(operation, group, resource, subresource);
      return admit.length > 0 || validate.length > 0;
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
  readonly #known = new Map<string, Prepared>();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  get(operation: AdmissionOperation, group: string, resource: string, subresource: string): Prepared {
    const key = `${operation} ${group}/${resource}/${subresource}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      const applicable = this.#plugins.filter((plugin) =>
        plugin.handles(operation, group, resource, subresource),
      );
      known = {
        admit: applicable.flatMap((plugin) => stepOf(plugin, 'admit')),
        validate: applicable.flatMap((plugin) => stepOf(plugin, 'validate')),
        leavesProcess: applicable.some((plugin) =>
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
}

function stepOf(plugin: AdmissionPlugin, phase: 'admit' | 'validate'): Step[] {
  if (plugin[phase] === undefined) return [];
  return [
    (request) => {
      const effects = request.dryRun ? plugin.sideEffects?.(request) : undefined;
      if (effects !== undefined) throw errors.badRequest(effects);
      // The previous plugin may have changed the object in place.
      if (phase === 'admit') request.objectChanged();
      return plugin[phase]!(request);
    },
  ];
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
