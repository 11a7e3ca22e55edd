import type { FeatureGate } from '../model/feature-gates.ts';
import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import { API_CONTROLLERS, CONTROLLERS } from './table.ts';

const DECLARATIONS: readonly Omit<ControllerDeclaration<never>, 'create'>[] = CONTROLLERS;

/**
 * The controllers that `--controllers` enables: `*` all that are enabled by default, `name` one, `-name` all
 * but one, `-*` none. A name takes precedence over `*`. As in kube-controller-manager, the first mention of a
 * name decides. The last mention of `*` decides, so that a flag given later switches what an earlier one set.
 * @throws Error with the known controllers
 */
export function selectControllers(list: readonly string[]): ReadonlySet<string> {
  const mentioned = new Map<string, boolean>();
  for (const entry of list) {
    const on = !entry.startsWith('-');
    const name = controllerNamed(on ? entry : entry.slice(1));
    if (name === '*' || !mentioned.has(name)) mentioned.set(name, on);
  }
  const all = mentioned.get('*') ?? false;
  return new Set(
    DECLARATIONS.filter(
      ({ name, isOffByDefault = false }) => mentioned.get(name) ?? (all && !isOffByDefault),
    ).map(({ name }) => name),
  );
}

/** Those of the selected controllers whose feature gate is enabled. */
export const withEnabledGate = (
  selected: ReadonlySet<string>,
  isEnabled: (gate: FeatureGate) => boolean,
): ReadonlySet<string> =>
  new Set(
    DECLARATIONS.filter(
      ({ name, gate }) => selected.has(name) && (gate === undefined || isEnabled(gate)),
    ).map(({ name }) => name),
  );

/** Those of {@link selectControllers} that keep the API itself consistent: none of workloads. */
export function selectApiControllers(list: readonly string[]): ReadonlySet<string> {
  const selected = selectControllers(list);
  return new Set(API_CONTROLLERS.map(({ name }) => name).filter((name) => selected.has(name)));
}

function controllerNamed(text: string): string {
  if (text === '*') return text;
  const found = DECLARATIONS.find(({ name, alias }) => name === text || alias === text);
  if (found !== undefined) return found.name;
  throw new Error(
    `${JSON.stringify(text)} is not a known controller; known controllers are ${DECLARATIONS.map(({ name }) => name).join(', ')}`,
  );
}
