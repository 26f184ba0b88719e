import { useEffect } from 'react';
import { words } from '../messages.ts';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
}
