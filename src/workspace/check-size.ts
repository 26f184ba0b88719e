/** Bounds the free-form values of an input, such as blocks, which no schema describes in full. */
import { maxListItems, maxText } from '../contract/workspace/actions.ts';
import { invalidInput } from './failures.ts';

/** Blocks nest only a few levels, and each takes three levels of JSON. */
const maxLevels = 64;
const maxValues = 500_000;

/**
 * Checks every value below a parameter, without recursion, which deep nesting would overflow. The schema bounds
 * parameters that are text themselves.
 * @throws ActionError INVALID_INPUT that names the parameter and the limit
 */
export function checkSize(name: string, given: unknown): void {
  if (typeof given === 'string') return;
  let values = 0;
  let level: unknown[] = [given];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxLevels)
      throw invalidInput(`${name}: is nested deeper than ${maxLevels} levels; give a flatter value`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string' && value.length > maxText.body)
        throw invalidInput(
          `${name}: holds a text of ${value.length} characters; give at most ${maxText.body} characters in one text`,
        );
      if (Array.isArray(value) && value.length > maxListItems)
        throw invalidInput(`${name}: holds a list of ${value.length} items; give at most ${maxListItems}`);
      if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) next.push(inner);
    }
    values += next.length;
    if (values > maxValues)
      throw invalidInput(
        `${name}: holds more than ${maxValues} values; split the content over several calls`,
      );
    level = next;
  }
}
