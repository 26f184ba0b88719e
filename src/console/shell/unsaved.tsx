/**
 * Asks for confirmation before the user leaves a page with unsaved changes: by a link, the menu or the Back button, by
 * signing out, reloading, or closing the tab.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Router, useSearch, type AroundNavHandler } from 'wouter';
import { Dialog } from '../components/dialogs.tsx';
import { texts } from '../messages.ts';
import { holdBack } from './held-back.ts';

const t = texts.unsaved;

interface Unsaved {
  /** Path of the page with unsaved changes. */
  path: string;
  /** Saves the changes. Returns false if they could not be saved. */
  save: () => Promise<boolean>;
}

interface Leaving {
  /** Leaves the page. */
  go: () => void;
  /** True if the changes stay stored in the browser tab, and are restored when the user returns. */
  keepsDraft: boolean;
  /** True if no confirmation is needed, because the user has already decided, for example to delete the agent. */
  isDecided?: boolean;
}

interface Guard {
  /** Leaves at once if there are no unsaved changes or `isDecided` is true; otherwise asks for confirmation. */
  leave: (leaving: Leaving) => void;
  begin: (unsaved: Unsaved) => void;
  end: (unsaved: Unsaved) => void;
  /** True if leaving must be confirmed: the changes are not saved, and the user has not decided to leave. */
  holds: (unsaved: Unsaved) => boolean;
}

const GuardContext = createContext<Guard | undefined>(undefined);

/** @throws Error outside the component that guards unsaved changes */
function useGuard(): Guard {
  const guard = use(GuardContext);
  if (guard === undefined) throw new Error('no guard here');
  return guard;
}

/**
 * @returns a function that calls `go` to leave the page. If there are unsaved changes and `isDecided` is not true, the
 * function first asks the user, who may stay.
 */
export function useLeave(): Guard['leave'] {
  return useGuard().leave;
}

/**
 * Asks for confirmation before the user leaves the page while `hasChanges` is true.
 * @param save saves the changes; returns false if they could not be saved
 */
export function useUnsaved(hasChanges: boolean, save: () => Promise<boolean>): void {
  const guard = useGuard();
  const latest = useRef(save);
  const query = useSearch();
  const search = useRef('');
  useEffect(() => {
    latest.current = save;
    search.current = query === '' ? '' : `?${query}`;
  });
  useEffect(() => {
    if (!hasChanges) return;
    const unsaved = { path: window.location.pathname, save: () => latest.current() };
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    const askOnBack = (event: PopStateEvent) => {
      if (!guard.holds(unsaved) || window.location.pathname === unsaved.path) return;
      // The browser has already changed the URL. Restores it before the router renders the other page.
      event.stopImmediatePropagation();
      window.history.pushState(null, '', unsaved.path + search.current);
      guard.leave({
        go: () => window.history.back(),
        keepsDraft: true,
      });
    };
    guard.begin(unsaved);
    window.addEventListener('beforeunload', askBrowser);
    const letGo = holdBack(askOnBack);
    return () => {
      guard.end(unsaved);
      window.removeEventListener('beforeunload', askBrowser);
      letGo();
    };
  }, [hasChanges, guard]);
}

export function AskBeforeLeaving({ children }: { children: ReactNode }) {
  const unsaved = useRef<Unsaved>(undefined);
  const [leaving, setLeaving] = useState<Leaving>();
  const [saving, setSaving] = useState(false);
  const guard = useMemo<Guard>(
    () => ({
      leave: (next) => {
        if (next.isDecided === true) unsaved.current = undefined;
        if (unsaved.current === undefined) next.go();
        else setLeaving(next);
      },
      begin: (one) => {
        unsaved.current = one;
      },
      end: (one) => {
        if (unsaved.current === one) unsaved.current = undefined;
      },
      holds: (one) => unsaved.current === one,
    }),
    [],
  );
  const aroundNav = useMemo<AroundNavHandler>(
    () => (navigate, to, options) => {
      const go = () => navigate(to, options);
      const staysOnPage = new URL(to, window.location.href).pathname === unsaved.current?.path;
      if (staysOnPage) go();
      else guard.leave({ go, keepsDraft: true });
    },
    [guard],
  );
  const stay = () => setLeaving(undefined);
  const go = () => {
    unsaved.current = undefined;
    stay();
    leaving?.go();
  };
  const saveAndGo = async () => {
    setSaving(true);
    const isSaved = (await unsaved.current?.save()) ?? true;
    setSaving(false);
    if (isSaved) go();
    else stay();
  };
  return (
    <GuardContext value={guard}>
      <Router aroundNav={aroundNav}>{children}</Router>
      {leaving !== undefined && (
        <Dialog onClose={stay} title={t.title}>
          <Stack>
            <Text size="sm">{leaving.keepsDraft ? t.text : t.textLost}</Text>
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={stay} data-autofocus>
                {t.stay}
              </Button>
              <Button variant="default" onClick={go}>
                {leaving.keepsDraft ? t.leave : t.leaveLost}
              </Button>
              <Button loading={saving} onClick={() => void saveAndGo()}>
                {t.saveAndLeave}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
    </GuardContext>
  );
}
