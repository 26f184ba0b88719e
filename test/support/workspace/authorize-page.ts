/** The page where a person picks pages and approves or denies: GET shows it, POST is its form. */
import { grant, type OAuthClient } from './oauth.ts';
import type { Page } from './state.ts';
import { titleOf } from './title.ts';
import type { World } from './world.ts';

export type PageAnswer = { status: number; html: string } | { status: 302; location: string };

/** @param fields the query of the GET, or the fields of the form */
export function authorize(
  world: World,
  clients: readonly OAuthClient[],
  method: string,
  fields: URLSearchParams,
): PageAnswer {
  const client = clients.find((each) => each.clientId === fields.get('client_id'));
  if (client === undefined) return problem('Unknown client_id.');
  const asked = fields.get('redirect_uri');
  const redirect = asked ?? client.redirectUris[0] ?? '';
  if (!client.redirectUris.includes(redirect)) return problem('Missing or invalid redirect_uri.');
  if (fields.get('response_type') !== 'code') return problem('response_type must be code.');
  if (fields.get('owner') !== 'user') return problem('owner must be user.');
  if (method === 'GET') return { status: 200, html: form(world, client, fields) };
  const target = new URL(redirect);
  const state = fields.get('state');
  if (fields.get('decision') !== 'approve') target.searchParams.set('error', 'access_denied');
  else {
    const person =
      fields.get('person') ?? [...world.state.people.values()].find((each) => !each.guest)?.id ?? '';
    if (!world.state.people.has(person)) return problem('Nobody with this id is in the workspace.');
    target.searchParams.set(
      'code',
      grant(world, client, { person, pages: fields.getAll('page'), redirectUri: asked }),
    );
  }
  if (state !== null) target.searchParams.set('state', state);
  return { status: 302, location: target.href };
}

function problem(text: string): PageAnswer {
  return {
    status: 400,
    html: layout(`<h1>This connection cannot be authorised</h1><p>${escaped(text)}</p>`),
  };
}

function form(world: World, client: OAuthClient, fields: URLSearchParams): string {
  const hidden = [...fields]
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('');
  const people = [...world.state.people.values()]
    .filter((person) => !person.guest)
    .map((person) => {
      const workspace = world.state.workspaces.get(person.workspace)?.name ?? '';
      return `<option value="${person.id}">${escaped(`${person.name}, ${workspace}`)}</option>`;
    })
    .join('');
  const pages = roots(world)
    .map(
      (page) =>
        `<label><input type="checkbox" name="page" value="${page.id}" checked> ${escaped(titleOf(world, page))}</label><br>`,
    )
    .join('');
  return layout(
    `<h1>${escaped(client.name)} asks for access</h1><form method="post" action="/v1/oauth/authorize">${hidden}
<p><label>As <select name="person">${people}</select></label></p><fieldset><legend>Pages</legend>${pages}</fieldset>
<p><button name="decision" value="approve">Allow access</button> <button name="decision" value="deny">Cancel</button></p></form>`,
  );
}

function roots(world: World): Page[] {
  return [...world.state.entities.values()]
    .filter((entity) => entity.kind === 'page')
    .filter((page) => page.parent.type === 'workspace' && !page.inTrash);
}

function layout(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Workspace emulator</title><body>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
