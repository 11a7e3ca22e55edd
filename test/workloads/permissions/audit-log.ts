import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Records what service accounts of `kube-system` read one by one, and write. */
const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [
    {
      level: 'Metadata',
      userGroups: ['system:serviceaccounts:kube-system'],
      verbs: ['get', 'create', 'update', 'patch', 'delete', 'deletecollection'],
    },
    { level: 'None' },
  ],
};

const ACCOUNTS = 'system:serviceaccount:kube-system:';

interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef: Readonly<
    Record<'resource' | 'subresource' | 'apiGroup' | 'namespace' | 'name', string | undefined>
  >;
  readonly responseStatus: { readonly code: number; readonly message?: string };
  readonly annotations: Readonly<Record<string, string>>;
}

/** A request of a controller. */
export interface ControllerRequest {
  readonly account: string;
  readonly verb: string;
  /** With its subresource, after a slash. */
  readonly resource: string;
  /** What RBAC says about a request without permission. */
  readonly refusal: string;
  readonly message: string | undefined;
  readonly isRefused: boolean;
  readonly isDone: boolean;
}

/** The audit log of a test's server, in a temporary directory. */
export class AuditLog {
  readonly #directory = mkdtempSync(join(tmpdir(), 'binnacle-permissions-'));
  readonly policyFile = join(this.#directory, 'policy.json');
  readonly file = join(this.#directory, 'audit.log');

  constructor() {
    writeFileSync(this.policyFile, JSON.stringify(POLICY));
    writeFileSync(this.file, '');
  }

  /** The requests so far, the first one first. */
  requests(): ControllerRequest[] {
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => requestOf(JSON.parse(line) as AuditEvent));
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true });
  }
}

function requestOf({ verb, user, objectRef, responseStatus, annotations }: AuditEvent): ControllerRequest {
  const { resource = '', subresource, apiGroup = '', namespace, name } = objectRef;
  const whole = subresource === undefined ? resource : `${resource}/${subresource}`;
  const object = `${resource}${apiGroup === '' ? '' : `.${apiGroup}`}${name === undefined ? '' : ` "${name}"`}`;
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return {
    account: user.username.slice(ACCOUNTS.length),
    verb,
    resource: whole,
    refusal: `${object} is forbidden: User "${user.username}" cannot ${verb} resource "${whole}" in API group "${apiGroup}" ${scope}`,
    message: responseStatus.message,
    isRefused: annotations['authorization.k8s.io/decision'] === 'forbid',
    isDone: responseStatus.code < 300,
  };
}
