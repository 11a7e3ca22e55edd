import { duplicate, type FieldError, forbidden, invalid, notFound, notSupported, required } from '../../../status/field-error.ts';
import { invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { dns1123Label, portName, portNumber } from '../../validation/names.ts';
import { validateResourceRequirements } from '../../validation/resources.ts';
import { validateEnvironment, validateEnvironmentSources } from './environment-validation.ts';
import { PULL_POLICIES } from './image-reference.ts';
import { type Volumes, validateVolumeDevices, validateVolumeMounts } from './mounts-validation.ts';
import type { Container, ContainerPort, EphemeralContainer, PodSpec } from './pod-types.ts';
import { validateLifecycle, validateProbes } from './probe-validation.ts';
import type { SpecRules } from './rules.ts';
import { validateSecurityContext } from './security-context-validation.ts';

/** Printed in the order that the wire has it. */
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MESSAGE_POLICIES = ['FallbackToLogsOnError', 'File'];

/** All containers of a pod, of the three kinds. */
export function validateContainers(spec: PodSpec, volumes: Volumes, field: string, rules: SpecRules): FieldError[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec;
  const grace = Number(spec.terminationGracePeriodSeconds ?? 0);
  const names = new Set<string>();
  const named = ({ name = '' }: Container | EphemeralContainer, path: string): FieldError[] => {
    if (names.has(name) && name !== '') return [duplicate(`${path}.name`, name)];
    names.add(name);
    return [];
  };
  const hostNetwork = spec.hostNetwork === true;
  const targets = new Set(ephemeralContainers.length === 0 ? [] : [...containers, ...initContainers].map(({ name }) => name));
  return [
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...containers.flatMap((container, index) => {
      const path = `${field}.containers[${index}]`;
      return [
        ...validateCommon(container, volumes, path, rules, hostNetwork),
        ...named(container, path),
        ...validateLifecycle(container, path, grace),
        ...validateProbes(container, path, grace),
        ...(container.restartPolicy === undefined ? [] : [forbidden(`${path}.restartPolicy`, 'may not be set for non-init containers')]),
      ];
    }),
    ...validateHostPorts(containers, `${field}.containers`),
    ...initContainers.flatMap((container, index) => {
      const path = `${field}.initContainers[${index}]`;
      return [
        ...validateCommon(container, volumes, path, rules, hostNetwork),
        ...named(container, path),
        ...validateInit(container, path, grace),
        ...validateHostPorts([container], `${field}.initContainers`, index),
      ];
    }),
    ...ephemeralContainers.flatMap((container, index) => {
      const path = `${field}.ephemeralContainers[${index}]`;
      return [...validateCommon(container, volumes, path, rules, hostNetwork), ...named(container, path), ...validateEphemeral(container, targets, path)];
    }),
  ];
}

function validateCommon(container: Container | EphemeralContainer, volumes: Volumes, field: string, rules: SpecRules, hostNetwork: boolean): FieldError[] {
  const { name = '', image = '', terminationMessagePolicy, imagePullPolicy } = container;
  return [
    ...(name === '' ? [required(`${field}.name`)] : invalidTexts(`${field}.name`, name, dns1123Label(name))),
    ...(image === '' ? [required(`${field}.image`)] : []),
    ...(rules.isPod && image !== image.trim() ? [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')] : []),
    ...(terminationMessagePolicy
      ? validateOneOf(terminationMessagePolicy, MESSAGE_POLICIES, `${field}.terminationMessagePolicy`)
      : [required(`${field}.terminationMessagePolicy`)]),
    ...validatePorts(container.ports, `${field}.ports`, rules, hostNetwork),
    ...validateEnvironment(container.env, `${field}.env`),
    ...validateEnvironmentSources(container.envFrom, `${field}.envFrom`),
    ...validateVolumeMounts(container, volumes, `${field}.volumeMounts`),
    ...validateVolumeDevices(container, volumes, `${field}.volumeDevices`),
    ...(imagePullPolicy ? validateOneOf(imagePullPolicy, PULL_POLICIES, `${field}.imagePullPolicy`) : [required(`${field}.imagePullPolicy`)]),
    ...validateResourceRequirements(container.resources, `${field}.resources`),
    ...validateSecurityContext(container.securityContext, `${field}.securityContext`, rules),
  ];
}

function validatePorts(ports: readonly ContainerPort[] = [], field: string, { isPod }: SpecRules, hostNetwork: boolean): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name = '', containerPort = 0, hostPort = 0, protocol = '' }, index) => {
    const path = `${field}[${index}]`;
    const errors: FieldError[] = [];
    if (name !== '') {
      const texts = portName(name);
      if (texts.length > 0) errors.push(...invalidTexts(`${path}.name`, name, texts));
      else if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
      else names.add(name);
    }
    errors.push(
      ...(containerPort === 0 ? [required(`${path}.containerPort`)] : invalidTexts(`${path}.containerPort`, containerPort, portNumber(containerPort))),
    );
    if (hostPort !== 0) errors.push(...invalidTexts(`${path}.hostPort`, hostPort, portNumber(hostPort)));
    // In a template the host port may still be filled in when pods are made.
    if (hostNetwork && (isPod || hostPort !== 0) && hostPort !== containerPort)
      errors.push(invalid(`${path}.hostPort`, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    if (protocol === '') errors.push(required(`${path}.protocol`));
    else if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
    return errors;
  });
}

/** Two containers of one pod can't have the same port of the node. */
function validateHostPorts(containers: readonly Container[], field: string, firstIndex = 0): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, containerIndex) =>
    ports.flatMap(({ protocol = '', hostIP = '', hostPort = 0 }, index) => {
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (hostPort === 0) return [];
      if (taken.has(key)) return [duplicate(`${field}[${firstIndex + containerIndex}].ports[${index}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}

function validateInit(container: Container, field: string, grace: number): FieldError[] {
  if (container.restartPolicy !== undefined && container.restartPolicy !== 'Always')
    return [notSupported(`${field}.restartPolicy`, container.restartPolicy, ['Always'])];
  if (container.restartPolicy === 'Always') return [...validateLifecycle(container, field, grace), ...validateProbes(container, field, grace)];
  return (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const).flatMap((name) =>
    container[name] === undefined ? [] : [forbidden(`${field}.${name}`, 'may not be set for init containers without restartPolicy=Always')],
  );
}

const isSet = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0) && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function validateEphemeral(container: EphemeralContainer, targets: ReadonlySet<string | undefined>, field: string): FieldError[] {
  const target = container.targetContainerName ?? '';
  const text = 'cannot be set for an Ephemeral Container';
  return [
    ...(target !== '' && !targets.has(target) ? [notFound(`${field}.targetContainerName`, target)] : []),
    ...(['ports', 'resources', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'restartPolicy'] as const).flatMap((name) =>
      isSet(container[name]) ? [forbidden(`${field}.${name}`, text)] : [],
    ),
    ...(container.volumeMounts ?? []).flatMap((mount, index) =>
      (['subPath', 'subPathExpr'] as const).flatMap((name) => (mount[name] ? [forbidden(`${field}.volumeMounts[${index}].${name}`, text)] : [])),
    ),
  ];
}
