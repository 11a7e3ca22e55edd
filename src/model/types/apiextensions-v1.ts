import type { Declarations } from '../declare.ts';

export default {
  family: 'apiextensions_v1',
  group: 'apiextensions.k8s.io',
  version: 'v1',
  protobuf: 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1',
  types: `
ConversionRequest unpublished
  uid 1 string required go=types.UID
  desiredAPIVersion 2 string required
  objects 3 []runtime.RawExtension required list=atomic

ConversionResponse unpublished
  uid 1 string required go=types.UID
  convertedObjects 2 []runtime.RawExtension required list=atomic
  result 3 meta_v1.Status required

ConversionReview kind unpublished
  request 1 *ConversionRequest
  response 2 *ConversionResponse

CustomResourceColumnDefinition
  name 1 string required
  type 2 string required
  format 3 string
  description 4 string
  priority 5 int32
  jsonPath 6 string required

CustomResourceConversion
  strategy 1 string required go=ConversionStrategyType
  webhook 2 *WebhookConversion

CustomResourceDefinition kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 CustomResourceDefinitionSpec required
  status 3 CustomResourceDefinitionStatus

CustomResourceDefinitionCondition
  type 1 string required go=CustomResourceDefinitionConditionType
  status 2 string required go=ConditionStatus
  lastTransitionTime 3 meta_v1.Time
  reason 4 string
  message 5 string
  observedGeneration 6 int64 since=1.35

CustomResourceDefinitionList kind
  metadata 1 meta_v1.ListMeta
  items 2 []CustomResourceDefinition required

CustomResourceDefinitionNames
  plural 1 string required
  singular 2 string
  shortNames 3 []string list=atomic
  kind 4 string required
  listKind 5 string
  categories 6 []string list=atomic

CustomResourceDefinitionSpec
  group 1 string required
  names 3 CustomResourceDefinitionNames required
  scope 4 string required go=ResourceScope
  versions 7 []CustomResourceDefinitionVersion required list=atomic
  conversion 9 *CustomResourceConversion
  preserveUnknownFields 10 boolean

CustomResourceDefinitionStatus
  conditions 1 []CustomResourceDefinitionCondition shown list=map(type)
  acceptedNames 2 CustomResourceDefinitionNames
  storedVersions 3 []string shown list=atomic
  observedGeneration 4 int64 since=1.35

CustomResourceDefinitionVersion
  @json name served storage deprecated deprecationWarning schema subresources additionalPrinterColumns selectableFields
  name 1 string required
  served 2 boolean required
  storage 3 boolean required
  schema 4 *CustomResourceValidation
  subresources 5 *CustomResourceSubresources
  additionalPrinterColumns 6 []CustomResourceColumnDefinition list=atomic
  deprecated 7 boolean
  deprecationWarning 8 *string
  selectableFields 9 []SelectableField list=atomic

CustomResourceSubresourceScale
  specReplicasPath 1 string required
  statusReplicasPath 2 string required
  labelSelectorPath 3 *string

CustomResourceSubresourceStatus

CustomResourceSubresources
  status 1 *CustomResourceSubresourceStatus
  scale 2 *CustomResourceSubresourceScale

CustomResourceValidation
  openAPIV3Schema 1 *JSONSchemaProps

ExternalDocumentation
  description 1 string
  url 2 string

JSON form=any

JSONSchemaProps
  id 1 string
  $schema 2 string protobuf=schema
  $ref 3 *string protobuf=ref
  description 4 string
  type 5 string
  format 6 string
  title 7 string
  default 8 *JSON
  maximum 9 *double
  exclusiveMaximum 10 boolean
  minimum 11 *double
  exclusiveMinimum 12 boolean
  maxLength 13 *int64
  minLength 14 *int64
  pattern 15 string
  maxItems 16 *int64
  minItems 17 *int64
  uniqueItems 18 boolean
  multipleOf 19 *double
  enum 20 []JSON list=atomic
  maxProperties 21 *int64
  minProperties 22 *int64
  required 23 []string list=atomic
  items 24 *JSONSchemaPropsOrArray
  allOf 25 []JSONSchemaProps list=atomic
  oneOf 26 []JSONSchemaProps list=atomic
  anyOf 27 []JSONSchemaProps list=atomic
  not 28 *JSONSchemaProps
  properties 29 map:JSONSchemaProps
  additionalProperties 30 *JSONSchemaPropsOrBool
  patternProperties 31 map:JSONSchemaProps
  dependencies 32 map:JSONSchemaPropsOrStringArray
  additionalItems 33 *JSONSchemaPropsOrBool
  definitions 34 map:JSONSchemaProps
  externalDocs 35 *ExternalDocumentation
  example 36 *JSON
  nullable 37 boolean
  x-kubernetes-preserve-unknown-fields 38 *boolean protobuf=xKubernetesPreserveUnknownFields
  x-kubernetes-embedded-resource 39 boolean protobuf=xKubernetesEmbeddedResource
  x-kubernetes-int-or-string 40 boolean protobuf=xKubernetesIntOrString
  x-kubernetes-list-map-keys 41 []string list=atomic protobuf=xKubernetesListMapKeys
  x-kubernetes-list-type 42 *string protobuf=xKubernetesListType
  x-kubernetes-map-type 43 *string protobuf=xKubernetesMapType
  x-kubernetes-validations 44 []ValidationRule list=map(rule) patch=merge protobuf=xKubernetesValidations

JSONSchemaPropsOrArray form=schemaOrArray
  Schema 1 *JSONSchemaProps shown protobuf=schema
  JSONSchemas 2 []JSONSchemaProps shown protobuf=jSONSchemas

JSONSchemaPropsOrBool form=schemaOrBool
  Allows 1 boolean shown protobuf=allows
  Schema 2 *JSONSchemaProps shown protobuf=schema

JSONSchemaPropsOrStringArray form=schemaOrStringArray
  Schema 1 *JSONSchemaProps shown protobuf=schema
  Property 2 []string shown protobuf=property

SelectableField
  jsonPath 1 string required

ServiceReference
  namespace 1 string required
  name 2 string required
  path 3 *string
  port 4 *int32

ValidationRule
  rule 1 string required
  message 2 string
  messageExpression 3 string
  reason 4 *string enum=FieldValueDuplicate|FieldValueForbidden|FieldValueInvalid|FieldValueRequired go=FieldValueErrorReason
  fieldPath 5 string
  optionalOldSelf 6 *boolean

WebhookClientConfig
  @json url service caBundle
  service 1 *ServiceReference
  caBundle 2 bytes
  url 3 *string

WebhookConversion
  clientConfig 2 *WebhookClientConfig
  conversionReviewVersions 3 []string required list=atomic
`,
} satisfies Declarations;
