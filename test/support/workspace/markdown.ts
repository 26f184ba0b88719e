/** Routes of page markdown: read, the four edits, and the task of an edit that runs later. */
import { booleanAt, bodyOf, objectAt, onlyKeys, requireCapability, type Call, type Handler } from './call.ts';
import { plant } from './block-tree.ts';
import { invalid, notFound, shouldBe } from './errors.ts';
import { newRandomId, requireId } from './ids.ts';
import { asObject, asString, type Json, type JsonObject } from './json.ts';
import { pageMarkdown } from './markdown-read.ts';
import { markdownDrafts } from './markdown-write.ts';
import { pageAt } from './pages.ts';
import type { AsyncTask, Page } from './state.ts';
import { find, requireEditable, touch } from './world.ts';

function answer(call: Call, id: string): JsonObject {
  const entity = find(call.world, call.bot, id, 'page');
  const { markdown, truncated, unknown } = pageMarkdown(call, entity, call.world.settings.markdownBlockLimit);
  return { markdown, truncated, unknown_block_ids: unknown, id, object: 'page_markdown' };
}

/** A block id is taken too: that is how the parts behind a truncation are read. */
export const retrieveMarkdown: Handler = (call) => {
  requireCapability(call, 'read_content');
  const id = requireId(call.params['page_id'], 'path.page_id');
  const wanted = call.query.get('include_transcript');
  if (wanted !== null && !['true', 'false'].includes(wanted)) {
    throw shouldBe('query.include_transcript', 'a boolean or `undefined`', wanted);
  }
  if (find(call.world, call.bot, id, 'page').kind !== 'block') pageAt(call, id);
  return answer(call, id);
};

const commands = ['insert_content', 'replace_content_range', 'update_content', 'replace_content'];

export const updateMarkdown: Handler = (call) => {
  requireCapability(call, 'update_content');
  const page = pageAt(call, requireId(call.params['page_id'], 'path.page_id'));
  const body = bodyOf(call);
  onlyKeys(body, [...commands, 'type', 'allow_async'], 'body');
  const type = asString(body['type']);
  if (!commands.includes(type))
    throw shouldBe('body.type', commands.map((each) => `\`"${each}"\``).join(', '), body['type']);
  const command = objectAt(body[type], `body.${type}`) ?? {};
  requireEditable(call.world, page);
  edit(call, page, type, command);
  touch(call.world, call.bot, page);
  if (booleanAt(body['allow_async'], 'body.allow_async') !== true) return answer(call, page.id);
  return { status: 202, body: startTask(call, answer(call, page.id)) };
};

function text(value: Json | undefined, path: string): string {
  if (typeof value !== 'string') throw shouldBe(path, value === undefined ? 'defined' : 'a string', value);
  return value;
}

function edit(call: Call, page: Page, type: string, command: JsonObject): void {
  if (type === 'insert_content') {
    insert(call, page, command);
    return;
  }
  const before = pageMarkdown(call, page, Number.MAX_SAFE_INTEGER).markdown;
  if (type === 'replace_content') {
    rewrite(call, page, text(command['new_str'], 'body.replace_content.new_str'), command);
    return;
  }
  if (type === 'replace_content_range') {
    const found = rangeIn(before, text(command['content_range'], 'body.replace_content_range.content_range'));
    const next = text(command['content'], 'body.replace_content_range.content');
    rewrite(call, page, `${before.slice(0, found.start)}${next}${before.slice(found.end)}`, command);
    return;
  }
  let after = before;
  const updates = command['content_updates'];
  if (!Array.isArray(updates)) throw shouldBe('body.update_content.content_updates', 'an array', updates);
  for (const [index, each] of updates.entries()) {
    const path = `body.update_content.content_updates[${index}]`;
    const update = asObject(each);
    const old = text(update['old_str'], `${path}.old_str`);
    const count = old === '' ? 0 : after.split(old).length - 1;
    if (count === 0) throw invalid(`No match found for old_str: ${old}`);
    if (count > 1 && update['replace_all_matches'] !== true) {
      throw invalid(
        `Multiple matches (${count}) found for old_str; set replace_all_matches or make it unique.`,
      );
    }
    after = after.replaceAll(old, () => text(update['new_str'], `${path}.new_str`));
  }
  rewrite(call, page, after, command);
}

