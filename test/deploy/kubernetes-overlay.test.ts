/** The Kubernetes manifests under a user's overlay, rendered by kustomize. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../../src/local/project-root.ts';
import { renderOverlay, type Resource } from '../support/kustomize.ts';

const component = 'app.kubernetes.io/component';
const page = readFileSync(join(projectRoot, 'docs/deploy.md'), 'utf8');
/** The overlay that docs/deploy.md shows. */
const shown = /<!-- test: kustomize-overlay -->\s+```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

const podOwner = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        containers: z.array(
          z.looseObject({
            image: z.string(),
            envFrom: z.array(z.looseObject({ configMapRef: z.looseObject({ name: z.string() }) })),
          }),
        ),
        volumes: z.array(z.looseObject({ secret: z.looseObject({ secretName: z.string() }).optional() })),
      }),
    }),
  }),
});

describe('An overlay of the Kubernetes manifests', () => {
  // kustomize may still need to be built.
  let rendered: Resource[];

  const owners = (resources: Resource[]) =>
    resources.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');

  before(async () => {
    rendered = await renderOverlay(shown);
  });

  it('as docs/deploy.md shows it sets the image of API, worker and migration, and their settings', () => {
    const wanted = z
      .looseObject({
        images: z.array(z.object({ name: z.string(), newName: z.string(), digest: z.string() })),
      })
      .parse(parse(shown));
    const [image] = wanted.images;
    assert.deepEqual(
      owners(rendered)
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .sort(),
      ['Deployment parley-api', 'Deployment parley-worker', 'Job parley-migrate'],
    );
    for (const one of owners(rendered)) {
      const [container] = podOwner.parse(one).spec.template.spec.containers;
      assert.ok(container);
      assert.equal(container.image, `${image?.newName}@${image?.digest}`, one.metadata.name);
      assert.equal(container.envFrom[0]?.configMapRef.name, 'parley-settings', one.metadata.name);
    }
    const settings = rendered.find(({ kind }) => kind === 'ConfigMap');
    assert.match(JSON.stringify(settings), /"PUBLIC_URL":"https:\/\/agents\.example\.com"/);
  });

  it('moves everything to its namespace, and patches reach the migration', async () => {
    const moved = await renderOverlay(
      shown
        .replace(/^namespace: .*\n/m, '')
        .concat('namespace: elsewhere\n', 'labels: [{ pairs: { team: agents }, includeTemplates: true }]\n'),
    );
    for (const { metadata, kind } of moved) {
      assert.equal(metadata.namespace, 'elsewhere', `${kind} ${metadata.name}`);
      assert.equal(metadata.labels['team'], 'agents', `${kind} ${metadata.name}`);
    }
    for (const one of owners(moved)) assert.match(JSON.stringify(podOwner.parse(one)), /"team":"agents"/);
  });

  it('is applied in the order of docs/deploy.md: settings and the migration, then all but the migration', () => {
    const selectors = [...page.matchAll(/^kubectl apply -k overlay -l '([^']+)'$/gm)].map(([, one]) => one);
    assert.deepEqual(selectors, [`${component} in (settings, migrate)`, `${component}!=migrate`]);
    const first = rendered.filter(({ metadata }) =>
      ['settings', 'migrate'].includes(metadata.labels[component] ?? ''),
    );
    assert.deepEqual(first.map(({ kind }) => kind).sort(), ['ConfigMap', 'Job', 'ServiceAccount']);
    const second = rendered.filter(({ metadata }) => metadata.labels[component] !== 'migrate');
    assert.equal(second.length, rendered.length - 1);
    assert.ok(second.every(({ kind }) => kind !== 'Job'));
  });
});
