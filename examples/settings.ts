/** Reads the examples' settings from the environment. */
export function setting(name: string, absent?: string): string {
  const value = process.env[name] ?? absent;
  if (value !== undefined && value !== '') return value;
  console.error(`Set ${name}; examples/README.md says how.`);
  process.exit(2);
}
