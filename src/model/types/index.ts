import type { Declarations } from '../declare.ts';
import admissionV1 from './admission-v1.ts';
import admissionV1beta1 from './admission-v1beta1.ts';
import admissionregistrationV1 from './admissionregistration-v1.ts';
import admissionregistrationV1alpha1 from './admissionregistration-v1alpha1.ts';
import admissionregistrationV1beta1 from './admissionregistration-v1beta1.ts';
import apidiscoveryV2 from './apidiscovery-v2.ts';
import apidiscoveryV2beta1 from './apidiscovery-v2beta1.ts';
import apiextensionsV1 from './apiextensions-v1.ts';
import apiregistrationV1 from './apiregistration-v1.ts';
import apiserverconfigV1 from './apiserverconfig-v1.ts';
import apiserverconfigV1alpha1 from './apiserverconfig-v1alpha1.ts';
import apiserverconfigV1beta1 from './apiserverconfig-v1beta1.ts';
import apiserverinternalV1alpha1 from './apiserverinternal-v1alpha1.ts';
import appsV1 from './apps-v1.ts';
import auditV1 from './audit-v1.ts';
import authenticationV1 from './authentication-v1.ts';
import authenticationV1beta1 from './authentication-v1beta1.ts';
import authorizationV1 from './authorization-v1.ts';
import autoscalingV1 from './autoscaling-v1.ts';
import autoscalingV2 from './autoscaling-v2.ts';
import batchV1 from './batch-v1.ts';
import certificatesV1 from './certificates-v1.ts';
import certificatesV1alpha1 from './certificates-v1alpha1.ts';
import componentbaseTracingV1 from './componentbase-tracing-v1.ts';
import coordinationV1 from './coordination-v1.ts';
import coordinationV1alpha2 from './coordination-v1alpha2.ts';
import coreV1Configuration from './core-v1-configuration.ts';
import coreV1Containers from './core-v1-containers.ts';
import coreV1Controllers from './core-v1-controllers.ts';
import coreV1Events from './core-v1-events.ts';
import coreV1Namespaces from './core-v1-namespaces.ts';
import coreV1Nodes from './core-v1-nodes.ts';
import coreV1PersistentVolumes from './core-v1-persistent-volumes.ts';
import coreV1Pods from './core-v1-pods.ts';
import coreV1References from './core-v1-references.ts';
import coreV1Scheduling from './core-v1-scheduling.ts';
import coreV1Services from './core-v1-services.ts';
import coreV1Volumes from './core-v1-volumes.ts';
import discoveryV1 from './discovery-v1.ts';
import eventratelimitconfigV1alpha1 from './eventratelimitconfig-v1alpha1.ts';
import eventsV1 from './events-v1.ts';
import flowcontrolV1 from './flowcontrol-v1.ts';
import imagepolicyV1alpha1 from './imagepolicy-v1alpha1.ts';
import intstr from './intstr.ts';
import metaV1 from './meta-v1.ts';
import metaV1Discovery from './meta-v1-discovery.ts';
import metaV1Options from './meta-v1-options.ts';
import metaV1Table from './meta-v1-table.ts';
import metaV1beta1 from './meta-v1beta1.ts';
import networkingV1 from './networking-v1.ts';
import networkingV1beta1 from './networking-v1beta1.ts';
import nodeV1 from './node-v1.ts';
import podsecurityconfigV1 from './podsecurityconfig-v1.ts';
import podtolerationrestrictionconfigV1alpha1 from './podtolerationrestrictionconfig-v1alpha1.ts';
import policyV1 from './policy-v1.ts';
import quantity from './quantity.ts';
import rbacV1 from './rbac-v1.ts';
import resourceV1alpha3 from './resource-v1alpha3.ts';
import resourceV1beta1 from './resource-v1beta1.ts';
import resourcequotaconfigV1 from './resourcequotaconfig-v1.ts';
import resourcequotaconfigV1alpha1 from './resourcequotaconfig-v1alpha1.ts';
import resourcequotaconfigV1beta1 from './resourcequotaconfig-v1beta1.ts';
import runtime from './runtime.ts';
import schedulingV1 from './scheduling-v1.ts';
import storageV1 from './storage-v1.ts';
import storageV1alpha1 from './storage-v1alpha1.ts';
import storageV1beta1 from './storage-v1beta1.ts';
import storagemigrationV1alpha1 from './storagemigration-v1alpha1.ts';
import webhookadmissionconfigV1 from './webhookadmissionconfig-v1.ts';
import webhookadmissionconfigV1alpha1 from './webhookadmissionconfig-v1alpha1.ts';

/** The declaration files of types that release 1.32 has, in any order; {@link laterDeclarations} has the others. */
export const firstDeclarations: readonly Declarations[] = [
  admissionV1,
  admissionV1beta1,
  admissionregistrationV1,
  admissionregistrationV1alpha1,
  admissionregistrationV1beta1,
  apidiscoveryV2,
  apidiscoveryV2beta1,
  apiextensionsV1,
  apiregistrationV1,
  apiserverconfigV1,
  apiserverconfigV1alpha1,
  apiserverconfigV1beta1,
  apiserverinternalV1alpha1,
  appsV1,
  auditV1,
  authenticationV1,
  authenticationV1beta1,
  authorizationV1,
  autoscalingV1,
  autoscalingV2,
  batchV1,
  certificatesV1,
  certificatesV1alpha1,
  componentbaseTracingV1,
  coordinationV1,
  coordinationV1alpha2,
  coreV1Configuration,
  coreV1Containers,
  coreV1Controllers,
  coreV1Events,
  coreV1Namespaces,
  coreV1Nodes,
  coreV1PersistentVolumes,
  coreV1Pods,
  coreV1References,
  coreV1Scheduling,
  coreV1Services,
  coreV1Volumes,
  discoveryV1,
  eventratelimitconfigV1alpha1,
  eventsV1,
  flowcontrolV1,
  imagepolicyV1alpha1,
  intstr,
  metaV1,
  metaV1Discovery,
  metaV1Options,
  metaV1Table,
  metaV1beta1,
  networkingV1,
  networkingV1beta1,
  nodeV1,
  podsecurityconfigV1,
  podtolerationrestrictionconfigV1alpha1,
  policyV1,
  quantity,
  rbacV1,
  resourceV1alpha3,
  resourceV1beta1,
  resourcequotaconfigV1,
  resourcequotaconfigV1alpha1,
  resourcequotaconfigV1beta1,
  runtime,
  schedulingV1,
  storageV1,
  storageV1alpha1,
  storageV1beta1,
  storagemigrationV1alpha1,
  webhookadmissionconfigV1,
  webhookadmissionconfigV1alpha1,
];
