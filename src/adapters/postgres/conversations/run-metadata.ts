/**
 * Builds SQL for the metadata of a run's answer, which is the metadata of the run's first input that has any.
 * @param run the alias of `runs` in the surrounding query
 * @returns a scalar subquery of type json
 */
export function metadataOf(run: string): string {
  return `select i.metadata from messages i
    where i.conversation_id = ${run}.conversation_id and i.run_ordinal = ${run}.ordinal and i.origin = 'user'
      and i.metadata is not null order by i.seq limit 1`;
}
