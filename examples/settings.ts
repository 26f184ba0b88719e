/** Reads a setting of the examples from the environment. Exits if it is empty, or unset without a default. */
export function setting(name: string, absent?: string): string {
  const value = process.env[name] ?? absent;
  if (value !== undefined && value !== '') return value;
  console.error(`Set ${name}; examples/README.md says how.`);
  process.exit(2);
}
