/** Routes of comments: create, list, retrieve. */
import { bodyOf, listing, objectAt, onlyKeys, requireCapability, type Call, type Handler } from './call.ts';
import { invalid, notFound, shouldBe } from './errors.ts';
import { requireId } from './ids.ts';
import { type JsonObject } from './json.ts';
import { pageAt } from './pages.ts';
import { inline } from './markdown-inline.ts';
import { richText, showRichText } from './rich-text.ts';
import type { Comment } from './state.ts';
import { partialUser } from './user-answer.ts';
import { find, minute, requireEditable, visible } from './world.ts';

function showComment(call: Call, comment: Comment): JsonObject {
  return {
    object: 'comment',
    id: comment.id,
    parent: { type: comment.parent.type, [comment.parent.type]: comment.parent.id },
    discussion_id: comment.discussion,
    created_time: minute(comment.createdAt),
    last_edited_time: minute(comment.createdAt),
    created_by: partialUser(comment.createdBy),
    rich_text: showRichText(call.world, comment.richText),
    display_name: comment.displayName,
  };
}

export const createComment: Handler = (call) => {
  requireCapability(call, 'insert_comments');
  const body = bodyOf(call);
  onlyKeys(body, ['parent', 'discussion_id', 'rich_text', 'markdown', 'attachments', 'display_name'], 'body');
  const given = body['parent'];
  if (given !== undefined && body['discussion_id'] !== undefined) {
    throw invalid(
      'body failed validation: body.discussion_id should be not present when body.parent is present.',
    );
  }
  const at = given === undefined ? discussion(call, body) : newThread(call, body);
  const text = body['markdown'];
  const words = typeof text === 'string' ? inline(text) : body['rich_text'];
  const richTextKept = richText(call, words, 'body.rich_text');
  const comment: Comment = {
    id: call.world.newId(),
    workspace: call.bot.workspace,
    ...at,
    createdAt: call.world.now(),
    createdBy: call.bot.id,
    richText: richTextKept,
    displayName: { type: 'integration', resolved_name: call.bot.name },
    resolved: false,
  };
  call.world.state.comments.set(comment.id, comment);
  return showComment(call, comment);
};

type Place = Pick<Comment, 'parent' | 'discussion'>;

function discussion(call: Call, body: JsonObject): Place {
  if (body['discussion_id'] === undefined) throw shouldBe('body.parent', 'defined', undefined);
  const id = requireId(body['discussion_id'], 'body.discussion_id');
  const thread = [...call.world.state.comments.values()].find((each) => each.discussion === id);
  const target = thread === undefined ? undefined : call.world.state.entities.get(thread.parent.id);
  if (thread === undefined || target === undefined || !visible(call.world, call.bot, target)) {
    throw notFound('discussion', id, call.bot);
  }
  return { parent: thread.parent, discussion: id };
}

function newThread(call: Call, body: JsonObject): Place {
  const parent = objectAt(body['parent'], 'body.parent') ?? {};
  onlyKeys(parent, ['type', 'page_id', 'block_id'], 'body.parent');
  if (parent['block_id'] !== undefined) {
    const id = requireId(parent['block_id'], 'body.parent.block_id');
    requireEditable(call.world, find(call.world, call.bot, id, 'block'));
    return { parent: { type: 'block_id', id }, discussion: call.world.newId() };
  }
  const page = pageAt(call, requireId(parent['page_id'], 'body.parent.page_id'));
  requireEditable(call.world, page);
  return { parent: { type: 'page_id', id: page.id }, discussion: call.world.newId() };
}

/** Unresolved comments of one page or block, oldest first; not those of the blocks below. */
export const listComments: Handler = (call) => {
  requireCapability(call, 'read_comments');
  const id = requireId(call.query.get('block_id') ?? undefined, 'query.block_id');
  find(call.world, call.bot, id, 'block');
  return listing(call, {
    items: [...call.world.state.comments.values()].filter((each) => each.parent.id === id && !each.resolved),
    idOf: (comment) => comment.id,
    show: (comment) => showComment(call, comment),
    type: 'comment',
    from: 'query',
  });
};

export const retrieveComment: Handler = (call) => {
  requireCapability(call, 'read_comments');
  const id = requireId(call.params['comment_id'], 'path.comment_id');
  const comment = call.world.state.comments.get(id);
  const target = comment === undefined ? undefined : call.world.state.entities.get(comment.parent.id);
  if (comment === undefined || target === undefined || !visible(call.world, call.bot, target)) {
    throw notFound('comment', id, call.bot);
  }
  return showComment(call, comment);
};
