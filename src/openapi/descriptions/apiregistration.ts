/** Kinds of the group apiregistration.k8s.io. */
export const APIREGISTRATION: Readonly<Record<string, string>> = {
  APIService: 'Server of a group version: this server or an extension API server.',
  APIServiceSpec: 'Group version, and the server behind it.',
  'APIServiceSpec.service':
    'Service in front of the extension server. Absent means that this server serves the group version itself.',
  'APIServiceSpec.group': 'API group.',
  'APIServiceSpec.version': 'Version of the group, such as v1.',
  'APIServiceSpec.insecureSkipTLSVerify':
    'Whether the certificate of the extension server is not verified. Not recommended; excludes caBundle.',
  'APIServiceSpec.caBundle':
    "CA certificates in PEM with which the server's certificate is verified. Absent means the trust roots of the host.",
  'APIServiceSpec.groupPriorityMinimum':
    'Priority of the group in discovery: groups with higher numbers come first. 1 to 20000.',
  'APIServiceSpec.versionPriority':
    'Priority of the version in its group: higher numbers come first; equal ones are ordered by name. 1 to 1000.',
  APIServiceStatus: 'Whether the group version can be reached.',
  'APIServiceStatus.conditions': 'Available tells whether the server behind the group version answers.',
  APIServiceCondition: 'State of an APIService at its last change.',
  'APIServiceCondition.type': 'Available.',
};
