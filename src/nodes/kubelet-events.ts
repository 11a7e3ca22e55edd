import type { Node, Pod } from '../model/generated/core-v1.ts';
import type { EventRecorder, EventType } from '../reconcile/events/recorder.ts';
import { NODES, PODS } from '../reconcile/resources.ts';
import type { Occurrence } from './pods/advance.ts';

/** What a kubelet reports of a container. */
type Report = readonly [type: EventType, reason: string, message: string];

/** The events of one simulated kubelet. */
export class KubeletEvents {
  readonly #recorder: EventRecorder;
  readonly #isOn: boolean;

  /** @param isOn whether it reports what a kubelet reports; what is wrong with annotations is always reported */
  constructor(recorder: EventRecorder, isOn: boolean) {
    this.#recorder = recorder;
    this.#isOn = isOn;
  }

  /** What happened to containers of a Pod. */
  occurred(pod: Pod, occurrences: readonly Occurrence[]): void {
    if (!this.#isOn) return;
    for (const occurrence of occurrences)
      for (const [type, reason, message] of reportsOf(pod, occurrence))
        this.#recorder.record(PODS, pod, type, reason, message);
  }

  /** Annotations of a Pod that say nothing. */
  problems(pod: Pod, problems: readonly string[]): void {
    this.#recorder.record(PODS, pod, 'Warning', 'InvalidSimulation', problems.join('; '));
  }

  /** A node has become ready, or is not ready any more. */
  readinessChanged(node: Node, isReady: boolean): void {
    if (!this.#isOn) return;
    const reason = isReady ? 'NodeReady' : 'NodeNotReady';
    this.#recorder.record(
      NODES,
      node,
      'Normal',
      reason,
      `Node ${node.metadata?.name} status is now: ${reason}`,
    );
  }
}

function reportsOf({ metadata = {} }: Pod, { what, container, image }: Occurrence): readonly Report[] {
  const quoted = JSON.stringify(image);
  switch (what) {
    case 'created':
      return [
        ['Normal', 'Pulled', `Container image ${quoted} already present on machine`],
        ['Normal', 'Created', `Created container: ${container}`],
      ];
    case 'started':
      return [['Normal', 'Started', `Started container ${container}`]];
    case 'killing':
      return [['Normal', 'Killing', `Stopping container ${container}`]];
    case 'definition-changed':
      return [['Normal', 'Killing', `Container ${container} definition changed, will be restarted`]];
    case 'back-off': {
      const pod = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
      return [['Warning', 'BackOff', `Back-off restarting failed container ${container} in pod ${pod}`]];
    }
    case 'image-back-off':
      return [
        ['Normal', 'BackOff', `Back-off pulling image ${quoted}`],
        ['Warning', 'Failed', 'Error: ImagePullBackOff'],
      ];
  }
}
