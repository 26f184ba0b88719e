/**
 * Decodes property ids, which are percent-encoded in pages and schemas. Text that does not decode is returned
 * unchanged.
 */
export function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
