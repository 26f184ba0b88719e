/**
 * Builds the documentation into the console's files: a document for each page, its images, the search index, and the
 * API reference. All are static: the API serves them without reading Markdown.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import type { SearchIndex } from '../documentation/find-sections.ts';
import { readReferenceBundle, referenceNotices } from './api-reference.ts';
import { notFoundDocument, pageDocument, referenceDocument, type Assets } from './page-frame.ts';
import { addressOf, menu, pageFiles } from './page-menu.ts';
import { renderPage, type PageImage, type RenderedPage } from './render-page.ts';

export interface Page extends RenderedPage {
  file: string;
  address: string;
}

/** Maximum bytes of one page and of one image. Chosen: a larger file was probably added by mistake. */
const maxPageBytes = 256 * 1024;
const maxImageBytes = 512 * 1024;

/**
 * Renders all pages.
 * @param root the project's folder
 * @param imageOf returns the served image, given the path of its file relative to `root`
 * @throws Error if a page has no address, is not in the menu, is too large or cannot be rendered
 */
export function renderPages(root: string, imageOf: (file: string) => PageImage): Page[] {
  const linked = new Set(menu.flatMap(({ entries }) => entries.map(({ address }) => address)));
  return globSync([...pageFiles], { cwd: root })
    .sort()
    .map((file) => {
      const address = addressOf(file);
      if (address === undefined) throw new Error(`${file} has no address.`);
      if (address !== '/docs' && !linked.has(address)) {
        throw new Error(`${file} is not in the menu of the documentation. Add it to page-menu.ts.`);
      }
      const markdown = readBounded(join(root, file), maxPageBytes).toString('utf8');
      return { file, address, ...renderPage(markdown, file, imageOf) };
    });
}

/** Returns the sections of all pages, as the search reads them. */
export function indexOf(pages: readonly Page[]): SearchIndex {
  return {
    pages: pages.map(({ address, title }) => ({ address, title })),
    sections: pages.flatMap(({ sections }, page) =>
      sections.map(({ text, anchor, depth, body }) => ({
        page,
        heading: text,
        anchor: depth === 1 ? '' : anchor,
        text: body,
      })),
    ),
  };
}

/**
 * Creates the Vite plugin that adds the documentation to the build. The build must have the entries `documentation` and
 * `reference`.
 * @param root the project's folder
 */
export function documentation(root: string): Plugin {
  return {
    name: 'documentation',
    apply: 'build',
    generateBundle(_options, bundle) {
      const emit = (name: string, source: string | Uint8Array): string =>
        `/${this.getFileName(this.emitFile({ type: 'asset', name, source }))}`;
      const filesOf = (entry: string): Assets => {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || !file.isEntry || file.name !== entry) continue;
          const styles = [...(file.viteMetadata?.importedCss ?? [])].map((name) => `/${name}`);
          return { scripts: [{ address: `/${file.fileName}`, isModule: true }], styles };
        }
        throw new Error(`The build has no entry ${entry}.`);
      };
      const images = new Map<string, PageImage>();
      const pages = renderPages(root, (file) => {
        const bytes = readBounded(join(root, file), maxImageBytes);
        const image = images.get(file) ?? { address: emit(basename(file), bytes), ...sizeOfPng(bytes, file) };
        images.set(file, image);
        return image;
      });
      const searchIndex = emit('search-index.json', JSON.stringify(indexOf(pages)));
      const assets = filesOf('documentation');
      const write = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
      for (const page of pages) {
        const name = page.address === '/docs' ? '/docs/index' : page.address;
        write(`${name.slice(1)}.html`, pageDocument(page, page.address, searchIndex, assets));
      }
      write('docs-not-found.html', notFoundDocument(searchIndex, assets));
      const bundled = { address: emit('api-reference.js', readReferenceBundle()), isModule: false };
      const own = filesOf('reference');
      write('reference.html', referenceDocument({ ...own, scripts: [bundled, ...own.scripts] }));
      write('api-reference-licenses.txt', referenceNotices());
    },
  };
}

/** @throws Error if the file has more than `maxBytes` */
function readBounded(path: string, maxBytes: number): Buffer {
  const bytes = readFileSync(path);
  if (bytes.length <= maxBytes) return bytes;
  throw new Error(`${path} has ${bytes.length} bytes, more than ${maxBytes}. Make it smaller.`);
}

/**
 * Reads the size of a PNG image, in pixels, from its header. With the size, a page reserves the space of its images, so
 * that its text does not move when they load.
 * @throws Error if the file does not have the header of a PNG image
 */
function sizeOfPng(bytes: Buffer, file: string): { width: number; height: number } {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') throw new Error(`${file} is not a PNG image.`);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
