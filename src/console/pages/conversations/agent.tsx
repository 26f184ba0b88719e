/** The settings of one agent. */
import { AgentForm } from './agent-form.tsx';
import { AgentFrame } from './agent-frame.tsx';

export function AgentSettings() {
  return <AgentFrame>{(agent) => <AgentForm key={agent.id} agent={agent} />}</AgentFrame>;
}
