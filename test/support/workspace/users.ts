/** Routes of users: the connection's bot, one user, all members. */
import { listing, requireCapability, type Handler } from './call.ts';
import { invalid, userNotFound } from './errors.ts';
import { requireId } from './ids.ts';
import { showSelf } from './user-answer.ts';

export const retrieveSelf: Handler = (call) => showSelf(call.world, call.bot.id);

export const retrieveUser: Handler = (call) => {
  requireCapability(call, 'read_users');
  const id = requireId(call.params['user_id'], 'path.user_id');
  const { people, bots } = call.world.state;
  const user = people.get(id) ?? bots.get(id);
  if (user?.workspace !== call.bot.workspace) throw userNotFound(id, call.bot);
  return showSelf(call.world, id);
};

/** Guests are left out. */
export const listUsers: Handler = (call) => {
  requireCapability(call, 'read_users');
  const { people, bots } = call.world.state;
  const items = [...[...people.values()].filter((person) => !person.guest), ...bots.values()].filter(
    (user) => user.workspace === call.bot.workspace,
  );
  return listing(call, {
    items,
    idOf: (user) => user.id,
    show: (user) => showSelf(call.world, user.id),
    type: 'user',
    from: 'query',
    badCursor: (cursor) => invalid(`The start_cursor provided is invalid: ${cursor}`),
  });
};
