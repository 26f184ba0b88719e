/** What an agent's page shows without a WhatsApp channel: what is needed, and the three steps that connect a number. */
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconTile } from '../../components/rows.tsx';
import { IconBrandWhatsapp } from '../../components/icons.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.channel;

/** @param props.wasConnected true if the channel was disconnected; its gateway instance then still exists */
export function NotConnected({ wasConnected, connect }: { wasConnected: boolean; connect: () => void }) {
  return (
    <section className="panel connect-intro" aria-label={t.connectTitle}>
      <Stack gap="sm" align="flex-start">
        <Group gap="sm" wrap="nowrap">
          <IconTile icon={IconBrandWhatsapp} />
          <Text component="h3" fw={600} size="lg">
            {t.connectTitle}
          </Text>
        </Group>
        {wasConnected && <Text size="sm">{t.inactive}</Text>}
        <section className="connect-needs" aria-label={t.needsTitle}>
          <Text component="h4" fw={600}>
            {t.needsTitle}
          </Text>
          <dl>
            {t.needs.map(({ name, text }, index) => (
              <div key={name}>
                <Text component="dt" size="sm" fw={600}>
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
      </Stack>
      <div className="connect-beside">
        <Text component="h3" fw={600} mb="md">
          {t.planTitle}
        </Text>
        <ol className="connect-plan" aria-label={t.progress}>
          {t.screens.map((name, index) => (
            <li key={name}>
              <span aria-hidden className="connect-step-mark">
                {index + 1}
              </span>
              <div>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Hint>{t.screenHelp[index]}</Hint>
              </div>
            </li>
          ))}
        </ol>
      </div>
      <Stack gap="sm" align="flex-start">
        <Alert color="yellow">{t.unofficial}</Alert>
        <Button onClick={connect}>{t.connect}</Button>
        <Hint>{t.withoutChannel}</Hint>
      </Stack>
    </section>
  );
}
