/** First messages to choose from in an empty playground. */
import { Button, Group } from '@mantine/core';
import type { TestTurn } from '../../../contract/rehearsals/rehearsals.ts';
import { useRead, type PageOf } from '../../components/queries.ts';
import { texts } from '../../messages.ts';

/** Maximum numbers of starters, and of turns of the test set that are read for them. Chosen. */
const maxStarters = 3;
const maxRead = 10;
/** Maximum length of a starter. Longer messages are left out. Chosen. */
const maxChars = 80;

/** The newest short messages of the agent's test set, which customers wrote; then the general ones. */
export function Starters({ agentId, choose }: { agentId: string; choose: (message: string) => void }) {
  const path = `/agents/${agentId}/test-turns`;
  const turns = useRead<PageOf<TestTurn>>([path, 'starters'], path, { query: { limit: maxRead } });
  if (turns.isPending) return null;
  const asked = (turns.data?.data ?? [])
    .map(({ input }) => input.trim())
    .filter((input) => input !== '' && input.length <= maxChars && !input.includes('\n'));
  const starters = [...new Set([...asked, ...texts.playground.starters])].slice(0, maxStarters);
  return (
    <Group gap="xs" justify="center" maw={460}>
      {starters.map((starter) => (
        <Button key={starter} variant="default" size="xs" radius="xl" onClick={() => choose(starter)}>
          {starter}
        </Button>
      ))}
    </Group>
  );
}
