/**
 * Returns the path of the form field that shows the API's error about `path`. For `follow_ups.0.after_seconds`, this
 * is the same path. For `tools.3`, it is `tools`, because one field contains the whole list of names.
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

/** Converts the value of a number field to a number; an empty field to null. */
export function numberOrNull(typed: number | string): number | null {
  return typed === '' ? null : Number(typed);
}

type TextName<T> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T] & string;

/**
 * Returns a function that makes the props of a field. For the name `url`, the label is `texts.url`, and the description
 * is `texts.urlHelp` if it exists. The form's value and error at `path` are added; by default, `path` is the name.
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
