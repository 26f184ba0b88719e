/** The pages that the product serves at /docs, as the build renders them. */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { indexOf, renderPages, type Page } from '../../src/console/build/documentation.ts';
import { menu } from '../../src/console/build/page-menu.ts';
import { notFoundDocument, pageDocument } from '../../src/console/build/page-frame.ts';
import { renderPage } from '../../src/console/build/render-page.ts';
import { copiedText } from '../../src/console/documentation/copied-text.ts';
import { findSections } from '../../src/console/documentation/find-sections.ts';
import { projectRoot } from '../../src/local/project-root.ts';

/** Chosen with room for growth: the index had 349 kB, and 96 kB compressed, when the pages were first served. */
const maxIndexBytes = 600_000;
const maxDocumentBytes = 300_000;

const images = new Set<string>();
const imageOf = (file: string) => {
  images.add(file);
  return { address: `/${file}`, width: 1, height: 1 };
};
const pages = renderPages(projectRoot, imageOf);
const served = ['/', '/reference', '/v1/openapi.json', '/favicon.svg'];
const render = (markdown: string) => renderPage(markdown, 'docs/api.md', imageOf).html;
const assets = { scripts: [], styles: [] };
const documentOf = (page: Page) => pageDocument(page, page.address, '/index.json', assets);

/** Links of a page that lead to no page, or to no heading of it. */
function brokenLinks(html: string, from: string): string[] {
  const anchors = new Map(
    pages.map(({ address, sections }) => [address, sections.map(({ anchor }) => anchor)]),
  );
  return [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, target = '']) => {
    if (/^https?:/.test(target) || target === '#content' || served.includes(target)) return [];
    const [address = '', anchor] = target.split('#');
    const known = anchors.get(address === '' ? from : address);
    return known !== undefined && (anchor === undefined || known.includes(anchor)) ? [] : [target];
  });
}

describe('The documentation that is served', () => {
  it('has every page of docs in the menu, and nothing else in the menu', () => {
    const files = globSync('docs/*.md', { cwd: projectRoot });
    assert.deepEqual(
      files.filter((file) => !pages.some((page) => page.file === file)),
      [],
    );
    const addresses = menu.flatMap(({ entries }) => entries.map(({ address }) => address));
    assert.equal(new Set(addresses).size, addresses.length);
    assert.equal(menu[0]?.label, 'Answer a message');
    assert.equal(menu[1]?.label, 'Receive the answer');
    assert.equal(menu[2]?.label, 'Go live');
  });

  it('has no link that leads nowhere, to a page or to a heading; a planted one is found', () => {
    for (const page of pages) assert.deepEqual(brokenLinks(documentOf(page), page.address), [], page.file);
    assert.deepEqual(brokenLinks(notFoundDocument('/index.json', assets), ''), []);
    const planted = render('# A\n\n[a](nothing.md) [b](data.md#nowhere) [c](#a) [d](../src/config.ts)');
    assert.deepEqual(brokenLinks(planted, '/docs/api'), [...['/docs/nothing', '/docs/data#nowhere', '#a']]);
  });

  it('begins each page with its title, and has every id once and images that exist', () => {
    for (const page of pages) {
      const html = documentOf(page);
      assert.match(html, /<article>\n<h1 /, page.file);
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        page.file,
      );
      assert.ok(html.includes(`<title>${page.title.replaceAll('&', '&amp;')} · Parley</title>`), page.file);
    }
    assert.ok(images.size >= 10);
    for (const file of images) assert.ok(existsSync(join(projectRoot, file)), file);
  });

  it('is bounded in size', () => {
    for (const page of pages) {
      const bytes = Buffer.byteLength(documentOf(page));
      assert.ok(bytes < maxDocumentBytes, `${page.file}: ${bytes} bytes`);
    }
    const bytes = Buffer.byteLength(JSON.stringify(indexOf(pages)));
    assert.ok(bytes > 100_000 && bytes < maxIndexBytes, `the index: ${bytes} bytes`);
  });

  it('names a link to a page after the menu instead of after the file', () => {
    const html = render('# A\n\n[api.md](api.md#errors) [data.md](data.md#caps-on-credits) [x](data.md)');
    assert.match(html, />Errors<\/a> <a [^>]*>Data<\/a> <a [^>]*>x<\/a>/);
  });

  it('gives headings of the same text anchors of their own', () => {
    const html = render('# A\n\n## B\n\n## B');
    assert.match(html, /id="b">[^]*id="b-1">/);
  });

  it('shows markup in code and text as text, and refuses HTML with its place', () => {
    const html = render('# `<img>` & more\n\n```sh\necho "<b>" && x\n```\n\n\\<i> [x](data.md "t")');
    assert.match(html, /<h1 id="img--more"><code>&lt;img&gt;<\/code> &amp; more<\/h1>/);
    assert.match(html, /<code>echo &quot;&lt;b&gt;&quot; &amp;&amp; x<\/code>/);
    assert.match(html, /<p>&lt;i&gt; <a href="\/docs\/data">x<\/a><\/p>/);
    assert.throws(() => render('# A\n\n<script>alert(1)</script>'), /docs\/api\.md:3: html is not rendered/);
    assert.throws(() => render('A text.'), /does not begin with a heading/);
  });
});

describe('The search of the documentation', () => {
  const index = indexOf(pages);
  const find = (query: string) => findSections(index, query, 12);

  it('finds a section by its heading first, by words of its text, and a setting by its name', () => {
    assert.equal(find('sign callbacks')[0]?.address, '/docs/api#sign-callbacks');
    assert.equal(find('TEMPORAL cloud')[0]?.address, '/docs/deploy#temporal-cloud');
    assert.ok(find('MAX_QUEUE_AGE_SECONDS').some(({ address }) => address.startsWith('/docs/settings')));
    assert.equal(find('settings')[0]?.address, '/docs/settings');
  });

  it('finds only what contains every word, and nothing for an empty query', () => {
    assert.deepEqual(find('callback xyzzy'), []);
    assert.deepEqual(find('  '), []);
    assert.ok(find('a').length === 12);
    for (const { excerpt } of find('idempotency')) assert.ok(excerpt.length <= 142, excerpt);
  });
});

describe('The text that is copied from a code block', () => {
  it('is the commands of a terminal session without what they print, and all of another block', () => {
    const session = '$ curl -sS \\\n    -d \'{}\'\n{"a":1}\n$ ls\nfile';
    assert.equal(copiedText(session, 'console'), "curl -sS \\\n    -d '{}'\nls");
    assert.equal(copiedText(session, 'sh'), session);
    assert.equal(copiedText('no prompt', 'console'), 'no prompt');
  });
});
