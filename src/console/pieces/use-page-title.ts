import { useEffect } from 'react';
import { words } from '../words.ts';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
}
