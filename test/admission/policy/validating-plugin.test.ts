import { describe, expect, test } from 'vitest';
import type { PolicyObserver } from '../../../src/admission/policy/denials.ts';
import type { ParameterKind } from '../../../src/admission/policy/objects.ts';
import {
  type ValidatingPolicyOptions,
  validatingAdmissionPolicy,
} from '../../../src/admission/policy/validating-plugin.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from '../../../src/model/generated/admissionregistration-v1.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import type { RuleContext } from '../../../src/model/rule-context.ts';
import { loadScheme, schemeOf } from '../../../src/model/scheme.ts';
import { createLogger } from '../../../src/observability/log.ts';
import type { AdmissionRequest, VersionedObject } from '../../../src/request/admission.ts';
import { ApiError } from '../../../src/status/api-error.ts';
import { loopTurns } from '../../support/loop-turns.ts';
import { admissionRequest } from '../fixtures.ts';

const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const NAMESPACE: KubernetesObject = { metadata: { name: 'n', labels: { team: 'red' } } };
const DENIED = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";

/** The plugin with policies and bindings that tests change. */
class Fixture {
  readonly policies = new Map<string, ValidatingAdmissionPolicy>();
  readonly bindings = new Map<string, ValidatingAdmissionPolicyBindingSpec>();
  readonly parameters = new Map<string, ParameterKind>();
  readonly observed: unknown[][] = [];
  readonly log: string[] = [];
  readonly plugin;
  #changed: () => void = () => undefined;

  constructor(has: RuleContext['has'] = schemeOf().has) {
    const observer: PolicyObserver = { decided: (...decision) => this.observed.push(decision.slice(0, 4)) };
    const options: ValidatingPolicyOptions = {
      observer,
      has,
      namespace: (name) => (name === 'n' ? NAMESPACE : undefined),
      parameters: { find: (apiVersion, kind) => this.parameters.get(`${apiVersion} ${kind}`) },
      authorizer: { name: 'a', authorize: () => ({ decision: 'allow', reason: '' }) },
      equivalents: {
        generation: 0,
        of: (resource) => [{ resource, kind: { group: '', version: 'v1', kind: 'ConfigMap' } }],
        versionsOf: () => ['v1'],
      },
      turns: loopTurns(),
      logger: createLogger({ format: 'text', verbosity: 0, write: (line) => this.log.push(line) }),
      objects: {
        policies: () => [...this.policies.values()],
        bindings: () => [...this.bindings].map(([name, spec]) => ({ metadata: { name }, spec })),
        follow: async (onChange) => {
          this.#changed = onChange;
          return () => undefined;
        },
      },
    };
    this.plugin = validatingAdmissionPolicy(options);
  }

  policy(spec: ValidatingAdmissionPolicySpec, name = 'p', generation = 1): this {
    const matchConstraints = { resourceRules: [RULE], matchPolicy: 'Equivalent' };
    this.policies.set(name, {
      metadata: { name, uid: name, generation },
      spec: { matchConstraints, ...spec },
    });
    return this;
  }

  binding(spec: ValidatingAdmissionPolicyBindingSpec = {}, name = 'b'): this {
    this.bindings.set(name, { policyName: 'p', validationActions: ['Deny'], ...spec });
    return this;
  }

  change(): void {
    this.#changed();
  }

  /** The warnings, annotations and denial of a request. */
  async send(object: object = {}, changes: Partial<AdmissionRequest> = {}) {
    await this.plugin.start();
    const warnings: string[] = [];
    const annotations = new Map<string, string>();
    const full = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, ...object };
    const versioned: VersionedObject = { object: full, plain: () => full, json: () => '' };
    const request = admissionRequest('configmaps', full, {
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      inVersion: () => ({ object: versioned, oldObject: undefined }),
      warn: (text) => {
        warnings.push(text);
      },
      annotate: (key, value) => {
        if (!annotations.has(key)) annotations.set(key, value);
      },
      ...changes,
    });
    let denial: ApiError | undefined;
    try {
      if (this.plugin.handles('CREATE', '', 'configmaps', '')) await this.plugin.validate!(request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      denial = error;
    }
    return { warnings, annotations: Object.fromEntries(annotations), denial, text: denial?.message };
  }
}

