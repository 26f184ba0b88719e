/** Finds the document workspace's actions among an agent's tools, and selects them by preset. */
import { texts } from '../messages.ts';
import type { ActionText, PresetName } from '../messages/workspace-actions.ts';

const byId = new Map<string, ActionText>(Object.entries(texts.workspaceActions.actions));

/** Returns the ids of all actions, or of those in a preset. `none`: of those that no preset contains. */
export const actionsIn = (preset?: PresetName | 'none'): string[] =>
  [...byId].filter(([, action]) => preset === undefined || action.preset === preset).map(([id]) => id);

export const isWorkspaceAction = (tool: string): boolean => byId.has(tool);

/** Returns the plain name of a workspace action; any other tool's name unchanged. */
export const toolLabel = (tool: string): string => byId.get(tool)?.name ?? tool;

/** @returns the texts of a workspace action; undefined for any other tool */
export const textsOf = (tool: string): ActionText | undefined => byId.get(tool);

/**
 * Selects or removes tools. The other tools keep their order, and new ones are appended.
 * @returns the new list, without duplicates
 */
export function withTools(tools: readonly string[], changed: readonly string[], isChosen: boolean): string[] {
  return isChosen ? [...new Set([...tools, ...changed])] : tools.filter((tool) => !changed.includes(tool));
}
