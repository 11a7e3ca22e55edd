import { escapeHtml, quoteJson } from '../codec/json-string.ts';
import { formatMicroTime } from '../model/time.ts';
import type { AuditedStatus } from '../request/audit.ts';
import type { UserInfo } from '../request/user.ts';

export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

export interface AuditObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** One immutable audit event, as passed to the backends. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /** The verb that allowed the impersonation, if it is constrained. */
  readonly impersonationConstraint?: string | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef: AuditObjectReference | undefined;
  readonly responseStatus: AuditedStatus | undefined;
  /** Compact JSON. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Wall clock in milliseconds, with a fraction. */
  readonly received: number;
  readonly staged: number;
  readonly annotations: ReadonlyMap<string, string>;
}

const TYPE_META = '"kind":"Event","apiVersion":"audit.k8s.io/v1",';

/**
 * Encodes an event as one line of JSON, byte for byte as kube-apiserver does.
 * @param typed whether to write kind and apiVersion; list items have none
 */
export function eventJson(event: AuditEvent, typed: boolean): string {
  const { responseStatus, objectRef, impersonatedUser, requestObject, responseObject, annotations } = event;
  let text = `{${typed ? TYPE_META : ''}"level":${quoteJson(event.level)},"auditID":${quoteJson(event.auditID)},"stage":"${event.stage}"`;
  text += `,"requestURI":${quoteJson(event.requestURI)},"verb":${quoteJson(event.verb)},"user":${userJson(event.user)}`;
  if (impersonatedUser !== undefined) text += `,"impersonatedUser":${userJson(impersonatedUser)}`;
  if (event.impersonationConstraint !== undefined)
    text += `,"authenticationMetadata":{"impersonationConstraint":${quoteJson(event.impersonationConstraint)}}`;
  if (event.sourceIPs.length > 0) text += `,"sourceIPs":${listJson(event.sourceIPs)}`;
  text += member('userAgent', event.userAgent);
  if (objectRef !== undefined) text += `,"objectRef":${referenceJson(objectRef)}`;
  if (responseStatus !== undefined) text += `,"responseStatus":${statusJson(responseStatus)}`;
  if (requestObject !== undefined) text += `,"requestObject":${requestObject}`;
  if (responseObject !== undefined) text += `,"responseObject":${responseObject}`;
  text += `,"requestReceivedTimestamp":"${formatMicroTime(event.received)}","stageTimestamp":"${formatMicroTime(event.staged)}"`;
  if (annotations.size > 0)
    text += `,"annotations":{${sorted(annotations)
      .map(([key, value]) => `${quoteJson(key)}:${quoteJson(value)}`)
      .join(',')}}`;
  return `${text}}`;
}

const listJson = (values: readonly string[]): string => `[${values.map(quoteJson).join(',')}]`;
const member = (name: string, value: string | undefined): string =>
  value ? `,"${name}":${quoteJson(value)}` : '';
const object = (members: string): string => `{${members.slice(1)}}`;
const sorted = <Value>(map: ReadonlyMap<string, Value>): [string, Value][] =>
  [...map].sort(([left], [right]) => (left < right ? -1 : 1));

function userJson(user: UserInfo | undefined): string {
  if (user === undefined) return '{}';
  let text = member('username', user.name) + member('uid', user.uid);
  if (user.groups.length > 0) text += `,"groups":${listJson(user.groups)}`;
  if (user.extra.size > 0)
    text += `,"extra":{${sorted(user.extra)
      .map(([key, values]) => `${quoteJson(key)}:${listJson(values)}`)
      .join(',')}}`;
  return object(text);
}

function referenceJson({
  resource,
  namespace,
  name,
  uid,
  apiGroup,
  apiVersion,
  resourceVersion,
  subresource,
}: AuditObjectReference): string {
  const named =
    member('resource', resource) + member('namespace', namespace) + member('name', name) + member('uid', uid);
  return object(
    named +
      member('apiGroup', apiGroup) +
      member('apiVersion', apiVersion) +
      member('resourceVersion', resourceVersion) +
      member('subresource', subresource),
  );
}

function statusJson({ status, message, reason, details, code }: AuditedStatus): string {
  const members = member('status', status) + member('message', message) + member('reason', reason);
  return `{"metadata":{}${members}${details === undefined ? '' : `,"details":${escapeHtml(JSON.stringify(details))}`}${code ? `,"code":${code}` : ''}}`;
}

/** Formats an event as a line of the legacy text format. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus, sourceIPs } = event;
  const groupsOf = (groups: readonly string[]) => groups.map((group) => JSON.stringify(group)).join(',');
  const fields: readonly (readonly [string, string])[] = [
    ['id', event.auditID],
    ['stage', event.stage],
    ['ip', sourceIPs[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', user?.name || '<none>'],
    ['groups', user?.name && user.groups.length > 0 ? groupsOf(user.groups) : '<none>'],
    ['as', impersonatedUser?.name ?? '<self>'],
    ['asgroups', impersonatedUser === undefined ? '<lookup>' : groupsOf(impersonatedUser.groups)],
    ['user-agent', event.userAgent],
    ['namespace', objectRef?.namespace || '<none>'],
    ['uri', event.requestURI],
    ['response', responseStatus === undefined ? '<deferred>' : String(responseStatus.code ?? 0)],
  ];
  return `${formatMicroTime(event.received)} AUDIT: ${fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}`;
}
