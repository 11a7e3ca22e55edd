import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { readTextFile } from '../../files/files.ts';
import { messageType } from '../../model/scheme.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  formatFieldError,
  invalid,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { type DocumentKind, readDocument } from './document.ts';

const type = () => messageType('apiserverconfig_v1beta1.EgressSelectorConfiguration');
const KIND: DocumentKind = {
  kind: 'EgressSelectorConfiguration',
  versions: { 'apiserver.k8s.io/v1beta1': type, 'apiserver.k8s.io/v1alpha1': type },
};
const NAMES = ['cluster', 'controlplane', 'etcd'];
const PROTOCOLS = ['Direct', 'HTTPConnect', 'GRPC'];

interface Content {
  readonly egressSelections?: readonly {
    readonly name?: string;
    readonly connection?: { readonly proxyProtocol?: string; readonly transport?: object };
  }[];
}

/**
 * Checks the file of `--egress-selector-config-file`. Only direct connections are supported, so the result is
 * not used. A file with a proxy is rejected, because bypassing a proxy could breach a network boundary.
 * @throws ConfigurationError
 */
export function checkEgressFile(file: string): void {
  const text = readTextFile(file);
  let content: Content;
  try {
    ({ content } = readDocument<Content>(text, KIND));
  } catch (error) {
    throw new ConfigurationError(`failed to read egress selector config: ${(error as Error).message}`);
  }
  const problems = validate(content);
  if (problems.length > 0)
    throw new ConfigurationError(
      `failed to validate egress selector configuration: ${aggregate(problems.map(formatFieldError))}`,
    );
}

function validate({ egressSelections = [] }: Content): FieldError[] {
  const problems: FieldError[] = [];
  const seen = new Set<string>();
  egressSelections.forEach(({ name = '', connection = {} }, index) => {
    // `master` is the old name of the control plane.
    const canonical = name === 'master' ? 'controlplane' : name;
    if (!NAMES.includes(canonical)) problems.push(notSupported('service.connection', name, NAMES));
    if (seen.has(canonical)) problems.push(duplicate(`service.connection[${index}]`, canonical));
    seen.add(canonical);
    const { proxyProtocol = '', transport } = connection;
    if (proxyProtocol === '') problems.push(required('service.connection.proxyProtocol', 'Direct'));
    else if (!PROTOCOLS.includes(proxyProtocol))
      problems.push(notSupported('service.connection.proxyProtocol', proxyProtocol, PROTOCOLS));
    else if (proxyProtocol !== 'Direct')
      problems.push(
        forbidden(
          'service.connection.proxyProtocol',
          `${proxyProtocol} is not supported yet; only Direct is`,
        ),
      );
    else if (transport !== undefined)
      problems.push(
        invalid(
          'service.connection.transport',
          'direct',
          'Transport config should be absent for direct connect',
        ),
      );
  });
  return problems;
}
