import type {
  Container,
  EphemeralContainer,
  PodSpec,
  PodTemplateSpec,
  Probe,
} from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { setMember } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import { setVolumeDefaults } from '../volumes/volume-defaults.ts';
import { defaultPullPolicy } from './image-reference.ts';
import { POD_LEVEL_RESOURCES, setPodLevelResources } from './pod-level-resources.ts';

/** The feature gate of resizing pods in place. */
export const IN_PLACE_RESIZE = 'InPlacePodVerticalScaling';

/** The resources of a container that can change while it runs. */
export const RESIZABLE_RESOURCES: readonly string[] = ['cpu', 'memory'];

/** Sets the defaults of a pod specification in a pod or template. */
export function setPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.schedulerName ||= 'default-scheduler';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  syncServiceAccount(spec);
  roundResourceList(spec.overhead);
  roundResourceList(spec.resources?.limits);
  roundResourceList(spec.resources?.requests);
  spec.volumes?.forEach(setVolumeDefaults);
  spec.initContainers?.forEach(setContainerDefaults);
  spec.containers?.forEach(setContainerDefaults);
  spec.ephemeralContainers?.forEach(setContainerDefaults);
}

/** Sets the defaults of a template; an absent `spec` is created. */
export function setPodTemplateDefaults(template: PodTemplateSpec): void {
  template.spec ??= {};
  dropInitContainerAnnotations(template.metadata);
  setPodSpecDefaults(template.spec);
}

/** Mirrors `serviceAccountName` and the deprecated `serviceAccount`; the former takes precedence. */
export function syncServiceAccount(spec: PodSpec): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) spec.serviceAccountName = spec.serviceAccount = account;
}

/** The releases that name a resize policy for each requested resource. */
const NAMES_POLICIES: Life = { until: '1.33' };

/** Whether pods have resize policies that no client named. */
export const defaultsResizePolicies = ({ has, isOn }: RuleContext): boolean =>
  has(NAMES_POLICIES) && isOn(IN_PLACE_RESIZE);

/** Sets the defaults that apply to pods but not to templates. */
export function setPodOnlyDefaults(spec: PodSpec, context: RuleContext): void {
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    setRequestsFromLimits(container);
    if (spec.hostNetwork) for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  }
  if (defaultsResizePolicies(context)) setResizePolicies(spec);
  if (context.isOn(POD_LEVEL_RESOURCES)) setPodLevelResources(spec, context);
  spec.enableServiceLinks ??= true;
}

/** Names a resize policy for the CPU and memory that each container requests, after the requests were completed. */
function setResizePolicies({ containers = [] }: PodSpec): void {
  for (const container of containers) {
    const { requests } = container.resources ?? {};
    const named = new Set(container.resizePolicy?.map(({ resourceName = '' }) => resourceName));
    const missing = RESIZABLE_RESOURCES.filter(
      (name) => !named.has(name) && Object.hasOwn(requests ?? {}, name),
    );
    if (missing.length === 0) continue;
    container.resizePolicy = [
      ...(container.resizePolicy ?? []),
      ...missing.map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' })),
    ];
  }
}

function setRequestsFromLimits({ resources }: Container): void {
  if (resources?.limits === undefined) return;
  const { limits } = resources;
  if (resources.requests === undefined) resources.requests = { ...limits };
  else
    for (const name of Object.keys(limits))
      if (!Object.hasOwn(resources.requests, name)) setMember(resources.requests, name, limits[name]!);
}

function setContainerDefaults(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image);
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? [])
    if (valueFrom?.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ||= 'v1';
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    if (probe !== undefined) setProbeDefaults(probe);
  for (const handler of [container.lifecycle?.postStart, container.lifecycle?.preStop])
    setHttpGetDefaults(handler?.httpGet);
  roundResourceList(container.resources?.limits);
  roundResourceList(container.resources?.requests);
}

function setProbeDefaults(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.grpc !== undefined) probe.grpc.service ??= '';
  setHttpGetDefaults(probe.httpGet);
}

function setHttpGetDefaults(action: { path?: string; scheme?: string } | undefined): void {
  if (action === undefined) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

const INIT_CONTAINER_ANNOTATIONS = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

/** Drops the obsolete annotations that once held init containers. */
export function dropInitContainerAnnotations(
  metadata: { annotations?: Record<string, string> } | undefined,
): void {
  if (metadata?.annotations === undefined) return;
  for (const key of INIT_CONTAINER_ANNOTATIONS) delete metadata.annotations[key];
}
