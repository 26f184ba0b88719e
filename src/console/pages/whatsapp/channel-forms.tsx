/** The form of a connected channel, takeovers, alerts and limits, and the limits that messages have reached. */
import { Alert, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Channel } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { countText } from '../../components/format.ts';
import { Submit } from '../../components/states.tsx';
import { Fold, Hint, When } from '../../components/text.tsx';
import { fieldsWith, numberOrNull } from '../../components/form-values.ts';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { DelayField } from '../conversations/delay-field.tsx';

const t = texts.channel;

export interface ChannelPart {
  channel: Channel;
  path: string;
  changed: (channel: Channel) => void;
}

const limitNames = [
  'contact_messages_per_minute',
  'channel_messages_per_minute',
  'contact_answers_per_day',
  'channel_answers_per_day',
  'loop_rounds',
] as const;

/** The width of a field for a short number. */
const narrow = { styles: { wrapper: { maxWidth: 120 } } };

/** The limits have the API's names, like the other fields. */
interface Settings {
  pause_minutes: number | string;
  alert_url: string;
  alert_after_minutes: number | string;
  [limit: string]: number | string;
}

/**
 * Sets how long a human agent's message pauses the agent, after how many minutes offline and to which URL Parley sends
 * an alert, and the limits: the maximum messages per minute and answers per day, and after how many very quick replies
 * in a row a contact counts as a bot, which the agent then stops answering.
 */
export function ChannelSettings({ channel, path, changed }: ChannelPart) {
  const values: Settings = {
    pause_minutes: channel.pause_minutes ?? '',
    alert_url: channel.alert_url ?? '',
    alert_after_minutes: channel.alert_after_minutes ?? '',
    ...Object.fromEntries(limitNames.map((name) => [name, channel[name] ?? ''])),
  };
  const saving = useServerForm({
    values,
    send: ({ pause_minutes: pause, alert_url: url, alert_after_minutes: after, ...limits }) =>
      call<Channel>('PATCH', path, {
        body: {
          alert_url: url.trim() === '' ? null : url.trim(),
          ...(pause !== '' && { pause_minutes: Number(pause) }),
          ...(after !== '' && { alert_after_minutes: Number(after) }),
          ...Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, numberOrNull(limit)])),
        },
      }),
    meta: { done: t.settingsSaved },
    sent: changed,
  });
  const { form, submit, trying } = saving;
  const field = fieldsWith(t, form.getInputProps);
  const isChanged = Object.entries(values).some(([name, value]) => form.values[name] !== value);
  return (
    <form noValidate onSubmit={submit} className="wide">
      <Stack gap="sm">
        <Title order={3} size="h5">
          {t.settingsTitle}
        </Title>
        <div className="panel rows">
          <div className="settings">
            <MinutesField max={43_200} unitLabel={t.pauseUnit} {...field('pauseMinutes', 'pause_minutes')} />
            <TextInput type="url" placeholder={t.alertUrlExample} {...field('alertUrl', 'alert_url')} />
            <MinutesField
              max={1440}
              unitLabel={t.alertAfterUnit}
              {...field('alertAfter', 'alert_after_minutes')}
              {...(form.values.alert_url.trim() === '' && { description: t.noAlertUrl })}
            />
          </div>
          <Fold
            isNeeded={limitNames.some((name) => form.errors[name] !== undefined)}
            head={
              <>
                {t.limitsTitle}
                <Hint>
                  {limitNames
                    .filter((name) => form.values[name] !== '')
                    .map((name) => t.shortLimits[name](countText(Number(form.values[name]))))
                    .join(' · ')}
                </Hint>
              </>
            }
          >
            <Hint>{t.limitsHelp}</Hint>
            <div className="settings">
              {limitNames.map((name) => (
                <NumberInput
                  key={name}
                  label={t.limits[name]}
                  description={name === 'loop_rounds' ? t.loopHelp(channel.loop_seconds ?? 0) : undefined}
                  min={1}
                  allowDecimal={false}
                  {...narrow}
                  {...form.getInputProps(name)}
                />
              ))}
            </div>
          </Fold>
          <Group className="settings-save" justify="flex-end">
            <Submit of={trying} label={t.save} isIdle={!isChanged} />
          </Group>
        </div>
      </Stack>
    </form>
  );
}

type DelayProps = Parameters<typeof DelayField>[0];

/** A field for a number of minutes, which it also shows as hours or days. */
function MinutesField({ value, onChange, max, ...field }: Omit<DelayProps, 'smallest' | 'after'>) {
  return (
    <DelayField
      {...field}
      smallest="minutes"
      max={max * 60}
      {...(value !== undefined && { value: typeof value === 'number' ? value * 60 : value })}
      onChange={(span) => onChange(typeof span === 'number' ? span / 60 : span)}
    />
  );
}

/** Lists the limits that messages have reached in the last 24 hours. Renders nothing if there are none. */
export function Limited({ limited }: { limited: Channel['limited'] }) {
  if (limited === undefined) return null;
  return (
    <Alert color="orange" title={t.limitedTitle}>
      {limited.map(({ limit, messages, last_at }) => (
        <Text key={limit} size="sm">
          {t.reasons[limit] ?? limit}: {t.limitedMessages(messages)}, <When at={last_at} />
        </Text>
      ))}
    </Alert>
  );
}
