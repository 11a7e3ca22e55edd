import type { Authenticate } from '../filters/authentication.ts';
import { groupResourceOf } from '../model/object.ts';
import type { Histogram } from '../observability/metric-cells.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { WatchObserver } from '../reader/cached-source.ts';
import type { WorkQueueObserver } from '../reconcile/work-queue.ts';
import type {
  Admission,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRequest,
} from '../request/admission.ts';
import type { Authorizer, AuthorizerResult } from '../request/attributes.ts';
import type { Authenticated } from '../request/authenticator.ts';
import type { ResourceRow, ResourceSet } from '../resources/resource-set.ts';
import { isBuiltinPrefix } from '../resources/storage-type.ts';
import type { MeasuredStorage } from '../storage/measured-storage.ts';
import { processClock } from '../time/clock.ts';
import type { Activity } from './activity.ts';

/** User names that may be label values; the number of other names is unbounded. */
const NAMED_USERS = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);
const userLabel = (name: string): string =>
  NAMED_USERS.has(name) ? name : name.includes('@') ? 'email_id' : 'other';

/** Records the results and the duration of authentication. */
export function measureAuthentication(authenticate: Authenticate, metrics: ServerMetrics): Authenticate {
  const cells = (result: string) => ({
    attempts: metrics.authenticationAttempts.with(result),
    duration: metrics.authenticationDuration.with(result),
  });
  const results = { success: cells('success'), failure: cells('failure'), error: cells('error') };
  const done = (result: keyof typeof results, startedAt: number) => {
    results[result].attempts.add();
    results[result].duration.observe((processClock.monotonic() - startedAt) / 1000);
  };
  return (credentials) => {
    const startedAt = processClock.monotonic();
    const found = (authenticated: Authenticated | undefined) => {
      // Credentials that are rejected are an error; their absence is a failure.
      const refusal = credentials.header('authorization') === undefined ? 'failure' : 'error';
      done(authenticated === undefined ? refusal : 'success', startedAt);
      if (authenticated !== undefined)
        metrics.authenticatedUsers.with(userLabel(authenticated.user.name)).add();
      return authenticated;
    };
    const failed = (error: unknown): never => {
      done('error', startedAt);
      throw error;
    };
    try {
      const result = authenticate(credentials);
      return result instanceof Promise ? result.then(found, failed) : found(result);
    } catch (error) {
      return failed(error);
    }
  };
}

/**
 * Counts the decisions of one authorizer, without "no opinion".
 * @param type the authorization mode
 */
export function measureAuthorizer(type: string, authorizer: Authorizer, metrics: ServerMetrics): Authorizer {
  const allowed = metrics.authorizationDecisions.with(type, authorizer.name, 'allowed');
  const denied = metrics.authorizationDecisions.with(type, authorizer.name, 'denied');
  const count = (result: AuthorizerResult) => {
    if (result.decision === 'allow') allowed.add();
    else if (result.decision === 'deny') denied.add();
    return result;
  };
  return {
    name: authorizer.name,
    authorize(attributes) {
      const result = authorizer.authorize(attributes);
      return result instanceof Promise ? result.then(count) : count(result);
    },
    ...(authorizer.rulesFor === undefined ? {} : { rulesFor: authorizer.rulesFor.bind(authorizer) }),
  };
}

/** Records the results and the duration of the authorization of requests. */
export function measureAuthorization(authorizer: Authorizer, metrics: ServerMetrics): Authorizer {
  const cells = (result: string) => ({
    attempts: metrics.authorizationAttempts.with(result),
    duration: metrics.authorizationDuration.with(result),
  });
  const results = {
    allow: cells('allowed'),
    deny: cells('denied'),
    'no-opinion': cells('no-opinion'),
    error: cells('error'),
  };
  return {
    name: authorizer.name,
    authorize(attributes) {
      const startedAt = processClock.monotonic();
      const done = (result: AuthorizerResult) => {
        const failed = result.error !== undefined && result.decision !== 'allow';
        const { attempts, duration } = results[failed ? 'error' : result.decision];
        attempts.add();
        duration.observe((processClock.monotonic() - startedAt) / 1000);
        return result;
      };
      const result = authorizer.authorize(attributes);
      return result instanceof Promise ? result.then(done) : done(result);
    },
    ...(authorizer.rulesFor === undefined ? {} : { rulesFor: authorizer.rulesFor.bind(authorizer) }),
  };
}

