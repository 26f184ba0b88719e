/**
 * The fields of Kubernetes 1.33 that our manifests use, with their types. Any other field is refused: Kubernetes itself
 * would drop a misspelt one with a warning. A manifest that needs another field adds it here, from the reference:
 * https://kubernetes.io/docs/reference/kubernetes-api/
 */
import { z } from 'zod';

const count = z.int().min(0);
const texts = z.record(z.string(), z.string());
const name = z.string().regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
const quantity = z.string().regex(/^\d+(\.\d+)?(m|Ki|Mi|Gi)?$/);
const quantities = z.partialRecord(z.enum(['cpu', 'memory', 'ephemeral-storage']), quantity);

const metadata = z.strictObject({ name, labels: texts.optional(), annotations: texts.optional() });
const selector = z.strictObject({ matchLabels: texts });

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: z.union([name, count]) }),
  periodSeconds: count.optional(),
  timeoutSeconds: count.optional(),
  failureThreshold: count.optional(),
});

const container = z.strictObject({
  name,
  image: z.string(),
  command: z.array(z.string()).optional(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name }) })).optional(),
  ports: z.array(z.strictObject({ name, containerPort: count.max(65_535) })).optional(),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  lifecycle: z
    .strictObject({ preStop: z.strictObject({ sleep: z.strictObject({ seconds: count }) }) })
    .optional(),
  resources: z.strictObject({ requests: quantities.optional(), limits: quantities.optional() }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
  volumeMounts: z
    .array(z.strictObject({ name, mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() }))
    .optional(),
});

const podTemplate = z.strictObject({
  metadata: metadata.omit({ name: true }).optional(),
  spec: z.strictObject({
    restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional(),
    serviceAccountName: name,
    automountServiceAccountToken: z.boolean(),
    enableServiceLinks: z.boolean(),
    terminationGracePeriodSeconds: count.optional(),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: count,
          topologyKey: z.string(),
          whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
          labelSelector: selector,
        }),
      )
      .optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.boolean(),
      runAsUser: count,
      fsGroup: count,
      seccompProfile: z.strictObject({ type: z.enum(['RuntimeDefault', 'Localhost', 'Unconfined']) }),
    }),
    containers: z.array(container),
    volumes: z
      .array(
        z.strictObject({
          name,
          secret: z
            .strictObject({
              secretName: name,
              defaultMode: count.max(0o777).optional(),
              items: z.array(z.strictObject({ key: name, path: name })).optional(),
            })
            .optional(),
          emptyDir: z.strictObject({}).optional(),
        }),
      )
      .optional(),
  }),
});

const countOrShare = z.union([count, z.string().regex(/^\d+%$/)]);

const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: count.optional(),
    strategy: z
      .strictObject({
        type: z.enum(['RollingUpdate', 'Recreate']).optional(),
        rollingUpdate: z.strictObject({ maxUnavailable: countOrShare, maxSurge: countOrShare }).optional(),
      })
      .optional(),
    selector,
    template: podTemplate,
  }),
});

const job = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  metadata,
  spec: z.strictObject({
    backoffLimit: count.optional(),
    activeDeadlineSeconds: count.optional(),
    ttlSecondsAfterFinished: count.optional(),
    template: podTemplate,
  }),
});

const podDisruptionBudget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ maxUnavailable: countOrShare, selector }),
});

const configMap = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata,
  data: texts,
});

const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    selector: texts,
    ports: z.array(z.strictObject({ name, port: count, targetPort: z.union([name, count]) })),
  }),
});

const serviceAccount = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ServiceAccount'),
  metadata,
  automountServiceAccountToken: z.boolean().optional(),
});

export const manifestSchema = z.discriminatedUnion('kind', [
  deployment,
  job,
  podDisruptionBudget,
  configMap,
  service,
  serviceAccount,
]);

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestOf<Kind extends Manifest['kind']> = Extract<Manifest, { kind: Kind }>;
export type PodTemplate = z.infer<typeof podTemplate>;
export type Container = z.infer<typeof container>;
