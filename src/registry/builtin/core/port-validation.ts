import { type FieldError, required } from '../../../status/field-error.ts';
import { invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { dns1123Label, portNumber, qualifiedName } from '../../validation/names.ts';

/** Protocols of ports. */
export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

interface Port {
  name?: string;
  port?: number;
  protocol?: string;
}

/**
 * Validates name, number and protocol of a port of a Service or of Endpoints.
 * @param needsName whether the name is required, as with several ports
 */
export const validatePort = (
  { name = '', port = 0, protocol = '' }: Port,
  needsName: boolean,
  field: string,
): FieldError[] => [
  ...(name === ''
    ? needsName
      ? [required(`${field}.name`)]
      : []
    : invalidTexts(`${field}.name`, name, dns1123Label(name))),
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
