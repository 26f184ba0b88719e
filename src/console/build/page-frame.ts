/** The HTML documents around the documentation's pages and around the API reference. */
import { documentationTexts as t } from '../messages/documentation.ts';
import { menu } from './page-menu.ts';
import { escapeHtml, type RenderedPage } from './render-page.ts';

/** Addresses of the built files that a document loads. */
export interface Assets {
  scripts: readonly { address: string; isModule: boolean }[];
  styles: readonly string[];
}

const contentId = 'content';

/**
 * Returns the document of a page.
 * @param address address of the page, such as `/docs/api`; undefined for the page that unknown addresses get
 * @param searchIndex address of the search index
 */
export function pageDocument(
  { title, html, sections }: RenderedPage,
  address: string | undefined,
  searchIndex: string,
  assets: Assets,
): string {
  const outline = sections.filter(({ depth }) => depth === 2);
  const search = `<search class="search" data-index="${searchIndex}">
<label class="unseen" for="query">${t.search}</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" maxlength="100" placeholder="${t.search}" aria-controls="found" aria-keyshortcuts="Control+K Meta+K">
<p id="found-count" role="status"></p>
<ul id="found" aria-label="${t.found}" hidden></ul>
</search>`;
  const body = `<div class="frame">
<nav class="menu" id="menu" aria-label="${t.pages}">
${menu.map(({ label, entries }, index) => menuGroup(label, `menu-${index}`, entries, address)).join('\n')}
</nav>
<main id="${contentId}" tabindex="-1"><article>
${html}
</article></main>
${outline.length < 2 ? '' : outlineOf(outline)}
</div>`;
  return documentOf(`${title} · ${t.product}`, `${header(t.documentation, search)}\n${body}`, assets);
}

/** Returns the page that browsers receive for an unknown address in the documentation. */
export function notFoundDocument(searchIndex: string, assets: Assets): string {
  const html = `<h1>${t.notFound}</h1>\n<p>${t.notFoundText} <a href="/docs">${t.toStart}</a>.</p>`;
  return pageDocument({ title: t.notFound, html, sections: [] }, undefined, searchIndex, assets);
}

/** Returns the document in which the API reference is shown. */
export function referenceDocument(assets: Assets): string {
  // Not a main element, because Scalar renders its own.
  const body = `<div id="${contentId}" tabindex="-1">
<p id="problem" role="alert" hidden>${t.noDocument}</p>
<noscript><p>${t.needsScript} <a href="/v1/openapi.json">${t.document}</a>.</p></noscript>
<div id="reference"></div>
</div>`;
  const licence = '<link rel="license" href="/api-reference-licenses.txt">';
  return documentOf(`${t.reference} · ${t.product}`, `${referenceHeader()}\n${body}`, assets, licence);
}

function documentOf(title: string, body: string, { scripts, styles }: Assets, more = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((address) => `<link rel="stylesheet" href="${address}">`).join('\n')}
${scripts.map(({ address, isModule }) => `<script src="${address}" ${isModule ? 'type="module"' : 'defer'}></script>`).join('\n')}
${more}
</head>
<body>
<a class="skip" href="#${contentId}">${t.skip}</a>
${body}
</body>
</html>
`;
}

function header(here: string, search: string): string {
  return `<header class="top">
${brand}
${search}
<nav class="places" aria-label="${t.places}">${placeLinks(here)}</nav>
</header>`;
}

/** Returns the header of the API reference. It is not a header element, because Scalar renders its own. */
function referenceHeader(): string {
  return `<nav class="top" aria-label="${t.places}">
${brand}
<div class="places">${placeLinks(t.reference)}</div>
</nav>`;
}

const brand = `<a class="brand" href="/docs"><img src="/favicon.svg" width="28" height="28" alt=""> ${t.product}</a>`;

function placeLinks(here: string): string {
  const places = [
    [t.documentation, '/docs'],
    [t.reference, '/reference'],
    [t.console, '/'],
  ] as const;
  return places
    .map(([label, address]) => {
      const isHere = label === here;
      return `<a href="${address}"${isHere ? ' aria-current="true"' : ''}>${label}</a>`;
    })
    .join('');
}

function menuGroup(
  label: string,
  id: string,
  entries: readonly { label: string; address: string }[],
  current: string | undefined,
): string {
  const items = entries.map((entry) => {
    const isHere = entry.address === current;
    return `<li><a href="${entry.address}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(entry.label)}</a></li>`;
  });
  return `<p class="group" id="${id}">${label}</p>\n<ul aria-labelledby="${id}">${items.join('')}</ul>`;
}

function outlineOf(headings: readonly { text: string; anchor: string }[]): string {
  const items = headings.map(({ text, anchor }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<nav class="outline" aria-label="${t.onThisPage}"><p class="group">${t.onThisPage}</p><ul>${items.join('')}</ul></nav>`;
}
