/** How many agents use a model, with a link to them. */
import type { ModelSettings } from '../../../contract/models/models.ts';
import { countText } from '../../components/format.ts';
import { useAgents } from '../../components/queries.ts';
import { Hint, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.models;

/** Links to the agent that uses the model or, if there are several, to the list of agents. */
export function AgentCount({ model, settings }: { model: string; settings: ModelSettings }) {
  const agents = useAgents().data ?? [];
  const count = settings.used_by[model] ?? 0;
  if (count === 0) return <Hint span>{t.noAgent}</Hint>;
  const user = agents.find((agent) => agent.model === model || agent.fallback_model === model);
  return (
    <TextLink to={count === 1 && user !== undefined ? `/agents/${user.id}` : '/agents'}>
      {t.agents(count, countText(count))}
    </TextLink>
  );
}