/** `start...end`: from the first words of the range to the last. */
function rangeIn(before: string, range: string): { start: number; end: number } {
  const [head = '', tail] = range.split('...');
  const start = before.indexOf(head);
  if (start < 0) throw invalid(`No match found for content range: ${range}`);
  if (tail === undefined) return { start, end: start + head.length };
  const at = before.indexOf(tail, start + head.length);
  if (at < 0) throw invalid(`No match found for content range: ${range}`);
  return { start, end: at + tail.length };
}

function insert(call: Call, page: Page, command: JsonObject): void {
  onlyKeys(command, ['content', 'after', 'position'], 'body.insert_content');
  const drafts = markdownDrafts(call, text(command['content'], 'body.insert_content.content'), false).blocks;
  const after = command['after'];
  if (after !== undefined) {
    const before = pageMarkdown(call, page, Number.MAX_SAFE_INTEGER).markdown;
    const { end } = rangeIn(before, text(after, 'body.insert_content.after'));
    const content = text(command['content'], 'body.insert_content.content');
    rewrite(call, page, `${before.slice(0, end)}\n${content}${before.slice(end)}`, command);
    return;
  }
  const created = plant(call, { type: 'page_id', id: page.id }, drafts);
  const start = asObject(command['position'])['type'] === 'start';
  page.children.splice(start ? 0 : page.children.length, 0, ...created);
}

/** Child pages and databases stay unless the call allows deleting them. */
function rewrite(call: Call, page: Page, markdown: string, command: JsonObject): void {
  const kept = page.children.filter((id) => {
    const child = call.world.state.entities.get(id);
    return child !== undefined && child.kind !== 'block' && !child.inTrash;
  });
  const plain = markdown
    .split('\n')
    .filter((line) => !/^<(page|database) url=/.test(line))
    .join('\n');
  const lost = kept.filter((id) => !markdown.includes(id.replaceAll('-', '')));
  if (lost.length > 0 && command['allow_deleting_content'] !== true) {
    throw invalid(
      `This edit would delete ${lost.length} child pages or databases; set allow_deleting_content to allow it.`,
    );
  }
  const drafts = markdownDrafts(call, plain, false).blocks;
  for (const id of page.children) {
    const child = call.world.state.entities.get(id);
    if (child !== undefined && (child.kind === 'block' || lost.includes(id))) child.inTrash = true;
  }
  const trashed = page.children.filter((id) => !kept.includes(id) || lost.includes(id));
  const created = plant(call, { type: 'page_id', id: page.id }, drafts);
  page.children = [...trashed, ...created, ...kept.filter((id) => !lost.includes(id))];
}

function startTask(call: Call, result: JsonObject): JsonObject {
  const id = `task_${newRandomId().replaceAll('-', '')}`;
  const operation = 'PATCH /v1/pages/:page_id/markdown';
  const task: AsyncTask = { id, createdAt: call.world.now(), polls: 0, operation, result };
  call.world.state.tasks.set(id, task);
  return showTask(task, 'queued');
}

function showTask(task: AsyncTask, status: string): JsonObject {
  return {
    object: 'async_task',
    id: task.id,
    status,
    status_url: `https://api.notion.com/v1/async_tasks/${task.id}`,
    created_time: new Date(task.createdAt).toISOString(),
    ...(status === 'succeeded' ? {} : { poll_after_seconds: 2 }),
    operation: { surface: 'rest', name: task.operation },
    ...(status === 'succeeded' ? { result: task.result } : {}),
  };
}

export const retrieveTask: Handler = (call) => {
  const id = asString(call.params['task_id']);
  const task = call.world.state.tasks.get(id);
  if (task === undefined) throw notFound('async task', id, call.bot);
  task.polls += 1;
  return showTask(task, task.polls > call.world.settings.asyncPolls ? 'succeeded' : 'running');
};
