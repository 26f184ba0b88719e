/** Search by title over shared pages and data sources, with the index delay of the real service as a switch. */
import { booleanAt, bodyOf, listing, onlyKeys, requireCapability, type Handler } from './call.ts';
import { shouldBe } from './errors.ts';
import { isObject, type Json } from './json.ts';
import { showDataSource, showPage } from './page-answer.ts';
import { titleOf } from './title.ts';
import { alive, visible } from './world.ts';

export const search: Handler = (call) => {
  requireCapability(call, 'read_content');
  const body = bodyOf(call);
  onlyKeys(body, ['query', 'filter', 'sort', 'start_cursor', 'page_size'], 'body');
  const query = body['query'] ?? '';
  if (typeof query !== 'string') throw shouldBe('body.query', 'a string or `undefined`', query);
  const { kind, trashed } = filterOf(body['filter']);
  const sign = direction(body['sort']);
  const { world, bot } = call;
  const words = query.toLowerCase();
  const indexed = world.now() - world.settings.searchDelayMs;
  const items = [...world.state.entities.values()]
    .filter((entity) => entity.kind === 'page' || entity.kind === 'data_source')
    .filter((entity) => kind === undefined || entity.kind === kind)
    .filter((entity) => alive(world, entity) !== trashed)
    .filter((entity) => visible(world, bot, entity) && entity.createdAt <= indexed)
    .filter((entity) => titleOf(world, entity).toLowerCase().includes(words))
    .sort((left, right) => sign * (left.editedAt - right.editedAt));
  return listing(call, {
    items,
    idOf: (entity) => entity.id,
    show: (entity) => (entity.kind === 'page' ? showPage(call, entity) : showDataSource(call, entity)),
    type: 'page_or_data_source',
    from: 'body',
  });
};

/** Either half may be left out: a kind of object, or what lies in the trash. */
function filterOf(filter: Json | undefined): { kind: string | undefined; trashed: boolean } {
  if (filter === undefined) return { kind: undefined, trashed: false };
  if (!isObject(filter)) throw shouldBe('body.filter', 'an object or `undefined`', filter);
  onlyKeys(filter, ['property', 'value', 'in_trash'], 'body.filter');
  const trashed = booleanAt(filter['in_trash'], 'body.filter.in_trash') ?? false;
  if (filter['in_trash'] !== undefined && filter['property'] === undefined && filter['value'] === undefined)
    return { kind: undefined, trashed };
  if (filter['property'] !== 'object')
    throw shouldBe('body.filter.property', '`"object"`', filter['property']);
  const value = filter['value'];
  if (value !== 'page' && value !== 'data_source') {
    throw shouldBe('body.filter.value', '`"page"` or `"data_source"`', value);
  }
  return { kind: value, trashed };
}

function direction(sort: Json | undefined): 1 | -1 {
  if (sort === undefined) return -1;
  if (!isObject(sort)) throw shouldBe('body.sort', 'an object or `undefined`', sort);
  if (sort['property'] === 'relevance') return -1;
  if (sort['timestamp'] !== 'last_edited_time') {
    throw shouldBe('body.sort.timestamp', '`"last_edited_time"`', sort['timestamp']);
  }
  const given = sort['direction'];
  if (given !== 'ascending' && given !== 'descending') {
    throw shouldBe('body.sort.direction', '`"ascending"` or `"descending"`', given);
  }
  return given === 'ascending' ? 1 : -1;
}
