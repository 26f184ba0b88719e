/**
 * The metadata that the answer of a run carries: the first of its inputs that has any.
 * @param run the name of a row of `runs` in the surrounding query
 * @returns a scalar query of type json
 */
export function metadataOf(run: string): string {
  return `select i.metadata from messages i
    where i.conversation_id = ${run}.conversation_id and i.run_ordinal = ${run}.ordinal and i.role = 'user'
      and i.metadata is not null order by i.seq limit 1`;
}
