/** Property ids come percent-encoded in pages and schemas; what does not decode is meant as it stands. */
export function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
