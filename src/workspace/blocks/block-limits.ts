/** The workspace's limits, in its own units. A text's length counts UTF-16 code units, as the API does. */
export const limits = {
  textContent: 2000,
  url: 2000,
  expression: 1000,
  richTextItems: 100,
  blocksPerRequest: 100,
  elementsPerRequest: 1000,
  bytesPerRequest: 450_000,
  nestedLevels: 2,
  tableWidth: 100,
  tables: 100,
  optionsPerProperty: 100,
} as const;
