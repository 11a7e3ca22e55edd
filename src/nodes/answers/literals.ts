import type { Pod } from '../../model/generated/core-v1.ts';
import { OWN } from '../annotations.ts';

/** What a simulated kubelet answers for a Pod: texts of annotations, and nothing else. */

/** The annotation of a container, or the one of its Pod. */
function textOf({ metadata }: Pod, name: string, container: string): string | undefined {
  const { annotations = {} } = metadata ?? {};
  for (const key of [`${OWN}${name}.${container}`, `${OWN}${name}`])
    if (Object.hasOwn(annotations, key)) return annotations[key];
  return undefined;
}

/** What a container has logged. @param isPrevious in the run before this one @param common of all containers */
export const logOf = (pod: Pod, container: string, isPrevious: boolean, common = ''): string =>
  textOf(pod, isPrevious ? 'previous-logs' : 'logs', container) ?? common;

/** The answer to a command. */
export interface CommandAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What a command in a container answers; undefined if nothing says it. */
export function commandAnswer(pod: Pod, container: string): CommandAnswer | undefined {
  const stdout = textOf(pod, 'exec', container);
  const stderr = textOf(pod, 'exec-stderr', container);
  const code = textOf(pod, 'exec-exit-code', container);
  if (stdout === undefined && stderr === undefined && code === undefined) return undefined;
  const isCode = code !== undefined && /^\d{1,3}$/.test(code) && Number(code) <= 255;
  return { stdout: stdout ?? '', stderr: stderr ?? '', exitCode: isCode ? Number(code) : 0 };
}

/** What a client that attaches sees: its annotation, or the log. */
export const attachAnswer = (pod: Pod, container: string, common = ''): string =>
  textOf(pod, 'attach', container) ?? logOf(pod, container, false, common);

/** What a port of a Pod sends; undefined if nothing listens there. */
export const portAnswer = (pod: Pod, port: string): string | undefined => textOf(pod, 'port-forward', port);
