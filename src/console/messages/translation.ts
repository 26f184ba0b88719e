/**
 * The type of a translation of English texts: the same keys, the same parameters of functions, and any text for each
 * English one. A union of texts, such as the names of presets, consists of codes of the program, so it stays unchanged.
 */
export type Translation<T> = [T] extends [string]
  ? IsUnion<T> extends true
    ? T
    : string
  : T extends (...values: infer Values) => infer Result
    ? (...values: Values) => Result extends string ? string : Translation<Result>
    : { readonly [Key in keyof T]: Translation<T[Key]> };

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;
