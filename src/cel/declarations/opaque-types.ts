import { opaque, parameter } from '../types.ts';

/** Type parameters of declarations. */
export const A = parameter('A');
export const B = parameter('B');

export const URL_TYPE = opaque('kubernetes.URL');
export const QUANTITY = opaque('kubernetes.Quantity');
export const IP = opaque('net.IP');
export const CIDR = opaque('net.CIDR');
export const NAMED_FORMAT = opaque('kubernetes.NamedFormat');
export const AUTHORIZER = opaque('kubernetes.authorization.Authorizer');
export const PATH_CHECK = opaque('kubernetes.authorization.PathCheck');
export const GROUP_CHECK = opaque('kubernetes.authorization.GroupCheck');
export const RESOURCE_CHECK = opaque('kubernetes.authorization.ResourceCheck');
export const DECISION = opaque('kubernetes.authorization.Decision');
