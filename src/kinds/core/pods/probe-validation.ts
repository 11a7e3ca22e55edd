import type { Container, LifecycleHandler, Probe } from '../../../model/generated/core-v1.ts';
import { httpHeaderName } from '../../../model/name-syntax.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { invalidTexts, validateNonNegative } from '../../validation/fields.ts';
import { validatePortNumberOrName } from '../../validation/int-or-percent.ts';

type Handler = LifecycleHandler & Pick<Probe, 'grpc'>;
type Probed = Pick<Container, 'livenessProbe' | 'readinessProbe' | 'startupProbe' | 'lifecycle'>;

/** Validates the probes of a regular or sidecar container. */
export function validateProbes(
  { livenessProbe, readinessProbe, startupProbe }: Probed,
  field: string,
  gracePeriod: number,
): FieldError[] {
  const validateSuccessThreshold = (probe: Probe | undefined, path: string): FieldError[] =>
    probe === undefined || probe.successThreshold === 1
      ? []
      : [invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1')];
  const readinessGrace = readinessProbe?.terminationGracePeriodSeconds;
  return [
    ...validateProbe(livenessProbe, `${field}.livenessProbe`, gracePeriod),
    ...validateSuccessThreshold(livenessProbe, `${field}.livenessProbe`),
    ...validateProbe(readinessProbe, `${field}.readinessProbe`, gracePeriod),
    ...(readinessGrace === undefined
      ? []
      : [
          invalid(
            `${field}.readinessProbe.terminationGracePeriodSeconds`,
            readinessGrace,
            'must not be set for readinessProbes',
          ),
        ]),
    ...validateProbe(startupProbe, `${field}.startupProbe`, gracePeriod),
    ...validateSuccessThreshold(startupProbe, `${field}.startupProbe`),
  ];
}

/** Validates the lifecycle hooks of a container. */
export function validateLifecycle({ lifecycle }: Probed, field: string, gracePeriod: number): FieldError[] {
  return (['postStart', 'preStop'] as const).flatMap((hook) => {
    const handler = lifecycle?.[hook];
    return handler === undefined ? [] : validateHandler(handler, `${field}.lifecycle.${hook}`, gracePeriod);
  });
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe | undefined, field: string, gracePeriod: number): FieldError[] {
  if (probe === undefined) return [];
  const { terminationGracePeriodSeconds: grace } = probe;
  return [
    ...validateHandler(probe, field, gracePeriod),
    ...COUNTS.flatMap((name) => validateNonNegative(probe[name], `${field}.${name}`)),
    ...(grace !== undefined && grace <= 0
      ? [invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ];
}

/** Validates that a probe or hook has exactly one handler. */
function validateHandler(
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  field: string,
  gracePeriod: number,
): FieldError[] {
  const checks: (readonly [name: string, value: unknown, check: () => FieldError[]])[] = [
    ['exec', exec, () => ((exec?.command ?? []).length === 0 ? [required(`${field}.exec.command`)] : [])],
    ['httpGet', httpGet, () => validateHttpGet(httpGet!, `${field}.httpGet`)],
    ['tcpSocket', tcpSocket, () => validatePortNumberOrName(tcpSocket?.port, `${field}.tcpSocket.port`)],
    ['grpc', grpc, () => validatePortNumberOrName(grpc?.port, `${field}.grpc.port`)],
    ['sleep', sleep, () => validateSleep(sleep?.seconds ?? 0, `${field}.sleep`, gracePeriod)],
  ];
  const present = checks.filter(([, value]) => value !== undefined);
  if (present.length === 0) return [required(field, 'must specify a handler type')];
  return present.flatMap(([name, , check], index) =>
    index === 0 ? check() : [forbidden(`${field}.${name}`, 'may not specify more than 1 handler type')],
  );
}

function validateHttpGet(
  { path = '', port, scheme = '', httpHeaders = [] }: NonNullable<LifecycleHandler['httpGet']>,
  field: string,
): FieldError[] {
  return [
    ...(path === '' ? [required(`${field}.path`)] : []),
    ...validatePortNumberOrName(port, `${field}.port`),
    ...(['HTTP', 'HTTPS'].includes(scheme)
      ? []
      : [notSupported(`${field}.scheme`, scheme, ['HTTP', 'HTTPS'])]),
    ...httpHeaders.flatMap(({ name = '' }) =>
      invalidTexts(`${field}.httpHeaders`, name, httpHeaderName(name)),
    ),
  ];
}

function validateSleep(seconds: number, field: string, gracePeriod: number): FieldError[] {
  if (seconds > 0 && seconds <= gracePeriod) return [];
  return [
    invalid(
      field,
      seconds,
      `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod}). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`,
    ),
  ];
}