type AdmissionStep = (request: AdmissionRequest) => void | Promise<void>;

/** Measures a step of admission. @param done called when it has ended; a step that throws rejects the request */
const timedStep =
  (
    step: AdmissionStep,
    done: (operation: AdmissionOperation, rejected: 'true' | 'false', seconds: number) => void,
  ): AdmissionStep =>
  (request) => {
    const startedAt = processClock.monotonic();
    const ended = (rejected: 'true' | 'false'): void =>
      done(request.operation, rejected, (processClock.monotonic() - startedAt) / 1000);
    const failed = (error: unknown): never => {
      ended('true');
      throw error;
    };
    try {
      const result = step(request);
      if (result instanceof Promise) return result.then(() => ended('false'), failed);
    } catch (error) {
      return failed(error);
    }
    ended('false');
  };

/** Records the duration of an admission plugin. */
export function measurePlugin(plugin: AdmissionPlugin, metrics: ServerMetrics): AdmissionPlugin {
  const timed = (type: 'admit' | 'validate', step: AdmissionStep): AdmissionStep =>
    timedStep(step, (operation, rejected, seconds) =>
      metrics.admissionDuration.with(plugin.name, type, operation, rejected).observe(seconds),
    );
  return Object.assign(new MeasuredPlugin(plugin), {
    isConfiguredByObjects: plugin.isConfiguredByObjects === true,
    ...(plugin.leavesProcess === undefined ? {} : { leavesProcess: plugin.leavesProcess.bind(plugin) }),
    handles: plugin.handles.bind(plugin),
    ...(plugin.admit === undefined ? {} : { admit: timed('admit', plugin.admit.bind(plugin)) }),
    ...(plugin.validate === undefined ? {} : { validate: timed('validate', plugin.validate.bind(plugin)) }),
    ...(plugin.sideEffects === undefined ? {} : { sideEffects: plugin.sideEffects.bind(plugin) }),
  });
}

/** The name and the current generation of a measured plugin. */
class MeasuredPlugin implements Pick<AdmissionPlugin, 'name' | 'generation'> {
  readonly name: string;
  readonly #plugin: AdmissionPlugin;

  constructor(plugin: AdmissionPlugin) {
    this.name = plugin.name;
    this.#plugin = plugin;
  }

  get generation(): number | undefined {
    return this.#plugin.generation;
  }
}

/** Measures the phases of admission, each with all of its plugins. */
export function measureSteps(
  admission: Admission,
  { stepDuration, stepSummary }: Pick<ServerMetrics, 'stepDuration' | 'stepSummary'>,
): Admission {
  const record = (
    type: 'admit' | 'validate',
    operation: AdmissionOperation,
    rejected: 'true' | 'false',
    seconds: number,
  ): void => {
    stepDuration.with(type, operation, rejected).observe(seconds);
    stepSummary.with(type, operation, rejected).observe(seconds);
  };
  const timed = (type: 'admit' | 'validate'): AdmissionStep =>
    timedStep(
      (request) => admission[type](request),
      (operation, rejected, seconds) => record(type, operation, rejected, seconds),
    );
  return {
    ...admission,
    admit: timed('admit'),
    validate: timed('validate'),
    passed(operation, group, resource, subresource) {
      record('admit', operation, 'false', 0);
      record('validate', operation, 'false', 0);
      admission.passed?.(operation, group, resource, subresource);
    },
  };
}

