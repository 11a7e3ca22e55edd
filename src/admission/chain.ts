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
}

/**
 * Maximum cached combinations of operation and resource; only churn of custom resources reaches it.
 */
const PREPARED_LIMIT = 20_000;

/**
 * Runs plugins in order: first the mutating phase, then the validating phase. The applicable plugins are
 * determined once per operation and resource. A plugin with side effects rejects dry runs.
 */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  const prepared = new Map<string, Prepared>();

  const prepare = (
    operation: AdmissionOperation,
    group: string,
    resource: string,
    subresource: string,
  ): Prepared => {
    const key = `${operation} ${group}/${resource}/${subresource}`;
    let known = prepared.get(key);
    if (known === undefined) {
      const applicable = plugins.filter((plugin) => plugin.handles(operation, group, resource, subresource));
      known = {
        admit: applicable.flatMap((plugin) => stepOf(plugin, 'admit')),
        validate: applicable.flatMap((plugin) => stepOf(plugin, 'validate')),
      };
      if (prepared.size >= PREPARED_LIMIT) prepared.clear();
      prepared.set(key, known);
    }
    return known;
  };

  return {
    handles(operation, group, resource, subresource) {
      const { admit, validate } = prepare(operation, group, resource, subresource);
      return admit.length > 0 || validate.length > 0;
    },
    leavesProcess: (operation, group, resource, subresource) =>
      plugins.some(
        (plugin) =>
          plugin.leavesProcess !== undefined &&
          plugin.handles(operation, group, resource, subresource) &&
          plugin.leavesProcess(operation, group, resource, subresource),
      ),
    admit: (request) =>
      run(
        prepare(request.operation, request.resource.group, request.resource.resource, request.subresource)
          .admit,
        request,
        0,
      ),
    validate: (request) =>
      run(
        prepare(request.operation, request.resource.group, request.resource.resource, request.subresource)
          .validate,
        request,
        0,
      ),
  };
}

function stepOf(plugin: AdmissionPlugin, phase: 'admit' | 'validate'): Step[] {
  if (plugin[phase] === undefined) return [];
  return [
    (request) => {
      const effects = request.dryRun ? plugin.sideEffects?.(request) : undefined;
      if (effects !== undefined) throw errors.badRequest(effects);
      return plugin[phase]!(request);
    },
  ];
}

/** Runs steps in sequence; returns a promise only when a step is asynchronous. */
function run(steps: readonly Step[], request: AdmissionRequest, from: number): void | Promise<void> {
  for (let position = from; position < steps.length; position++) {
    const pending = steps[position]!(request);
    if (pending instanceof Promise) return pending.then(() => run(steps, request, position + 1));
  }
}
