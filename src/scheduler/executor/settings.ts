import type { DeviceSettings } from '../devices/stored-devices.ts';
import type { RequestRules } from '../objects/pod-requests.ts';

/** What the scheduler of a cluster depends on. */
export interface SchedulerSettings {
  readonly rules: RequestRules;
  /** Dynamic resource allocation; undefined if it is off. */
  readonly devices: DeviceSettings | undefined;
}
