import type { ContainerStatus, Pod } from '../../model/generated/core-v1.ts';

/** The status of a container of any kind; undefined before its node has reported it. */
export const containerStatus = ({ status = {} }: Pod, container: string): ContainerStatus | undefined =>
  [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ].find(({ name }) => name === container);

export const isRunning = (pod: Pod, container: string): boolean =>
  containerStatus(pod, container)?.state?.running !== undefined;
