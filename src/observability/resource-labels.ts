/** A resource as series name it. */
export interface LabelledResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

/** The labels that name a resource where releases differ, in the order in which the metrics declare them. */
export interface ResourceLabels {
  ofBody(resource: Pick<LabelledResource, 'group' | 'resource'>): Readonly<Record<string, string>>;
  ofWatch(resource: LabelledResource): Readonly<Record<string, string>>;
}

/** Watches by kind, bodies by `resource.group`: until 1.33. */
export const BY_KIND: ResourceLabels = {
  ofBody: ({ group, resource }) => ({ resource: group === '' ? resource : `${resource}.${group}` }),
  ofWatch: ({ group, version, kind }) => ({ group, version, kind }),
};

/** Watches and bodies by resource, with the group apart. */
export const BY_RESOURCE: ResourceLabels = {
  ofBody: ({ group, resource }) => ({ group, resource }),
  ofWatch: ({ group, version, resource }) => ({ group, version, resource }),
};

const NO_RESOURCE: LabelledResource = { group: '', version: '', resource: '', kind: '' };
export const bodyLabelNames = (labels: ResourceLabels): string[] => Object.keys(labels.ofBody(NO_RESOURCE));
export const watchLabelNames = (labels: ResourceLabels): string[] => Object.keys(labels.ofWatch(NO_RESOURCE));
