import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  PodSpec,
} from '../../../model/generated/core-v1.ts';
import { dns1123Label, portName, portNumber } from '../../../model/name-syntax.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  required,
} from '../../../status/field-error.ts';
import { checkEach, once, spend } from '../../../steps/replay.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { validateResourceRequirements } from '../../validation/resources.ts';
import { type Volumes, validateVolumeDevices, validateVolumeMounts } from '../volumes/mounts-validation.ts';
import { validateEnvironment, validateEnvironmentSources } from './environment-validation.ts';
import { PULL_POLICIES } from './image-reference.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';
import { type HookContext, hookContext, validateLifecycle, validateProbes } from './probe-validation.ts';
import {
  allowsSidecarResizePolicies,
  forbidResizePolicies,
  validateResizePolicies,
} from './resize-policy-validation.ts';
import { validateContainerClaims } from './resource-claims-validation.ts';
import { validateInitRestart, validateRestart } from './restart-rules-validation.ts';
import { validateSecurityContext } from './security-context-validation.ts';

/** In the order of kube-apiserver's error messages. */
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];

/** Approximate cost of validating a container, in microseconds. */
const CONTAINER_COST = 16;

interface ContainerContext {
  readonly volumes: Volumes;
  readonly options: PodSpecValidationOptions;
  readonly spec: PodSpec;
  readonly hooks: HookContext;
}

/** Validates regular, init and ephemeral containers. */
export function validateContainers(
  spec: PodSpec,
  volumes: Volumes,
  field: string,
  options: PodSpecValidationOptions,
): FieldError[] {
  const context = { volumes, options, spec, hooks: hookContext(spec, options) };
  return [
    ...validateRegularContainers(spec, `${field}.containers`, context),
    ...validateInitContainers(spec, `${field}.initContainers`, context),
    ...validateEphemeralContainers(spec, `${field}.ephemeralContainers`, context),
  ];
}

function validateRegularContainers(
  { containers = [] }: PodSpec,
  field: string,
  context: ContainerContext,
): FieldError[] {
  if (containers.length === 0) return [required(field)];
  const repeated = once(containers, { place: 'names', cost: walkCost(containers) }, () =>
    findDuplicates(containers, nameOf),
  );
  const errors = checkEach(containers, { place: field, cost: CONTAINER_COST }, (container, index) => {
    const { name = '' } = container;
    const path = `${field}[${index}]`;
    return [
      ...validateCommon(container, path, context),
      ...(repeated.has(index) ? [duplicate(`${path}.name`, name)] : []),
      ...validateLifecycle(container, path, context.hooks),
      ...validateProbes(container, path, context.hooks),
      ...validateRestart(container, path, context.options),
    ];
  });
  const hostPorts = once(containers, { place: 'host ports', cost: walkCost(containers) }, () =>
    validateHostPorts(containers, field),
  );
  return [...errors, ...hostPorts];
}

function validateInitContainers(
  { containers = [], initContainers = [] }: PodSpec,
  field: string,
  context: ContainerContext,
): FieldError[] {
  if (initContainers.length === 0) return [];
  const cost = walkCost(containers) + walkCost(initContainers);
  const { repeated, hasUnnamed } = once(initContainers, { place: 'names', cost }, () => {
    const others = new Set(containers.map(({ name = '' }) => name));
    // An empty name is a duplicate only if a regular container has none either.
    return { hasUnnamed: others.has(''), repeated: findDuplicates(initContainers, nameOf, others) };
  });
  const allowsResizePolicies = allowsSidecarResizePolicies(context.options);
  return checkEach(initContainers, { place: field, cost: CONTAINER_COST }, (container, index) => {
    const { name = '', restartPolicy } = container;
    const path = `${field}[${index}]`;
    const isRepeated = repeated.has(index) && (name !== '' || hasUnnamed);
    return [
      ...validateCommon(container, path, context),
      ...validateInitRestart(container, path, context.options),
      ...(isRepeated ? [duplicate(`${path}.name`, name)] : []),
      // Init containers run in sequence, so host ports are only compared within one container. In these
      // errors the container index is always 0.
      ...validateHostPorts([container], field),
      ...(restartPolicy === 'Always'
        ? [
            ...validateLifecycle(container, path, context.hooks),
            ...validateProbes(container, path, context.hooks),
          ]
        : forbidProbes(container, path)),
      ...(allowsResizePolicies ? [] : forbidResizePolicies(container, `${path}.resizePolicy`)),
    ];
  });
}

const nameOf = ({ name = '' }: { readonly name?: string }): string => name;

/** Cost of looking at each container once, in microseconds. */
const walkCost = (containers: readonly unknown[]): number => Math.ceil(containers.length / 8);

function forbidProbes(container: Container, field: string): FieldError[] {
  return (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const).flatMap((name) =>
    container[name] === undefined
      ? []
      : [forbidden(`${field}.${name}`, 'may not be set for init containers without restartPolicy=Always')],
  );
}

/** Validates ephemeral containers; those of a template are also rejected elsewhere. */
function validateEphemeralContainers(spec: PodSpec, field: string, context: ContainerContext): FieldError[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  if (ephemeralContainers.length === 0) return [];
  const cost = walkCost(containers) + walkCost(initContainers) + walkCost(ephemeralContainers);
  const { targets, repeated } = once(ephemeralContainers, { place: 'names', cost }, () => {
    const names = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
    return { targets: names, repeated: findDuplicates(ephemeralContainers, nameOf, new Set(names)) };
  });
  return checkEach(ephemeralContainers, { place: field, cost: CONTAINER_COST }, (container, index) => {
    const { name = '' } = container;
    const path = `${field}[${index}]`;
    return [
      ...validateCommon(container, path, context),
      ...validateImageWhitespace(container, path),
      ...(repeated.has(index) ? [duplicate(`${path}.name`, name)] : []),
      ...validateEphemeral(container, targets, path),
    ];
  });
}

