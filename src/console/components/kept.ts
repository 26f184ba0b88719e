/**
 * Stores unsaved changes in this browser tab, so that they survive navigation and reloads. Signing out deletes them.
 */
import { useState } from 'react';
import { useSession } from '../shell/session.ts';

const prefix = 'parley.kept.';

/** Reads and writes the unsaved changes of one form or field, separately for each user and organization. */
export interface KeptPlace {
  /** @returns the stored value; undefined if there is none or it cannot be read */
  read: () => unknown;
  /** Stores the value as JSON; undefined deletes the stored value. Does nothing if storage is full or disabled. */
  write: (value: unknown) => void;
}

/** @param name identifies the form or field, for example `agent.` and the agent's id */
export function useKeptPlace(name: string): KeptPlace {
  const { user, organization } = useSession();
  const key = `${prefix}${user.id}.${organization.id}.${name}`;
  return {
    read: () => {
      try {
        const text = window.sessionStorage.getItem(key);
        const value: unknown = text === null ? undefined : JSON.parse(text);
        return value;
      } catch {
        return undefined;
      }
    },
    write: (value) => {
      try {
        if (value === undefined) window.sessionStorage.removeItem(key);
        else window.sessionStorage.setItem(key, JSON.stringify(value));
      } catch {
        // Storage is full or disabled. The changes are lost when the user leaves the page.
      }
    },
  };
}

/**
 * Like `useState` for a text, but also stores the text in this browser tab. Starts with the stored text, if any.
 * @param name identifies the field, for example `reply.` and an id
 */
export function useKeptText(name: string): [text: string, change: (text: string) => void] {
  const place = useKeptPlace(name);
  const [text, setText] = useState(() => {
    const kept = place.read();
    return typeof kept === 'string' ? kept : '';
  });
  return [
    text,
    (typed) => {
      setText(typed);
      place.write(typed === '' ? undefined : typed);
    },
  ];
}

export function forgetKept(): void {
  try {
    for (const key of Object.keys(window.sessionStorage))
      if (key.startsWith(prefix)) window.sessionStorage.removeItem(key);
  } catch {
    // Storage is disabled, so there is nothing to delete.
  }
}