const FAILING = {
  validations: [
    { expression: 'false', message: 'no' },
    { expression: 'false', message: 'never' },
  ],
};
const denied = (text: string) => `configmaps "x" is forbidden: ${DENIED}${text}`;

describe('actions', () => {
  test.each([
    ['Forbidden', 403],
    ['Invalid', 422],
    ['RequestEntityTooLarge', 413],
    [undefined, 422],
  ])('reason %s gives %i', async (reason, code) => {
    const fixture = new Fixture().policy({ validations: [{ expression: 'false', message: 'no', reason }] });
    const { denial } = await fixture.binding().send();
    expect(denial?.toStatus()).toMatchObject({
      code,
      reason: reason ?? 'Invalid',
      message: denied('no'),
      details: { name: 'x', kind: 'configmaps', causes: [{ message: `${DENIED}no` }] },
    });
  });

  test('one annotation has the failures of all policies since 1.37', async () => {
    const { has } = await loadScheme('1.37');
    const many = Array.from({ length: 60 }, () => ({ expression: 'false', message: 'no' }));
    const { annotations } = await new Fixture(has)
      .policy({ validations: many })
      .binding({ validationActions: ['Audit'] })
      .send();
    const failures = JSON.parse(annotations['validation.policy.admission.k8s.io/validation_failure']!);
    expect(failures).toHaveLength(50);
    expect(failures[49]).toEqual({
      message: 'no',
      policy: 'p',
      binding: 'b',
      expressionIndex: 49,
      validationActions: ['Audit'],
    });
  });

  test('Deny answers the first failure, Warn and Audit tell of each', async () => {
    expect(await new Fixture().policy(FAILING).binding().send()).toMatchObject({
      text: denied('no'),
      warnings: [],
      annotations: {},
    });
    const warned = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': ";
    const failure = (message: string, expressionIndex: number, validationActions: string[]) =>
      JSON.stringify([{ message, policy: 'p', binding: 'b', expressionIndex, validationActions }]);
    const key = 'validation.policy.admission.k8s.io/validation_failure';
    const audit = new Fixture().policy(FAILING).binding({ validationActions: ['Warn', 'Audit'] });
    expect(await audit.send()).toEqual({
      warnings: [`${warned}no`, `${warned}never`],
      annotations: { [key]: failure('no', 0, ['Warn', 'Audit']) },
      denial: undefined,
      text: undefined,
    });
    expect(audit.observed).toEqual(
      ['warn', 'audit', 'warn', 'audit'].map((action) => ['p', 'b', action, 'invalid_error']),
    );
  });

  test('each binding acts for itself', async () => {
    const fixture = new Fixture()
      .policy(FAILING)
      .binding({ validationActions: ['Warn'] }, 'a')
      .binding();
    const { warnings, text } = await fixture.send();
    expect(warnings).toHaveLength(2);
    expect(text).toBe(denied('no'));
  });

  test('audit annotations join the values of bindings; their errors deny', async () => {
    const spec = { paramKind: { apiVersion: 'v1', kind: 'Secret' } };
    const fixture = new Fixture()
      .policy({ ...spec, auditAnnotations: [{ key: 'k', valueExpression: 'string(params.value)' }] })
      .binding({ paramRef: { name: 'one' } }, 'a')
      .binding({ paramRef: { name: 'two' } }, 'b')
      .binding({ paramRef: { name: 'one' } }, 'c');
    fixture.parameters.set('v1 Secret', {
      namespaced: true,
      get: (namespace, value) => ({ value: `${namespace}/${value}` }),
      list: () => [],
    });
    expect(await fixture.send()).toMatchObject({ annotations: { 'p/k': 'n/one, n/two' } });
    const failing = new Fixture()
      .policy({ auditAnnotations: [{ key: 'k', valueExpression: 'string(object.absent)' }] })
      .binding({ validationActions: ['Audit'] });
    expect((await failing.send()).text).toBe(
      denied("expression 'string(object.absent)' resulted in error: no such key: absent"),
    );
  });
});

