/**
 * The page of the inbox. Wide screens show the list of conversations beside the open conversation; narrow screens show
 * either the list or the open conversation.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { usePageTitle } from '../../../components/page.tsx';
import { texts } from '../../../messages.ts';
import { Conversation } from '../conversation.tsx';
import { ConversationList } from './conversation-list.tsx';
import { useInboxFilters } from './inbox-filters.tsx';
import { inboxKeys } from './inbox-keys.ts';
import { useInboxRows } from './inbox-rows.ts';
import { NothingOpened } from './nothing-opened.tsx';

const t = texts.conversations;

export function Inbox() {
  const { id } = useParams();
  const inbox = useInboxRows(useInboxFilters());
  const [, navigate] = useLocation();
  const params = useSearch();
  usePageTitle(t.title);
  const element = useRef<HTMLDivElement>(null);
  // Focuses the inbox when the page opens, so that its keyboard shortcuts work at once.
  useEffect(() => {
    if (document.activeElement?.closest('.inbox') == null) element.current?.focus({ preventScroll: true });
  }, []);
  const open = (next: string) => navigate(`/conversations/${next}${params === '' ? '' : `?${params}`}`);
  return (
    <div
      ref={element}
      className="inbox"
      data-opened={id !== undefined || undefined}
      // Makes the inbox focusable: a click in it focuses it, so that its keyboard shortcuts work.
      tabIndex={-1}
      onKeyDown={(event) => inboxKeys(event, { rows: inbox.rows, opened: id, open })}
    >
      <ConversationList opened={id} inbox={inbox} />
      {id === undefined ? <NothingOpened /> : <Conversation key={id} id={id} />}
    </div>
  );
}
