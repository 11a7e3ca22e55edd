/** The labels and annotations that say how a simulated node or Pod behaves. */

/** Prefix of the annotations of this product. */
export const OWN = 'sim.binnacle.dev/';
/** On a node: `true` means that its kubelet is not running. */
export const OFFLINE = `${OWN}offline`;

/** kwok's annotation of nodes that have no kubelet: `fake`. */
export const KWOK_NODE = 'kwok.x-k8s.io/node';
const KWOK_STAGE = '.stage.kwok.x-k8s.io';

/** The name of one of kwok's stages, which is a label and the prefix of its annotations. */
export const stage = (name: string): string => `${name}${KWOK_STAGE}`;

/** Whether any of the names says how a Pod behaves. */
export function saysBehaviour(texts: Readonly<Record<string, string>> | undefined): boolean {
  if (texts === undefined) return false;
  for (const name in texts) if (name.startsWith(OWN) || name.includes(KWOK_STAGE)) return true;
  return false;
}

/** Prefix of kwok's annotations of Pods that say how much of a resource each of their containers uses. */
export const KWOK_USAGE = 'kwok.x-k8s.io/usage-';