describe('parameters', () => {
  const paramKind = { apiVersion: 'example.com/v1', kind: 'Limit' };
  const limited = (spec: ValidatingAdmissionPolicyBindingSpec['paramRef'], kind?: Partial<ParameterKind>) => {
    const fixture = new Fixture()
      .policy({ paramKind, validations: [{ expression: 'object.size <= params.max' }] })
      .binding({ paramRef: spec, validationActions: ['Warn'] });
    if (kind !== undefined)
      fixture.parameters.set('example.com/v1 Limit', {
        namespaced: true,
        get: () => undefined,
        list: () => [],
        ...kind,
      });
    return fixture;
  };

  test('each selected parameter is evaluated', async () => {
    const list: ParameterKind['list'] = () => Promise.resolve([{ max: 1 }, { max: 2 }, { max: 3 }]);
    const fixture = limited({ selector: {}, parameterNotFoundAction: 'Deny' }, { list });
    expect((await fixture.send({ size: 3 })).warnings).toHaveLength(2);
  });

  test('a missing one denies, whatever the actions are, or skips the binding', async () => {
    expect((await limited({ name: 'a', parameterNotFoundAction: 'Deny' }, {}).send()).text).toBe(
      denied(
        'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
      ),
    );
    const allowed = await limited({ name: 'a', parameterNotFoundAction: 'Allow' }, {}).send();
    expect(allowed).toMatchObject({ warnings: [], text: undefined });
  });

  test('an unknown kind denies for the policy; with Ignore it does nothing', async () => {
    const fixture = limited({ name: 'a' });
    expect((await fixture.send()).text).toBe(
      'configmaps "x" is forbidden: ValidatingAdmissionPolicy \'p\' denied request: failed to configure policy: ' +
        "failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'",
    );
    const core = new Fixture().policy({ paramKind: { apiVersion: 'v1', kind: 'Nothing' } }).binding();
    expect((await core.send()).text).toContain("paramKind: '/v1, Kind=Nothing'");
    const ignoring = new Fixture().policy({ paramKind, failurePolicy: 'Ignore' }).binding();
    expect((await ignoring.send()).text).toBeUndefined();
  });

  test('scopes that contradict each other deny', async () => {
    const clusterScoped = await limited({ name: 'a' }, {}).send({}, { namespace: '' });
    expect(clusterScoped.text).toContain(
      'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
    const named = await limited({ name: 'a', namespace: 'n' }, { namespaced: false }).send();
    expect(named.text).toContain('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  });

  test('without paramRef they are null', async () => {
    const fixture = new Fixture()
      .policy({ paramKind, validations: [{ expression: 'params != null', message: 'null' }] })
      .binding();
    fixture.parameters.set('example.com/v1 Limit', { namespaced: true, get: () => ({}), list: () => [] });
    expect((await fixture.send()).text).toBe(denied('null'));
  });
});

describe('what matches', () => {
  const selecting = (selectors: object) =>
    new Fixture().policy({
      ...FAILING,
      matchConstraints: { resourceRules: [RULE], matchPolicy: 'Equivalent', ...selectors },
    });

  test('selectors of the policy and of the binding', async () => {
    const red = { namespaceSelector: { matchLabels: { team: 'red' } } };
    const blue = { namespaceSelector: { matchLabels: { team: 'blue' } } };
    expect((await selecting(red).binding().send()).text).toBeDefined();
    expect((await selecting(blue).binding().send()).text).toBeUndefined();
    expect((await selecting({}).binding({ matchResources: blue }).send()).text).toBeUndefined();
    const labelled = selecting({ objectSelector: { matchLabels: { a: 'b' } } }).binding();
    expect((await labelled.send()).text).toBeUndefined();
    expect((await labelled.send({ metadata: { name: 'x', labels: { a: 'b' } } })).text).toBeDefined();
  });

  test('rules, exclusions and names', async () => {
    const excluded = { excludeResourceRules: [{ ...RULE, resourceNames: ['x'] }] };
    expect((await selecting(excluded).binding().send()).text).toBeUndefined();
    const other = { resourceRules: [{ ...RULE, resources: ['secrets'] }] };
    const fixture = selecting(other).binding();
    await fixture.plugin.start();
    expect(fixture.plugin.handles('CREATE', '', 'configmaps', '')).toBe(false);
  });

  test('a policy without a binding, and a binding without a policy, do nothing', async () => {
    expect((await new Fixture().policy(FAILING).send()).text).toBeUndefined();
    expect((await new Fixture().binding().send()).text).toBeUndefined();
  });
});

describe('changes', () => {
  test('take effect with a new generation; the previous policy remains until then', async () => {
    const fixture = new Fixture().policy(FAILING).binding();
    expect((await fixture.send()).text).toBe(denied('no'));
    const { generation } = fixture.plugin;
    fixture.policy({ validations: [{ expression: 'false', message: 'changed' }] }, 'p', 2).change();
    expect(fixture.plugin.generation).toBe(generation);
    await fixture.plugin.settled();
    expect(fixture.plugin.generation).toBeGreaterThan(generation!);
    expect((await fixture.send()).text).toBe(denied('changed'));
    fixture.bindings.clear();
    fixture.change();
    await fixture.plugin.settled();
    expect(fixture.plugin.handles('CREATE', '', 'configmaps', '')).toBe(false);
  });

  test('that come during a compilation are not lost', async () => {
    const fixture = new Fixture().policy(FAILING).binding();
    await fixture.plugin.start();
    const long = Array.from({ length: 50 }, () => ({ expression: `'${'x'.repeat(1000)}' == ''` }));
    fixture.policy({ validations: long }, 'p', 2).change();
    // The compilation yields to the event loop; the policy changes again meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    fixture.policy({ validations: [{ expression: 'false', message: 'last' }] }, 'p', 3).change();
    await fixture.plugin.settled();
    expect((await fixture.send()).text).toBe(denied('last'));
    fixture.policy({ validations: [{ expression: 'true' }] }, 'p', 4);
    fixture.change();
    await fixture.plugin.settled();
    expect((await fixture.send()).text).toBeUndefined();
  });

  test('policies intercept webhook configurations, but no policies and no reviews', async () => {
    const everything = { ...RULE, apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    const fixture = new Fixture()
      .policy({ ...FAILING, matchConstraints: { resourceRules: [everything] } })
      .binding();
    await fixture.plugin.start();
    const group = 'admissionregistration.k8s.io';
    for (const type of ['validating', 'mutating']) {
      for (const kind of ['policies', 'policybindings'])
        expect(fixture.plugin.handles('DELETE', group, `${type}admission${kind}`, '')).toBe(false);
      expect(fixture.plugin.handles('DELETE', group, `${type}webhookconfigurations`, '')).toBe(true);
    }
    for (const review of ['localsubjectaccess', 'selfsubjectaccess', 'selfsubjectrules', 'subjectaccess'])
      expect(fixture.plugin.handles('CREATE', 'authorization.k8s.io', `${review}reviews`, '')).toBe(false);
    for (const review of ['token', 'selfsubject'])
      expect(fixture.plugin.handles('CREATE', 'authentication.k8s.io', `${review}reviews`, '')).toBe(false);
    expect(fixture.plugin.handles('DELETE', 'apps', 'deployments', '')).toBe(true);
  });
});

test('an object that cannot be converted is a configuration error', async () => {
  const fixture = new Fixture().policy(FAILING).binding({ validationActions: ['Warn'] });
  const inVersion = () => Promise.reject(new ApiError(500, 'InternalError', 'no converter', undefined));
  expect((await fixture.send({}, { inVersion })).text).toBe(
    denied('failed to configure binding: failed to convert object version: no converter'),
  );
});
