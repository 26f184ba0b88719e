/** Parses a file of agents. Uploaded files are parsed in a thread with limited time and memory: read-agents-file.ts. */
import { isScalar, parseDocument, visit } from 'yaml';
import { agentsFile, AgentsFileProblem, type AgentsFile } from '../../contract/conversations/agents-file.ts';

const maxIssues = 20;
const maxProblemChars = 2000;

/**
 * Parses YAML of the form `agents: [{ name, instructions, … }]`.
 * @throws AgentsFileProblem if the text is not YAML, contains a field twice, expands to too much through aliases, has
 * more than `maxAgents` agents, or has invalid fields; the message names the first `maxIssues` of these
 */
export function parseAgentsFile(yaml: string, maxAgents = Infinity): AgentsFile {
  const parsed = agentsFile.safeParse(valueOf(yaml));
  if (parsed.success && parsed.data.agents.length > maxAgents)
    throw problem(`agents: at most ${maxAgents} in one file`);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const lines = issues
    .slice(0, maxIssues)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  if (issues.length > maxIssues) lines.push(`and ${issues.length - maxIssues} more`);
  throw problem(lines.join('\n'));
}

/** @throws AgentsFileProblem if the text is not YAML, contains a field twice, or expands to too much through aliases */
function valueOf(yaml: string): unknown {
  // The parser's own check for duplicate keys is off, because it takes time quadratic in the number of keys.
  const document = parseDocument(yaml, { uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) throw problem(`This is not YAML: ${error.message}`);
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) throw problem(`A field is given twice: ${String(key.value)}`);
        seen.add(key.value);
      }
    },
  });
  try {
    return document.toJS();
  } catch (cause) {
    throw problem(`This is not YAML: ${cause instanceof Error ? cause.message : ''}`);
  }
}

function problem(message: string): AgentsFileProblem {
  return new AgentsFileProblem(message.slice(0, maxProblemChars));
}
