/** Users as answers hold them. */
import type { JsonObject } from './json.ts';
import type { World } from './world.ts';

/** A full user object, or a partial one when nobody has this id. */
export function showUser(world: World, id: string): JsonObject {
  const person = world.state.people.get(id);
  if (person !== undefined) {
    return {
      object: 'user',
      id,
      name: person.name,
      avatar_url: null,
      type: 'person',
      person: { email: person.email, email_verified: true },
    };
  }
  const bot = world.state.bots.get(id);
  if (bot === undefined) return { object: 'user', id };
  return { object: 'user', id, name: bot.name, avatar_url: null, type: 'bot', bot: {} };
}

/** The connection itself as `GET /v1/users/me` and the users list return it. */
export function showSelf(world: World, id: string): JsonObject {
  const bot = world.state.bots.get(id);
  if (bot === undefined) return showUser(world, id);
  const workspace = world.state.workspaces.get(bot.workspace);
  return {
    ...showUser(world, id),
    bot: {
      owner:
        bot.owner === null
          ? { type: 'workspace', workspace: true }
          : { type: 'user', user: showUser(world, bot.owner) },
      workspace_name: workspace?.name ?? null,
      workspace_id: bot.workspace,
      workspace_limits: { max_file_upload_size_in_bytes: workspace?.uploadLimit ?? 5_242_880 },
    },
  };
}

export function partialUser(id: string): JsonObject {
  return { object: 'user', id };
}
