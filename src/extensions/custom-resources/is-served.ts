import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';

/**
 * Whether the objects of a definition are served: from the acceptance of its names on, and while it is
 * established, also when later names conflict.
 */
export function isServed({ status }: CustomResourceDefinition): boolean {
  const isTrue = (type: string): boolean =>
    status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;
  return (isTrue('Established') || isTrue('NamesAccepted')) && !!status?.acceptedNames?.plural;
}
