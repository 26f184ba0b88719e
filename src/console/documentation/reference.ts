/**
 * Shows the API reference: Scalar, with the product's own OpenAPI document and none of Scalar's services. A token that
 * the reader enters to try an operation stays in the memory of the page, and is sent to this origin alone.
 */
import './reference.css';
import { applyAppearance, chosenAppearance } from './appearance.ts';

declare global {
  interface Window {
    /** Set by Scalar's bundle, which the document loads before this script. */
    Scalar?: { createApiReference: (target: string, configuration: Record<string, unknown>) => void };
  }
}

const documentPath = '/v1/openapi.json';

function configurationFor(document: unknown): Record<string, unknown> {
  const appearance = chosenAppearance();
  return {
    content: document,
    // The document names the public origin; the page may be open at another one, such as an address of this machine.
    servers: [{ url: `${location.origin}/v1` }],
    layout: 'modern',
    theme: 'default',
    // Without this option, Scalar follows the system.
    ...(appearance !== undefined && { forceDarkModeState: appearance }),
    hideDarkModeToggle: true,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    documentDownloadType: 'none',
    hideModels: true,
    persistAuth: false,
    // Without the options below, the page would use services of Scalar or link to them.
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
  };
}

/** @throws Error if the OpenAPI document cannot be loaded */
async function loadDocument(): Promise<unknown> {
  const response = await fetch(documentPath);
  if (!response.ok) throw new Error(`The OpenAPI document was answered with ${response.status}.`);
  return await response.json();
}

/**
 * Replaces `?operation=POST /v1/chat/{id}` in the address by the fragment of this operation, which Scalar then shows.
 * Does nothing if the document has no such operation.
 */
function goToOperation(document: unknown): void {
  const [method = '', route = ''] = new URLSearchParams(location.search).get('operation')?.split(' ') ?? [];
  const path = route.replace(/^\/v1/, '');
  const tag = valueAt(document, ['paths', path, method.toLowerCase(), 'tags', '0']);
  if (typeof tag !== 'string') return;
  const fragment = `#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}`;
  history.replaceState(null, '', `${location.pathname}${fragment}`);
}

/** @returns the value at the keys, from the outermost one; undefined if there is none */
function valueAt(document: unknown, keys: readonly string[]): unknown {
  let value = document;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** @throws Error if the document or the bundle of the reference was not loaded */
async function showReference(): Promise<void> {
  const document = await loadDocument();
  if (window.Scalar === undefined) throw new Error('The bundle of the API reference was not loaded.');
  goToOperation(document);
  window.Scalar.createApiReference('#reference', configurationFor(document));
}

applyAppearance();
showReference().catch(() => {
  const problem = document.getElementById('problem');
  if (problem !== null) problem.hidden = false;
});
