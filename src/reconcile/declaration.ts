import type { FeatureGate } from '../model/feature-gates.ts';
import type { MaybePromise } from '../steps/steps.ts';
import type { Controller, NamedContext } from './controller.ts';
import type { AwaitedResource } from './presence.ts';

/**
 * A program of other clusters whose controllers run in this server. They read as the user `system:<program>`, and
 * they stand down while somebody holds the Lease of that name in `kube-system`.
 */
export const PROGRAMS = ['kube-controller-manager', 'kube-scheduler'] as const;

export type Program = (typeof PROGRAMS)[number];

/**
 * An optional controller: all that `--controllers` and the manager have to know about it.
 * @typeParam Needs what its part takes besides the context
 */
export interface ControllerDeclaration<Needs> {
  /** Its name in `--controllers`, logs and metrics. */
  readonly name: string;
  /** Its name in older releases. */
  readonly alias: string;
  /** One line of Markdown for docs/controllers.md. */
  readonly does: string;
  /** `*` does not select it, as in kube-controller-manager. */
  readonly isOffByDefault?: boolean;
  /** A feature gate that it needs. Default: none. */
  readonly gate?: FeatureGate;
  /** The program that it is part of. Default: kube-controller-manager. */
  readonly program?: Program;
  /**
   * The service account that it writes as; its permissions are in `src/bootstrap/`. Without one it acts as the user
   * of its program.
   */
  readonly account?: string;
  /** It runs while objects of any of these are stored, and costs nothing otherwise. Default: it always runs. */
  readonly wakesFor?: readonly AwaitedResource[];
  /** A controller that wakes may be loaded here: `(await import('./job/controller.ts')).jobController(parts)`. */
  create(parts: NamedContext, needs: Needs): MaybePromise<Controller>;
}
