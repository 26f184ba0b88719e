/** docker-compose.yml as Compose reads it: merged, with the defaults of what nobody has set. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../../src/local/project-root.ts';

const condition = z.enum(['service_healthy', 'service_completed_successfully', 'service_started']);

const service = z.strictObject({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  pull_policy: z.literal('never').optional(),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  logging: z.strictObject({
    driver: z.literal('local'),
    options: z.strictObject({ 'max-size': z.string(), 'max-file': z.string() }),
  }),
  user: z.literal('postgres').optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.int(),
      start_period: z.string().optional(),
    })
    .optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition })).default({}),
  restart: z.enum(['unless-stopped', 'on-failure:5']),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  network_mode: z.literal('none').optional(),
  volumes: z.array(z.string()).default([]),
  configs: z.array(z.strictObject({ source: z.string(), target: z.string() })).default([]),
  deploy: z.object({ replicas: z.int() }).optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  shm_size: z.string().optional(),
});

const composeFile = z.object({
  services: z.record(z.string(), service),
  networks: z.record(
    z.string(),
    z.strictObject({
      internal: z.boolean().optional(),
      driver_opts: z.record(z.string(), z.string()).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })),
});

export type Service = z.output<typeof service>;

export const composePath = join(projectRoot, 'docker-compose.yml');

/** @throws Error if it contains an unexpected key, so that somebody checks each new key here */
export function readCompose(): z.output<typeof composeFile> {
  return composeFile.parse(interpolated(parse(readFileSync(composePath, 'utf8'), { merge: true })));
}

/** `${NAME:-default}` gives the default, which may hold others; `$$` a dollar. */
function interpolated(value: unknown): unknown {
  if (typeof value === 'string') {
    const inner = value.replace(/\$\{\w+:-([^${}]*)\}/g, '$1');
    if (inner !== value) return interpolated(inner);
    return value.replace(/\$\$|\$/g, (found) => {
      if (found === '$') throw new Error(`"${value}" has a lone $, or a variable without a default`);
      return '$';
    });
  }
  if (Array.isArray(value)) return value.map(interpolated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, interpolated(one)]));
}
