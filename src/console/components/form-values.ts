/**
 * Maps the path of an API error to the form field that shows the error. `follow_ups.0.after_seconds` has its own
 * field; `tools.3` belongs to the field `tools`, a list of names.
 */
export function fieldOf(values: unknown, path: string): string {
  const parts = path.split('.');
  let value = values;
  let depth = 0;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null) break;
    const inner: unknown = Reflect.get(value, part);
    if (Array.isArray(value) && typeof inner !== 'object') break;
    value = inner;
    depth += 1;
  }
  return parts.slice(0, Math.max(depth, 1)).join('.');
}

/** The value of a number field; null if it is empty. */
export function numberOrNull(typed: number | string): number | null {
  return typed === '' ? null : Number(typed);
}

type TextName<T> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T] & string;

/**
 * Returns a function that makes the props of a field. The label is `texts[name]`; the description is the text whose
 * name ends in `Help`, if there is one; value and error are those of the form at the path.
 */
export const fieldsWith =
  <T extends object, I extends object>(texts: T, inputProps: (path: string) => I) =>
  (name: TextName<T>, path: string = name) => {
    const help: unknown = Reflect.get(texts, `${name}Help`);
    return {
      label: String(texts[name]),
      ...(typeof help === 'string' && { description: help }),
      ...inputProps(path),
    };
  };
