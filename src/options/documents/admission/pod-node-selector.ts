import { parseYaml } from '../../../codec/yaml.ts';
import { isJsonObject } from '../../../model/json-object.ts';

const MEMBER = 'podNodeSelectorPluginConfig';

/**
 * Parses the document of PodNodeSelector: node selectors by namespace. Like kube-apiserver, starts with what
 * cannot be read left out.
 * @param warn receives a text for each part that is left out
 */
export function parseNodeSelectors(
  text: string,
  warn: (message: string) => void,
): ReadonlyMap<string, string> {
  const selectors = new Map<string, string>();
  const ignore = (problem: string): ReadonlyMap<string, string> => {
    warn(`the configuration of PodNodeSelector is ignored where it is wrong: ${problem}`);
    return selectors;
  };
  let document: unknown;
  try {
    document = parseYaml(Buffer.from(text)).value;
  } catch (error) {
    return ignore((error as Error).message);
  }
  if (!isJsonObject(document)) return ignore('it is not an object');
  const members = Object.hasOwn(document, MEMBER) ? (document[MEMBER] ?? {}) : {};
  if (!isJsonObject(members)) return ignore(`${MEMBER} is not an object`);
  for (const [namespace, selector] of Object.entries(members)) {
    if (typeof selector === 'string') selectors.set(namespace, selector);
    else ignore(`${MEMBER}.${namespace} is not a string`);
  }
  return selectors;
}
