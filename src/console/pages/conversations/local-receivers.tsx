/** In local mode, the receivers on this machine that Parley may call, each with an action that blocks it again. */
import type { LoopbackReceivers } from '../../../contract/conversations/webhook-endpoints.ts';
import { Section } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Row, Rows } from '../../components/rows.tsx';
import { texts } from '../../messages.ts';

const t = texts.webhooks.local;

/** Renders nothing in other modes, and as long as no receiver is allowed. */
export function LocalReceivers() {
  const { data } = useRead<LoopbackReceivers>(['loopback-receivers'], '/loopback-receivers');
  if (data?.offered !== true || data.data.length === 0) return null;
  return (
    <Section title={t.title} lead={t.lead}>
      <Rows label={t.title}>
        {data.data.map(({ host }) => (
          <Row key={host} as="li" name={<span className="mono">{host}</span>}>
            <RowActions
              name={host}
              buttons={0}
              actions={[
                deletion({
                  ...t.remove(host),
                  path: `/loopback-receivers/${encodeURIComponent(host)}`,
                  query: 'loopback-receivers',
                }),
              ]}
            />
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
