/** Kinds of the group apiextensions.k8s.io. */
export const APIEXTENSIONS: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'Definition of a custom resource.',
  CustomResourceDefinitionSpec: 'Specification of a custom resource.',
  'CustomResourceDefinitionSpec.group': 'API group of the resource.',
  'CustomResourceDefinitionSpec.names': 'Names of the resource and its kind.',
  'CustomResourceDefinitionSpec.scope': 'Namespaced or Cluster.',
  'CustomResourceDefinitionSpec.versions': 'Versions of the resource.',
  'CustomResourceDefinitionSpec.conversion': 'Conversion of objects between versions.',
  'CustomResourceDefinitionSpec.preserveUnknownFields':
    'Whether unknown fields are kept. Deprecated: use x-kubernetes-preserve-unknown-fields in the schema.',
  CustomResourceDefinitionVersion: 'Version of a custom resource.',
  'CustomResourceDefinitionVersion.name': 'Name of the version, such as v1.',
  'CustomResourceDefinitionVersion.served': 'Whether the version is served.',
  'CustomResourceDefinitionVersion.storage':
    'Whether objects are stored in this version; true for exactly one version.',
  'CustomResourceDefinitionVersion.schema': 'Schema of the objects.',
  'CustomResourceDefinitionVersion.subresources': 'Subresources of the resource: status and scale.',
  'CustomResourceDefinitionVersion.additionalPrinterColumns': 'Additional columns of tables.',
  'CustomResourceDefinitionVersion.selectableFields': 'Fields that field selectors support.',
  'CustomResourceDefinitionVersion.deprecated':
    'Whether clients of this version get a warning. Default: false.',
  'CustomResourceDefinitionVersion.deprecationWarning':
    'Text of the warning instead of the general one. Only with deprecated.',
  JSONSchemaProps: 'JSON schema.',
  'JSONSchemaProps.id': 'Identifier of the schema. Not allowed in definitions of custom resources.',
  'JSONSchemaProps.$schema': 'URI of the dialect of JSON Schema. Not used.',
  'JSONSchemaProps.$ref': 'Reference to another schema. Not allowed in definitions of custom resources.',
  'JSONSchemaProps.description': 'What the value means; shown by kubectl explain.',
  'JSONSchemaProps.type': 'Type of the value: object, array, string, integer, number or boolean.',
  'JSONSchemaProps.format':
    'Format of strings and numbers, such as date-time, int32 or byte. Unknown formats are ignored.',
  'JSONSchemaProps.title': 'Short title of the value.',
  'JSONSchemaProps.default': 'Value that is set when the field is missing. It must be valid itself.',
  'JSONSchemaProps.maximum': 'Upper limit of numbers.',
  'JSONSchemaProps.exclusiveMaximum': 'Whether maximum itself is too large. Default: false.',
  'JSONSchemaProps.minimum': 'Lower limit of numbers.',
  'JSONSchemaProps.exclusiveMinimum': 'Whether minimum itself is too small. Default: false.',
  'JSONSchemaProps.maxLength': 'Largest length of strings in characters.',
  'JSONSchemaProps.minLength': 'Smallest length of strings in characters.',
  'JSONSchemaProps.pattern':
    'Regular expression in the syntax of RE2 that must match somewhere in the string.',
  'JSONSchemaProps.maxItems': 'Largest number of items of arrays.',
  'JSONSchemaProps.minItems': 'Smallest number of items of arrays.',
  'JSONSchemaProps.uniqueItems':
    'Whether array items must differ. Only false is allowed; use x-kubernetes-list-type set.',
  'JSONSchemaProps.multipleOf': 'Number of which the value must be a multiple.',
  'JSONSchemaProps.enum': 'The allowed values.',
  'JSONSchemaProps.maxProperties': 'Largest number of members of objects.',
  'JSONSchemaProps.minProperties': 'Smallest number of members of objects.',
  'JSONSchemaProps.required': 'Members that an object must have.',
  'JSONSchemaProps.items': 'Schema of the items of an array.',
  'JSONSchemaProps.allOf': 'Schemas that must all match.',
  'JSONSchemaProps.oneOf': 'Schemas of which exactly one must match.',
  'JSONSchemaProps.anyOf': 'Schemas of which at least one must match.',
  'JSONSchemaProps.not': 'Schema that must not match.',
  'JSONSchemaProps.properties': 'Schemas of the members of an object, by name.',
  'JSONSchemaProps.additionalProperties':
    'Schema of members that are not in properties: the object is a map. Excludes properties.',
  'JSONSchemaProps.patternProperties':
    'Schemas of members by regular expression. Not allowed in definitions of custom resources.',
  'JSONSchemaProps.dependencies':
    'What must be there if a member is. Not allowed in definitions of custom resources.',
  'JSONSchemaProps.additionalItems':
    'Schema of items behind the listed ones. Not allowed in definitions of custom resources.',
  'JSONSchemaProps.definitions': 'Schemas for references. Not allowed in definitions of custom resources.',
  'JSONSchemaProps.externalDocs': 'Link to more documentation.',
  'JSONSchemaProps.example': 'Example of a value, for documentation only.',
  'JSONSchemaProps.nullable':
    'Whether null is allowed. Null is otherwise dropped or replaced by the default. Default: false.',
  'JSONSchemaProps.x-kubernetes-preserve-unknown-fields':
    'If true, members that the schema does not know are kept instead of pruned, here and below up to the next schema with properties.',
  'JSONSchemaProps.x-kubernetes-embedded-resource':
    'If true, the value is a Kubernetes object with apiVersion, kind and metadata, which are validated.',
  'JSONSchemaProps.x-kubernetes-int-or-string':
    'If true, the value is an integer or a string. Type must then be absent.',
  'JSONSchemaProps.x-kubernetes-list-map-keys':
    'Members that together identify an item. Only with x-kubernetes-list-type map.',
  'JSONSchemaProps.x-kubernetes-list-type':
    'How lists are merged: atomic lists are replaced as a whole, sets have unique scalars, maps have items identified by keys. Default: atomic.',
  'JSONSchemaProps.x-kubernetes-map-type':
    'How maps are merged: granular member by member, atomic as a whole. Default: granular.',
  'JSONSchemaProps.x-kubernetes-validations': 'Rules in CEL that the value must fulfil.',
  CustomResourceDefinitionStatus: 'State of a custom resource definition.',
  'CustomResourceDefinitionStatus.acceptedNames':
    'Names that are in use for discovery. They may differ from spec.names when those conflict with other resources.',
  'CustomResourceDefinitionStatus.storedVersions':
    'Versions in which objects may still be stored. A version can be removed from spec only after it is removed here.',
  'CustomResourceDefinitionStatus.conditions':
    'Established tells that the resource is served, NamesAccepted that its names do not conflict, Terminating that it is being deleted.',
  CustomResourceDefinitionCondition: 'State of a custom resource definition at its last change.',
  'CustomResourceDefinitionCondition.type':
    'Established, NamesAccepted, NonStructuralSchema, Terminating or KubernetesAPIApprovalPolicyConformant.',
  CustomResourceDefinitionNames: 'Names of a custom resource for clients and discovery.',
  'CustomResourceDefinitionNames.plural':
    'Plural name, by which the resource is served: /apis/GROUP/VERSION/PLURAL. In lower case; name of the definition before the group.',
  'CustomResourceDefinitionNames.singular': 'Singular name in lower case. Default: the kind in lower case.',
  'CustomResourceDefinitionNames.shortNames': 'Short names in lower case for command lines.',
  'CustomResourceDefinitionNames.kind': 'Kind of the objects in CamelCase, usually in the singular.',
  'CustomResourceDefinitionNames.listKind': 'Kind of lists of the objects. Default: kind with List appended.',
  'CustomResourceDefinitionNames.categories':
    'Sets of resources that include this one, such as all, for kubectl get all.',
  CustomResourceConversion: 'How objects are converted between versions.',
  'CustomResourceConversion.strategy': 'None changes apiVersion alone; Webhook calls the webhook.',
  'CustomResourceConversion.webhook': 'The webhook for the strategy Webhook; absent otherwise.',
  WebhookConversion: 'Conversion by a webhook.',
  'WebhookConversion.clientConfig': 'How the webhook is reached.',
  'WebhookConversion.conversionReviewVersions':
    'Versions of ConversionReview that the webhook understands, the preferred one first. One of them must be known to the server.',
  WebhookClientConfig: 'How a webhook is reached: exactly one of url and service.',
  'WebhookClientConfig.url':
    'Address of the webhook with https, a host and a path, without user, query or fragment.',
  'WebhookClientConfig.service': 'Service in front of the webhook.',
  'WebhookClientConfig.caBundle':
    "CA certificates in PEM with which the webhook's certificate is verified. Absent means the trust roots of the host.",
  ServiceReference: 'Reference to a Service.',
  'ServiceReference.namespace': 'Namespace of the Service.',
  'ServiceReference.name': 'Name of the Service.',
  'ServiceReference.path': 'Path of requests to the Service. Default: the root.',
  'ServiceReference.port': 'Port of the Service, 1 to 65535. Default: 443.',
  SelectableField: 'Field by which field selectors can choose objects.',
  'SelectableField.jsonPath':
    'Path of the field without array notation, such as .spec.color. Its type must be string, boolean or integer.',
  CustomResourceColumnDefinition: 'Column of the table that kubectl get prints.',
  'CustomResourceColumnDefinition.name': 'Heading of the column.',
  'CustomResourceColumnDefinition.type':
    'Type of the value in OpenAPI: string, integer, number, boolean or date.',
  'CustomResourceColumnDefinition.format':
    "Format of the type in OpenAPI; name marks the column with the object's name.",
  'CustomResourceColumnDefinition.description': 'What the column shows.',
  'CustomResourceColumnDefinition.priority':
    'Importance of the column: those above 0 are shown in wide output only.',
  'CustomResourceColumnDefinition.jsonPath': 'Simple JSON path to the value, relative to the object.',
  CustomResourceSubresources: 'Subresources of a custom resource.',
  'CustomResourceSubresources.status':
    'Serves /status: updates of the main resource then leave the status as it is, and updates of /status everything else.',
  'CustomResourceSubresources.scale': 'Serves /scale with paths into the object.',
  CustomResourceSubresourceScale: 'Fields of the object from which a Scale is made.',
  'CustomResourceSubresourceScale.specReplicasPath':
    'JSON path of the desired replicas below .spec, without array notation.',
  'CustomResourceSubresourceScale.statusReplicasPath':
    'JSON path of the observed replicas below .status, without array notation. A missing value counts as 0.',
  'CustomResourceSubresourceScale.labelSelectorPath':
    'JSON path of the label selector as a string below .spec or .status. Needed for HorizontalPodAutoscalers.',
  CustomResourceSubresourceStatus: 'Switches the status subresource on; it has no settings.',
  CustomResourceValidation: 'Schema of the objects of a version.',
  'CustomResourceValidation.openAPIV3Schema':
    'Schema by which objects are validated, pruned and defaulted. It must be structural.',
  ValidationRule: 'Rule in CEL for a value.',
  'ValidationRule.rule':
    'Expression that must be true. The variable self is the value; with oldSelf it is a transition rule, evaluated for updates.',
  'ValidationRule.message': 'Text of the error when the rule is not fulfilled, without line breaks.',
  'ValidationRule.messageExpression':
    'Expression whose string is the text of the error; message is the fallback if it fails.',
  'ValidationRule.reason':
    'Reason of the error: FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate. Default: FieldValueInvalid.',
  'ValidationRule.fieldPath':
    "Path of the field that the error names, relative to the value, such as .spec.replicas or ['name'].",
  'ValidationRule.optionalOldSelf':
    'If true, oldSelf is optional and a transition rule is evaluated for new values, too.',
  JSON: 'Any JSON value.',
  ExternalDocumentation: 'Link to documentation.',
  'ExternalDocumentation.description': 'What the linked document has.',
  'ExternalDocumentation.url': 'Address of the document.',
  JSONSchemaPropsOrBool: 'A schema, or a boolean: true allows everything, false nothing.',
  JSONSchemaPropsOrStringArray: 'A schema, or a list of names of members.',
  JSONSchemaPropsOrArray: 'A schema, or a list of schemas.',
};
