import type { EndpointPort } from '../../model/generated/core-v1.ts';
import { dns1123Label, portNumber, qualifiedName } from '../../model/name-syntax.ts';
import { duplicate, type FieldError, required } from '../../status/field-error.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';

/** Protocols of ports. */
export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** What the name of a port must be. */
export interface PortNameRule {
  /** As with several ports. */
  readonly isRequired: boolean;
  /** Whether an earlier port has the same name; not where names may repeat. */
  readonly isRepeated?: boolean;
}

/** Validates name, number and protocol of a port of a Service or of Endpoints. */
export const validatePort = (
  { name = '', port = 0, protocol = '' }: EndpointPort,
  { isRequired, isRepeated = false }: PortNameRule,
  field: string,
): FieldError[] => [
  ...(name === ''
    ? isRequired
      ? [required(`${field}.name`)]
      : []
    : [
        ...invalidTexts(`${field}.name`, name, dns1123Label(name)),
        ...(isRepeated ? [duplicate(`${field}.name`, name)] : []),
      ]),
  ...invalidTexts(`${field}.port`, port, portNumber(port)),
  ...validateProtocol(protocol, `${field}.protocol`),
];

/** Validates the application protocol of a port; absent is valid. */
export const validateAppProtocol = (appProtocol: string | undefined, field: string): FieldError[] =>
  appProtocol === undefined
    ? []
    : invalidTexts(`${field}.appProtocol`, appProtocol, qualifiedName(appProtocol));

/** Validates a required protocol: TCP, UDP or SCTP. */
export const validateProtocol = (protocol: string, field: string): FieldError[] =>
  protocol === '' ? [required(field)] : validateOneOf(protocol, PROTOCOLS, field);
