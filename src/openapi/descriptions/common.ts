/** Descriptions of members that have the same meaning in all types. */
export const COMMON: ReadonlyMap<string, string> = new Map([
  ['metadata', 'Metadata of the object: name, labels, annotations.'],
  ['spec', 'Desired state of the object.'],
  ['status', 'Observed state of the object, written by the system.'],
  ['conditions', 'Current state by aspect: each condition has a type, a status and a reason.'],
  ['observedGeneration', 'Generation that the status is based on.'],
  ['lastTransitionTime', 'Time at which the condition last changed its status.'],
  ['lastUpdateTime', 'Time at which the condition was last updated.'],
  ['reason', 'Machine-readable reason in CamelCase.'],
  ['message', 'Human-readable message.'],
]);

/** Descriptions of members that all types of conditions have, such as `PodCondition`. */
export const CONDITION: ReadonlyMap<string, string> = new Map([
  ['status', 'Status of the condition: True, False or Unknown.'],
  ['reason', 'Machine-readable reason of the last change of status, in CamelCase.'],
  ['message', 'Human-readable details of the last change of status.'],
  ['observedGeneration', 'Generation of the object for which the condition was set.'],
  ['lastProbeTime', 'Time at which the condition was last checked; often not set.'],
]);
