/**
 * The type of a translation of English texts: the same keys, the same parameters of functions, and any text instead of
 * each English one.
 */
export type Translation<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : { readonly [Key in keyof T]: Translation<T[Key]> };
