import { describe, expect, it } from 'vitest';
import { bootstrapClusterRoles, bootstrapRoles } from '../../src/bootstrap/rbac.ts';
import { CONTROLLERS, type ControllerNeeds } from '../../src/controllers/table.ts';
import type { ControllerDeclaration } from '../../src/reconcile/declaration.ts';
import { RULES } from '../support/rule-context.ts';

const controllers: readonly ControllerDeclaration<ControllerNeeds>[] = CONTROLLERS;

describe('the table of controllers', () => {
  it('has each name and alias once', () => {
    const names = controllers.flatMap(({ name, alias }) => [name, alias]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('names service accounts that have a role', () => {
    const allGates = { ...RULES, isOn: () => true };
    const roles = new Set(
      [...bootstrapClusterRoles(allGates), ...bootstrapRoles(allGates)].map(({ metadata }) => metadata?.name),
    );
    const accounts = controllers.flatMap(({ account }) => account ?? []);
    expect(accounts.filter((account) => !roles.has(`system:controller:${account}`))).toEqual([]);
  });
});
