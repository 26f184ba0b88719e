import { createContext } from 'react';

/** Opens the command palette. */
export const OpenSearch = createContext<() => void>(() => undefined);
