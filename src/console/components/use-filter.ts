import { useSearchParams } from 'wouter';

/** A filter of a page, stored in its URL. */
export function useFilter(name: string): [string | undefined, (value: string | undefined) => void] {
  const [given, change] = useSearchParams();
  return [
    given.get(name) ?? undefined,
    (value) => {
      change(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      );
    },
  ];
}
