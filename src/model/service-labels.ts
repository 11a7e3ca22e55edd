/** The label of EndpointSlices that names their Service. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
