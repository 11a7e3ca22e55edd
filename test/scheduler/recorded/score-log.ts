const LINE =
  /"Plugin scored node for pod" pod="(?<pod>[^"]+)" plugin="(?<plugin>[^"]+)" node="(?<node>[^"]+)" score=(?<score>\d+)/;

const VOLUMES = /"AssumePodVolumes" logger="[^"]*" pod="(?<pod>[^"]+)" node="(?<node>[^"]+)"/;

type Scores = Record<string, Record<string, number>>;

/** The scores of pods in the log of kube-scheduler at verbosity 10. */
export class ScoreLog {
  readonly #scores = new Map<string, Scores>();

  readonly #reserved = new Map<string, string>();

  read(line: string): void {
    const volumes = VOLUMES.exec(line)?.groups;
    if (volumes !== undefined) this.#reserved.set(volumes['pod']!, volumes['node']!);
    const { pod, plugin, node, score } = LINE.exec(line)?.groups ?? {};
    if (pod === undefined) return;
    const scores = this.#scores.get(pod) ?? {};
    scores[node!] = { ...scores[node!], [plugin!]: Number(score) };
    this.#scores.set(pod, scores);
  }

  /** The node for which the volumes of a pod were chosen; its binding may wait for other controllers. */
  reservedNode(pod: string): string | undefined {
    return this.#reserved.get(pod);
  }

  /** Takes the scores of a pod, by node and plugin. @param pod `namespace/name` */
  take(pod: string): Scores | undefined {
    const scores = this.#scores.get(pod);
    this.#scores.delete(pod);
    this.#reserved.delete(pod);
    return scores;
  }
}