/** Records the number and size of watch events. */
export function measureWatches(metrics: ServerMetrics): (row: ResourceRow) => (bytes: number) => void {
  return (row) => {
    const labels = Object.values(metrics.resourceLabels.ofWatch(row));
    const events = metrics.watchEvents.with(...labels);
    const sizes = metrics.watchEventSizes.with(...labels);
    return (bytes) => {
      events.add();
      sizes.observe(bytes);
    };
  };
}

/** Counts the sources of controllers as the watches that they are in kube-controller-manager. */
export function measureSources(metrics: ServerMetrics): (row: ResourceRow) => WatchObserver {
  const measure = measureWatches(metrics);
  return (row) => {
    const { group, version, resource } = row;
    const open = metrics.longRunning.with('WATCH', group, version, resource, '', 'cluster', 'apiserver');
    open.add(1);
    return { changed: measure(row), ended: () => open.add(-1) };
  };
}

/** Records how long requests wait for caches. The series of a resource is kept, as it is used for each list. */
export function measureFreshness(metrics: ServerMetrics): (row: ResourceRow, seconds: number) => void {
  const byRow = new WeakMap<ResourceRow, Histogram>();
  return (row, seconds) => {
    let histogram = byRow.get(row);
    if (histogram === undefined) {
      histogram = metrics.freshnessWait.with(groupResourceOf(row.group, row.resource));
      byRow.set(row, histogram);
    }
    histogram.observe(seconds);
  };
}

/** Reports resources that are no longer served in a version. */
export const onRemovedResource =
  (resources: ResourceSet) =>
  (listener: (removed: ResourceRow) => void): void => {
    resources.onChange(({ removed }) => {
      for (const row of removed)
        if (resources.find(row.group, row.version, row.resource) === undefined) listener(row);
    });
  };

/**
 * Removes the series of watches and of the store when their kind is no longer served; those of requests are
 * removed by the metrics filter.
 */
export function removeSeriesOfKinds(
  resources: ResourceSet,
  metrics: ServerMetrics,
  storage: Pick<MeasuredStorage, 'limitPrefixes' | 'forgetPrefix'>,
): void {
  storage.limitPrefixes((prefix) => isBuiltinPrefix(prefix) || resources.servesPrefix(prefix));
  onRemovedResource(resources)((row) => {
    const labels = metrics.resourceLabels.ofWatch(row);
    metrics.watchEvents.remove(labels);
    metrics.watchEventSizes.remove(labels);
    const { storage: stored } = row;
    if (stored !== undefined && !resources.servesPrefix(stored.prefix)) storage.forgetPrefix(stored.prefix);
  });
}

/** Counts the keys of work queues by controller. */
/** @param activity of the cluster whose queues they are */
export function measureQueues(
  metrics: ServerMetrics,
  activity: Activity,
): (controller: string) => WorkQueueObserver {
  return (controller) => {
    const depth = metrics.queueDepth.with(controller);
    const adds = metrics.queueAdds.with(controller);
    const retries = metrics.queueRetries.with(controller).show();
    const wait = metrics.queueWait.with(controller);
    const work = metrics.queueWork.with(controller);
    const unfinished = metrics.queueUnfinished.with(controller);
    const longest = metrics.queueLongest.with(controller);
    return {
      idle: (isIdle) => activity.follow(isIdle),
      depth: (keys) => depth.set(keys),
      added: () => adds.add(),
      retried: () => retries.add(),
      waited: (seconds) => wait.observe(seconds),
      worked: (seconds) => work.observe(seconds),
      running(seconds) {
        metrics.queueUnfinished.beforeRead(controller, () =>
          unfinished.set(seconds().reduce((sum, value) => sum + value, 0)),
        );
        metrics.queueLongest.beforeRead(controller, () => longest.set(Math.max(0, ...seconds())));
      },
    };
  };
}
