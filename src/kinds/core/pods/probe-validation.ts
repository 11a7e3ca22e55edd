import type { Container, LifecycleHandler, PodSpec, Probe } from '../../../model/generated/core-v1.ts';
import { httpHeaderName } from '../../../model/name-syntax.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { invalidTexts, validateNonNegative, validateOneOf } from '../../validation/fields.ts';
import { validatePortNumberOrName } from '../../validation/int-or-percent.ts';
import { allContainers } from './pod-containers.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

type Handler = LifecycleHandler & Pick<Probe, 'grpc'>;
type Probed = Pick<Container, 'livenessProbe' | 'readinessProbe' | 'startupProbe' | 'lifecycle'>;

/** What hooks and probes of all containers of a pod have in common. */
export interface HookContext {
  /** Termination grace period of the pod, in seconds. */
  readonly gracePeriod: number;
  readonly allowsZeroSleep: boolean;
  /** The operating system of the pod; undefined if it names none. */
  readonly system: string | undefined;
}

export const hookContext = (spec: PodSpec, { isOn, old = {} }: PodSpecValidationOptions): HookContext => ({
  gracePeriod: Number(spec.terminationGracePeriodSeconds ?? 0),
  allowsZeroSleep: isOn('PodLifecycleSleepActionAllowZero') || hasZeroSleep(old),
  system: spec.os === undefined ? undefined : (spec.os.name ?? ''),
});

const hasZeroSleep = (spec: PodSpec): boolean =>
  allContainers(spec).some(({ lifecycle }) =>
    [lifecycle?.preStop, lifecycle?.postStart].some(
      (handler) => handler?.sleep !== undefined && !handler.sleep.seconds,
    ),
  );

/** Validates the probes of a regular or sidecar container. */
export function validateProbes(
  { livenessProbe, readinessProbe, startupProbe }: Probed,
  field: string,
  context: HookContext,
): FieldError[] {
  const validateSuccessThreshold = (probe: Probe | undefined, path: string): FieldError[] =>
    probe === undefined || probe.successThreshold === 1
      ? []
      : [invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1')];
  const readinessGrace = readinessProbe?.terminationGracePeriodSeconds;
  return [
    ...validateProbe(livenessProbe, `${field}.livenessProbe`, context),
    ...validateSuccessThreshold(livenessProbe, `${field}.livenessProbe`),
    ...validateProbe(readinessProbe, `${field}.readinessProbe`, context),
    ...(readinessGrace === undefined
      ? []
      : [
          invalid(
            `${field}.readinessProbe.terminationGracePeriodSeconds`,
            readinessGrace,
            'must not be set for readinessProbes',
          ),
        ]),
    ...validateProbe(startupProbe, `${field}.startupProbe`, context),
    ...validateSuccessThreshold(startupProbe, `${field}.startupProbe`),
  ];
}

/** Validates the lifecycle hooks of a container. */
export function validateLifecycle({ lifecycle }: Probed, field: string, context: HookContext): FieldError[] {
  const errors = (['postStart', 'preStop'] as const).flatMap((hook) => {
    const handler = lifecycle?.[hook];
    return handler === undefined ? [] : validateHandler(handler, `${field}.lifecycle.${hook}`, context);
  });
  const { stopSignal } = lifecycle ?? {};
  if (stopSignal === undefined) return errors;
  return [...errors, ...validateStopSignal(stopSignal, `${field}.lifecycle.stopSignal`, context.system)];
}

const SIGNALS =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT RTMAX RTMAX-1 RTMAX-10 RTMAX-11 RTMAX-12 RTMAX-13 RTMAX-14 RTMAX-2 RTMAX-3 RTMAX-4 RTMAX-5 RTMAX-6 RTMAX-7 RTMAX-8 RTMAX-9 RTMIN RTMIN+1 RTMIN+10 RTMIN+11 RTMIN+12 RTMIN+13 RTMIN+14 RTMIN+15 RTMIN+2 RTMIN+3 RTMIN+4 RTMIN+5 RTMIN+6 RTMIN+7 RTMIN+8 RTMIN+9 SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ';
const SIGNALS_OF_WINDOWS = ['SIGKILL', 'SIGTERM'];

function validateStopSignal(signal: string, field: string, system: string | undefined): FieldError[] {
  if (system === undefined)
    return [forbidden(field, 'may not be set for containers with empty `spec.os.name`')];
  if (system === 'windows') return validateOneOf(signal, SIGNALS_OF_WINDOWS, field);
  if (system !== 'linux') return [];
  const signals = SIGNALS.split(' ').map((name) => `SIG${name}`);
  return validateOneOf(signal, signals, field);
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe | undefined, field: string, context: HookContext): FieldError[] {
  if (probe === undefined) return [];
  const { terminationGracePeriodSeconds: grace } = probe;
  return [
    ...validateHandler(probe, field, context),
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
  context: HookContext,
): FieldError[] {
  const checks: (readonly [name: string, value: unknown, check: () => FieldError[]])[] = [
    ['exec', exec, () => ((exec?.command ?? []).length === 0 ? [required(`${field}.exec.command`)] : [])],
    ['httpGet', httpGet, () => validateHttpGet(httpGet!, `${field}.httpGet`)],
    ['tcpSocket', tcpSocket, () => validatePortNumberOrName(tcpSocket?.port, `${field}.tcpSocket.port`)],
    ['grpc', grpc, () => validatePortNumberOrName(grpc?.port, `${field}.grpc.port`)],
    ['sleep', sleep, () => validateSleep(sleep?.seconds ?? 0, `${field}.sleep`, context)],
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

function validateSleep(
  seconds: number,
  field: string,
  { gracePeriod, allowsZeroSleep }: HookContext,
): FieldError[] {
  if (seconds <= gracePeriod && (seconds > 0 || (seconds === 0 && allowsZeroSleep))) return [];
  if (allowsZeroSleep) {
    const text = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
    return [invalid(field, seconds, text)];
  }
  return [
    invalid(
      field,
      seconds,
      `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod}). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`,
    ),
  ];
}
