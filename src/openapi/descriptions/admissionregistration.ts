/** Kinds of the group admissionregistration.k8s.io. */
export const ADMISSIONREGISTRATION: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: 'CEL expressions that modify objects before they are stored.',
  ValidatingAdmissionPolicyBinding: 'Binds a validating admission policy to resources and parameters.',
  MutatingAdmissionPolicyBinding: 'Binds a mutating admission policy to resources and parameters.',
  ValidatingAdmissionPolicy: 'CEL expressions that validate admission requests.',
  MutatingWebhookConfiguration: 'Admission webhooks that may modify objects before they are stored.',
  'MutatingWebhookConfiguration.webhooks':
    'Webhooks that can change and refuse requests. They are called one after another.',
  ValidatingWebhookConfiguration: 'Admission webhooks that may reject requests.',
  'ValidatingWebhookConfiguration.webhooks':
    'Webhooks that can refuse requests. They are called in parallel.',
  MutatingAdmissionPolicyBindingSpec: 'Puts a policy into effect for some resources, with parameters.',
  'MutatingAdmissionPolicyBindingSpec.policyName':
    'MutatingAdmissionPolicy that is bound. A binding whose policy does not exist has no effect.',
  'MutatingAdmissionPolicyBindingSpec.paramRef':
    'Parameters for the policy. Needed if and only if the policy has a paramKind.',
  'MutatingAdmissionPolicyBindingSpec.matchResources':
    'Narrows the requests that the policy matches. Absent means all that it matches.',
  ValidatingAdmissionPolicyBindingSpec:
    'Puts a policy into effect for some resources, with parameters and actions.',
  'ValidatingAdmissionPolicyBindingSpec.policyName':
    'ValidatingAdmissionPolicy that is bound. A binding whose policy does not exist has no effect.',
  'ValidatingAdmissionPolicyBindingSpec.paramRef':
    'Parameters for the policy. Needed if and only if the policy has a paramKind.',
  'ValidatingAdmissionPolicyBindingSpec.matchResources':
    'Narrows the requests that the policy matches. Absent means all that it matches.',
  'ValidatingAdmissionPolicyBindingSpec.validationActions':
    'What happens when a validation fails: Deny refuses the request, Warn returns a warning, Audit writes an audit annotation. Deny and Warn exclude each other.',
  MatchResources: 'Which requests match. A request must match a rule, no exclusion and both selectors.',
  'MatchResources.namespaceSelector':
    "Selects by the labels of the object's namespace; for a Namespace by its own. Other cluster-scoped objects always match. Default: everything.",
  'MatchResources.objectSelector':
    'Selects by the labels of the new or the old object: one of them must match. Users can avoid it by labels. Default: everything.',
  'MatchResources.resourceRules': 'Operations and resources that match; one rule must match.',
  'MatchResources.excludeResourceRules':
    'Operations and resources that do not match although resourceRules do.',
  'MatchResources.matchPolicy':
    'Equivalent also matches requests through other versions or groups of the same resource; Exact only those that the rules name. Default: Equivalent.',
  NamedRuleWithOperations: 'Operations on resources. All members must match.',
  'NamedRuleWithOperations.operations': 'CREATE, UPDATE, DELETE, CONNECT, or * alone for all.',
  'NamedRuleWithOperations.apiGroups': 'API groups; * alone means all. The core group is the empty string.',
  'NamedRuleWithOperations.apiVersions': 'Versions of the groups; * alone means all.',
  'NamedRuleWithOperations.resources':
    'Resources as pods, subresources as pods/log; * means all resources, */* with all subresources, pods/* all subresources of pods.',
  'NamedRuleWithOperations.scope':
    'Cluster, Namespaced, or * for both. Subresources have the scope of their resource. Default: *.',
  'NamedRuleWithOperations.resourceNames': 'Names of objects that match. Empty means all names.',
  RuleWithOperations: 'Operations on resources. All members must match.',
  'RuleWithOperations.operations': 'CREATE, UPDATE, DELETE, CONNECT, or * alone for all.',
  'RuleWithOperations.apiGroups': 'API groups; * alone means all. The core group is the empty string.',
  'RuleWithOperations.apiVersions': 'Versions of the groups; * alone means all.',
  'RuleWithOperations.resources':
    'Resources as pods, subresources as pods/log; * means all resources, */* with all subresources, pods/* all subresources of pods.',
  'RuleWithOperations.scope':
    'Cluster, Namespaced, or * for both. Subresources have the scope of their resource. Default: *.',
  ParamRef: 'Objects of the paramKind that are parameters. Exactly one of name and selector is set.',
  'ParamRef.name': 'Name of the parameter object.',
  'ParamRef.namespace':
    "Namespace of the parameters. Absent means the namespace of the request's object. Not allowed for cluster-scoped kinds.",
  'ParamRef.selector': 'Selects parameters by labels; the policy is evaluated once for each.',
  'ParamRef.parameterNotFoundAction':
    'What happens without any parameter object: Allow lets the request pass, Deny applies the failurePolicy of the policy.',
  MutatingAdmissionPolicySpec: 'Which requests are changed, and how.',
  'MutatingAdmissionPolicySpec.paramKind':
    'Kind of the parameters that expressions see as params. Without it params is null.',
  'MutatingAdmissionPolicySpec.matchConstraints':
    'Requests that the policy matches; needed. CREATE, UPDATE and CONNECT can be matched, DELETE cannot.',
  'MutatingAdmissionPolicySpec.variables':
    'Values that later variables and mutations use as variables.NAME; evaluated on demand and in order.',
  'MutatingAdmissionPolicySpec.mutations': 'Changes in the order in which they are made; at least one.',
  'MutatingAdmissionPolicySpec.failurePolicy':
    'Fail refuses a request when the policy cannot be evaluated or is misconfigured; Ignore lets it pass. Default: Fail.',
  'MutatingAdmissionPolicySpec.matchConditions':
    'Conditions in CEL that must all be true; at most 64. If one is false, the policy is skipped.',
  'MutatingAdmissionPolicySpec.reinvocationPolicy':
    'IfNeeded evaluates the policy again when later plugins change the object; Never evaluates it once.',
  MatchCondition: 'Condition in CEL on a request.',
  'MatchCondition.name': 'Name in messages and metrics, unique in the list; a qualified name.',
  'MatchCondition.expression':
    'Expression with a boolean result. It has object, oldObject, request and authorizer.',
  Mutation: 'One change: an apply configuration or a JSON patch.',
  'Mutation.patchType': 'ApplyConfiguration or JSONPatch: which of the other members is set.',
  'Mutation.applyConfiguration': 'Change in the form of server-side apply.',
  'Mutation.jsonPatch': 'Change in the form of a JSON patch.',
  JSONPatch: 'JSON patch made by an expression.',
  'JSONPatch.expression':
    'CEL expression whose result is a list of JSONPatch values with op, path, from and value.',
  ApplyConfiguration: 'Apply configuration made by an expression.',
  'ApplyConfiguration.expression':
    'CEL expression whose result is an object of type Object{…}. Fields that it sets are merged into the object; atomic lists and maps cannot be changed.',
  Variable: 'Named value of an expression.',
  'Variable.name': 'Name as a CEL identifier, unique in the policy.',
  'Variable.expression': 'CEL expression of the value. It may use the variables before it.',
  ParamKind: 'Kind of the parameters of a policy.',
  'ParamKind.apiVersion': 'Group and version of the kind, such as example.com/v1.',
  'ParamKind.kind': 'Name of the kind.',
  ValidatingAdmissionPolicyStatus: 'State of a policy, written by the type checker.',
  'ValidatingAdmissionPolicyStatus.typeChecking':
    'Results of checking the types in expressions. Present after the check is complete.',
  'ValidatingAdmissionPolicyStatus.conditions': 'Conditions of the policy.',
  TypeChecking: 'Results of checking the types in expressions.',
  'TypeChecking.expressionWarnings':
    'Warnings for expressions that do not fit the schemas of matched resources.',
  ExpressionWarning: 'Warning about one expression.',
  'ExpressionWarning.fieldRef': 'Path of the expression, such as spec.validations[0].expression.',
  'ExpressionWarning.warning': 'Text of the checker, with the type in question.',
  ValidatingAdmissionPolicySpec: 'Which requests are validated, and how.',
  'ValidatingAdmissionPolicySpec.paramKind':
    'Kind of the parameters that expressions see as params. Without it params is null.',
  'ValidatingAdmissionPolicySpec.matchConstraints': 'Requests that the policy matches; needed.',
  'ValidatingAdmissionPolicySpec.validations':
    'Expressions that must be true. At least one validation or audit annotation is needed.',
  'ValidatingAdmissionPolicySpec.failurePolicy':
    'Fail refuses a request when the policy cannot be evaluated or is misconfigured; Ignore lets it pass. Default: Fail.',
  'ValidatingAdmissionPolicySpec.auditAnnotations': 'Annotations for the audit event, made by expressions.',
  'ValidatingAdmissionPolicySpec.matchConditions':
    'Conditions in CEL that must all be true; at most 64. If one is false, the policy is skipped.',
  'ValidatingAdmissionPolicySpec.variables':
    'Values that later variables and validations use as variables.NAME; evaluated on demand and in order.',
  AuditAnnotation: 'Annotation of the audit event.',
  'AuditAnnotation.key':
    'Key of the annotation behind the name of the policy and a slash; a qualified name of at most 63 characters.',
  'AuditAnnotation.valueExpression':
    'CEL expression whose result is a string, shortened to 10 KiB, or null for no annotation.',
  Validation: 'Expression that must be true.',
  'Validation.expression':
    'CEL expression with a boolean result. It has object, oldObject, request, params, namespaceObject, variables and authorizer.',
  'Validation.message':
    'Text of the refusal when the expression is false, without line breaks. Needed if the expression has line breaks.',
  'Validation.reason':
    'Reason and HTTP code of the refusal: Unauthorized, Forbidden, Invalid or RequestEntityTooLarge. Default: Invalid.',
  'Validation.messageExpression':
    'CEL expression whose string is the text of the refusal; message is the fallback.',
  ValidatingWebhook: 'Webhook that admits or refuses requests.',
  'ValidatingWebhook.name':
    'Full name with a domain, such as policy.example.com; unique in the configuration.',
  'ValidatingWebhook.clientConfig': 'How the webhook is reached.',
  'ValidatingWebhook.rules':
    'Operations and resources for which the webhook is called. Webhook configurations and admission policies never match.',
  'ValidatingWebhook.failurePolicy':
    'Fail refuses a request when the webhook cannot be called or its answer is not valid; Ignore lets it pass. Default: Fail.',
  'ValidatingWebhook.matchPolicy':
    'Equivalent converts requests through other versions to one that the rules name; Exact matches only what the rules name. Default: Equivalent.',
  'ValidatingWebhook.namespaceSelector':
    "Selects by the labels of the object's namespace; for a Namespace by its own. Other cluster-scoped objects always match. Default: everything.",
  'ValidatingWebhook.objectSelector':
    'Selects by the labels of the new or the old object: one of them must match. Users can avoid it by labels. Default: everything.',
  'ValidatingWebhook.sideEffects':
    'None or NoneOnDryRun: whether calls change anything beside the object. A webhook with other side effects is not called for dry runs, which are then refused.',
  'ValidatingWebhook.timeoutSeconds': 'Seconds after which a call fails, 1 to 30. Default: 10.',
  'ValidatingWebhook.admissionReviewVersions':
    'Versions of AdmissionReview that the webhook understands, the preferred one first. One of them must be known to the server.',
  'ValidatingWebhook.matchConditions':
    'Conditions in CEL that must all be true for a call; at most 64. If one is false, the webhook is skipped.',
  MutatingWebhook: 'Webhook that admits, changes or refuses requests.',
  'MutatingWebhook.reinvocationPolicy':
    'IfNeeded calls the webhook again when later plugins change the object; Never calls it once. Default: Never.',
  'MutatingWebhook.name': 'Full name with a domain, such as policy.example.com; unique in the configuration.',
  'MutatingWebhook.clientConfig': 'How the webhook is reached.',
  'MutatingWebhook.rules':
    'Operations and resources for which the webhook is called. Webhook configurations and admission policies never match.',
  'MutatingWebhook.failurePolicy':
    'Fail refuses a request when the webhook cannot be called or its answer is not valid; Ignore lets it pass. Default: Fail.',
  'MutatingWebhook.matchPolicy':
    'Equivalent converts requests through other versions to one that the rules name; Exact matches only what the rules name. Default: Equivalent.',
  'MutatingWebhook.namespaceSelector':
    "Selects by the labels of the object's namespace; for a Namespace by its own. Other cluster-scoped objects always match. Default: everything.",
  'MutatingWebhook.objectSelector':
    'Selects by the labels of the new or the old object: one of them must match. Users can avoid it by labels. Default: everything.',
  'MutatingWebhook.sideEffects':
    'None or NoneOnDryRun: whether calls change anything beside the object. A webhook with other side effects is not called for dry runs, which are then refused.',
  'MutatingWebhook.timeoutSeconds': 'Seconds after which a call fails, 1 to 30. Default: 10.',
  'MutatingWebhook.admissionReviewVersions':
    'Versions of AdmissionReview that the webhook understands, the preferred one first. One of them must be known to the server.',
  'MutatingWebhook.matchConditions':
    'Conditions in CEL that must all be true for a call; at most 64. If one is false, the webhook is skipped.',
};
