/** What an agent's page shows without a WhatsApp channel: the risk and the button, what is needed, and the three steps. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconTile } from '../../components/rows.tsx';
import { IconAlertTriangle, IconBrandWhatsapp } from '../../components/icons.tsx';
import { Heading } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.channel;

/** @param props.wasConnected true if the channel was disconnected; its gateway instance then still exists */
export function NotConnected(props: { status: ReactNode; wasConnected: boolean; connect: () => void }) {
  const { status, wasConnected, connect } = props;
  return (
    <section className="panel connect-intro" aria-label={t.connectTitle}>
      <Stack gap="md" align="flex-start">
        <Group gap="sm" wrap="nowrap">
          <IconTile icon={IconBrandWhatsapp} />
          <Group gap="4px 12px">
            <Heading>{t.connectTitle}</Heading>
            {status}
          </Group>
        </Group>
        {wasConnected && <Text size="sm">{t.inactive}</Text>}
        <Group gap="xs" wrap="nowrap" align="flex-start" maw={680} className="connect-risk">
          <IconAlertTriangle size={18} />
          <Text size="sm">{t.unofficial}</Text>
        </Group>
        <Group gap="8px 16px">
          <Button onClick={connect}>{t.connect}</Button>
          <Hint>{t.withoutChannel}</Hint>
        </Group>
      </Stack>
      <div className="connect-columns">
        <section aria-label={t.needsTitle}>
          <Text component="h3" fw={600} mb="sm">
            {t.needsTitle}
          </Text>
          <dl className="connect-needs">
            {t.needs.map(({ name, text }, index) => (
              <div key={name}>
                <Text component="dt" size="sm" fw={500}>
                  {name}
                </Text>
                <Text component="dd" size="sm" c="dimmed">
                  {text}
                  {index === 0 && (
                    <>
                      {' '}
                      <Anchor
                        href={`https://${t.vendor}`}
                        target="_blank"
                        rel="noopener noreferrer"
                        size="sm"
                        underline="always"
                      >
                        {t.vendor}
                      </Anchor>
                    </>
                  )}
                </Text>
              </div>
            ))}
          </dl>
        </section>
        <div>
          <Text component="h3" fw={600} mb="sm">
            {t.planTitle}
          </Text>
          <ol className="connect-plan" aria-label={t.progress}>
            {t.screens.map((name, index) => (
              <li key={name}>
                <span aria-hidden className="connect-step-mark">
                  {index + 1}
                </span>
                <div>
                  <Text size="sm" fw={500}>
                    {name}
                  </Text>
                  <Hint>{t.screenHelp[index]}</Hint>
                </div>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}
