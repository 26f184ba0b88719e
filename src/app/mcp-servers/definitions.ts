/** Computes the names by which models call the tools of MCP servers, and digests that reveal a changed tool. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { McpToolRow } from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { readOfferedTool, type OfferedTool } from '../../domain/mcp-servers/read-tool.ts';
import { compileSchema } from '../http-tools/check-arguments.ts';

/** Maximum characters of a tool's name in OpenAI's API: https://platform.openai.com/docs/api-reference/chat/create */
const maxNameChars = 64;
const hashChars = 6;

/**
 * Returns the name by which agents and models call a tool. The same arguments always give the same name. If the remote
 * name is too long, or has characters other than letters, digits and underscores, the name ends with a hash of the
 * remote name. In rare cases, two tools of a server get the same name; `acceptMcpTool` then refuses the second one.
 * Tools of different servers never get the same name, because the name of a server has no underscore.
 * @param server name of the server
 * @param remoteName the tool's name at the server
 */
export function toolName(server: string, remoteName: string): string {
  const prefix = `mcp_${server}_`;
  const plain = remoteName.replaceAll(/[^A-Za-z0-9_]/g, '_');
  if (plain === remoteName && prefix.length + plain.length <= maxNameChars) return prefix + plain;
  const hash = createHash('sha256').update(remoteName).digest('hex').slice(0, hashChars);
  return `${prefix}${plain.slice(0, maxNameChars - prefix.length - hashChars - 1)}_${hash}`;
}

export interface Offered {
  remoteName: string;
  name: string;
  /** Undefined if agents cannot use the tool; `problem` then contains the reason. */
  definition: { description: string; parameters: Record<string, unknown>; digest: string } | undefined;
  problem: string | undefined;
  hints: OfferedTool['hints'];
}

/**
 * Reads a server's list of tools.
 * @param server name of the server
 * @param listed the tools as the server sent them
 * @returns the tools by remote name, in the server's order. Tools without a valid name are left out. If several tools
 * have the same name, only the first is returned.
 */
export function readOffer(server: string, listed: readonly unknown[]): Map<string, Offered> {
  const offer = new Map<string, Offered>();
  for (const one of listed) {
    const read = readOfferedTool(one);
    if (read === undefined || offer.has(read.remoteName)) continue;
    const { remoteName } = read;
    const base = { remoteName, name: toolName(server, remoteName) };
    const none = { readOnly: undefined, destructive: undefined };
    if (read.kind === 'unusable') {
      offer.set(remoteName, { ...base, definition: undefined, problem: read.problem, hints: none });
      continue;
    }
    const { description, parameters, hints } = read;
    const problem = compileProblem(parameters);
    offer.set(remoteName, {
      ...base,
      problem,
      hints,
      definition:
        problem === undefined
          ? { description, parameters, digest: digestOf(description, parameters) }
          : undefined,
    });
  }
  return offer;
}

function compileProblem(parameters: Record<string, unknown>): string | undefined {
  try {
    compileSchema(parameters);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it is no JSON Schema';
    return `The schema of its arguments cannot be used: ${why}`;
  }
}

/** @returns a digest of the definition that does not depend on the order of keys in objects */
function digestOf(description: string, parameters: Record<string, unknown>): string {
  return createHash('sha256').update(canonicalJson({ description, parameters })).digest('hex');
}

const storedOffer = z.object({
  description: z.string(),
  parameters: z.record(z.string(), z.json()),
  digest: z.string(),
});

/**
 * @returns the definition that the server offered when its tools were last compared, if it differs from the accepted
 * one; undefined if it was the same, or if the server offered no usable definition
 */
export function offeredOf({ offered }: Pick<McpToolRow, 'offered'>): z.infer<typeof storedOffer> | undefined {
  return offered === null ? undefined : storedOffer.parse(JSON.parse(offered));
}

/** True if models may call this tool: when the tools were last compared, the server offered the accepted definition. */
export const isReady = ({ offered, is_gone }: Pick<McpToolRow, 'offered' | 'is_gone'>): boolean =>
  offered === null && !is_gone;
