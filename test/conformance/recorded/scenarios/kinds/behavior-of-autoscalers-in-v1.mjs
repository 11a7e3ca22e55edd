import { patch, post } from '../../helpers/requests.mjs';

const autoscalers = (version) => `/apis/autoscaling/${version}/namespaces/\${ns}/horizontalpodautoscalers`;
const behavior = 'autoscaling.alpha.kubernetes.io/behavior';
const policies = [{ Type: 'Pods', Value: 3, PeriodSeconds: 5 }];
const values = {
  empty: {},
  nothing: null,
  'without-policies': { ScaleUp: { StabilizationWindowSeconds: 3 } },
  'other-case': { scaleup: { policies, selectPolicy: 'Min' } },
  partial: { ScaleUp: { Policies: policies } },
  unknown: { ScaleDown: { Policies: policies, extra: 3, SelectPolicy: 'Disabled' } },
};

export default {
  title:
    'A behavior in an annotation of autoscaling/v1 is validated as it is, and gets its defaults when stored',
  namespace: true,
  steps: Object.entries(values).flatMap(([name, value]) => [
    post(`${name}: create`, autoscalers('v1'), {
      metadata: { name, annotations: { [behavior]: JSON.stringify(value), note: 'kept' } },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    }),
    { name: `${name}: in v2`, path: `${autoscalers('v2')}/${name}` },
    patch(`${name}: the annotation in v2`, `${autoscalers('v2')}/${name}`, {
      metadata: { annotations: { [behavior]: '{}' } },
    }),
    patch(`${name}: without it`, `${autoscalers('v1')}/${name}`, {
      metadata: { annotations: { [behavior]: null } },
    }),
  ]),
};
