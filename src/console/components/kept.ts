/** Unsaved text outlives its page, and a reload, in this browser tab alone. Signing out forgets it. */
import { useState } from 'react';
import { useSession } from '../shell/session.ts';

const prefix = 'parley.kept.';

/** A place for what this person has not saved yet, in this organization. */
export interface KeptPlace {
  /** What is there; undefined when there is nothing, or nothing that can be read. */
  read: () => unknown;
  /** @param value what JSON can hold; undefined forgets it */
  write: (value: unknown) => void;
}

/** @param name of the place, for instance `agent.ID` */
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
      // Without room or permission the text is in the page alone, which asks before it is left.
      try {
        if (value === undefined) window.sessionStorage.removeItem(key);
        else window.sessionStorage.setItem(key, JSON.stringify(value));
      } catch {
        /* as above */
      }
    },
  };
}

/** What is typed into a field that has no form of its own: as useState, and kept. */
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
    const keys = Array.from({ length: window.sessionStorage.length }, (_, at) =>
      window.sessionStorage.key(at),
    );
    for (const key of keys) if (key?.startsWith(prefix) === true) window.sessionStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
