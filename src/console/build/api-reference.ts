/**
 * Reads the browser bundle of Scalar's API reference, and the licence notices of the packages in the bundle. Scalar's
 * package for Fastify contains the bundle as a string in its code. Scalar's other packages with the bundle have
 * hundreds of dependencies.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/**
 * Returns the bundle's JavaScript.
 * @throws Error if the package's code does not contain the bundle as a string, for example in a new version
 */
export function readReferenceBundle(): string {
  const file = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'));
  for (const statement of parseSync(file, readFileSync(file, 'utf8')).program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { init } of statement.declarations) {
      if (init?.type !== 'Literal' || typeof init.value !== 'string' || !isBundle(init.value)) continue;
      // Removes the last line, because it names a source map that is not in the package.
      return init.value.replace(/\n\/\/# sourceMappingURL=[^\n]*$/, '\n');
    }
  }
  throw new Error(
    '@scalar/fastify-api-reference has no bundle for browsers. Read its code, and change api-reference.ts.',
  );
}

/** True for the bundle: the only string of more than 1 MiB that names the package from which it was built. */
function isBundle(text: string): boolean {
  return text.length > 1024 * 1024 && /\* @scalar\/api-reference \d+\.\d+\.\d+\n/.test(text);
}

/** Returns the licence notices of the packages in the bundle, which `npm run notices:reference` writes. */
export function referenceNotices(): string {
  return readFileSync(join(import.meta.dirname, 'api-reference-notices.txt'), 'utf8');
}