function validateCommon(
  container: Container | EphemeralContainer,
  field: string,
  { volumes, options, spec }: ContainerContext,
): FieldError[] {
  const { name = '', image = '', terminationMessagePolicy, imagePullPolicy } = container;
  return [
    ...(name === '' ? [required(`${field}.name`)] : invalidTexts(`${field}.name`, name, dns1123Label(name))),
    ...(image === '' ? [required(`${field}.image`)] : []),
    ...validateRequiredOneOf(terminationMessagePolicy, MESSAGE_POLICIES, `${field}.terminationMessagePolicy`),
    ...validatePorts(container.ports, `${field}.ports`),
    ...validateEnvironment(container.env, `${field}.env`, options),
    ...validateEnvironmentSources(container.envFrom, `${field}.envFrom`),
    ...validateVolumeMounts(container, volumes, `${field}.volumeMounts`, options),
    ...validateVolumeDevices(container, volumes, `${field}.volumeDevices`),
    ...validateRequiredOneOf(imagePullPolicy, PULL_POLICIES, `${field}.imagePullPolicy`),
    ...validateResourceRequirements(container.resources, `${field}.resources`),
    ...validateContainerClaims(container.resources?.claims, spec.resourceClaims, `${field}.resources.claims`),
    ...validateResizePolicies(container.resizePolicy, `${field}.resizePolicy`, spec.restartPolicy),
    ...validateSecurityContext(container.securityContext, `${field}.securityContext`, options, spec),
  ];
}

/** Rejects surrounding whitespace in an image; regular and init containers of templates are exempt. */
export function validateImageWhitespace(
  { image = '' }: Container | EphemeralContainer,
  field: string,
): FieldError[] {
  return image === image.trim()
    ? []
    : [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')];
}

function validatePorts(ports: readonly ContainerPort[] = [], field: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name = '', containerPort = 0, hostPort = 0, protocol = '' }, index) => {
    spend(1);
    const path = `${field}[${index}]`;
    const errors: FieldError[] = [];
    if (name !== '') {
      const texts = portName(name);
      if (texts.length > 0) errors.push(...invalidTexts(`${path}.name`, name, texts));
      else if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
      else names.add(name);
    }
    if (containerPort === 0) errors.push(required(`${path}.containerPort`));
    else errors.push(...invalidTexts(`${path}.containerPort`, containerPort, portNumber(containerPort)));
    if (hostPort !== 0) errors.push(...invalidTexts(`${path}.hostPort`, hostPort, portNumber(hostPort)));
    errors.push(...validateRequiredOneOf(protocol, PROTOCOLS, `${path}.protocol`));
    return errors;
  });
}

/**
 * With `hostNetwork` the host port must equal the container port. In a template an absent host port is
 * allowed, because it is defaulted when pods are created.
 */
export function validateHostNetworkPorts(
  { hostNetwork, containers = [] }: PodSpec,
  field: string,
  { isPod }: PodSpecValidationOptions,
): FieldError[] {
  if (hostNetwork !== true) return [];
  return containers.flatMap(({ ports = [] }, containerIndex) =>
    ports.flatMap(({ containerPort = 0, hostPort = 0 }, index) => {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) return [];
      const path = `${field}.containers[${containerIndex}].ports[${index}].hostPort`;
      return [invalid(path, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}

/** Rejects host ports used twice in a pod. */
function validateHostPorts(containers: readonly Container[], field: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap(({ ports = [] }, containerIndex) =>
    ports.flatMap(({ protocol = '', hostIP = '', hostPort = 0 }, index) => {
      if (hostPort === 0) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (seen.has(key)) return [duplicate(`${field}[${containerIndex}].ports[${index}].hostPort`, key)];
      seen.add(key);
      return [];
    }),
  );
}

/**
 * Members forbidden in ephemeral containers, in validation order. Empty lists and probes are rejected too.
 */
const FORBIDDEN_EPHEMERAL_MEMBERS = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

function validateEphemeral(
  container: EphemeralContainer,
  targets: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const target = container.targetContainerName ?? '';
  const text = 'cannot be set for an Ephemeral Container';
  const isSet = (name: (typeof FORBIDDEN_EPHEMERAL_MEMBERS)[number]): boolean =>
    name === 'resources'
      ? Object.values(container.resources ?? {}).some((part) => part !== undefined)
      : container[name] !== undefined;
  return [
    ...(target !== '' && !targets.has(target) ? [notFound(`${field}.targetContainerName`, target)] : []),
    ...FORBIDDEN_EPHEMERAL_MEMBERS.flatMap((name) =>
      isSet(name) ? [forbidden(`${field}.${name}`, text)] : [],
    ),
    ...(container.volumeMounts ?? []).flatMap((mount, index) =>
      (['subPath', 'subPathExpr'] as const).flatMap((name) =>
        mount[name] ? [forbidden(`${field}.volumeMounts[${index}].${name}`, text)] : [],
      ),
    ),
  ];
}

/** Validates a required value of a closed set. */
const validateRequiredOneOf = (
  value: string | undefined,
  supported: readonly string[],
  field: string,
): FieldError[] => (value ? validateOneOf(value, supported, field) : [required(field)]);
