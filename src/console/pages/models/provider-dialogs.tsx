/** Dialogs that add, edit and test an AI provider. Each makes a model call to the provider, and shows the result. */
import { Alert, Badge, Group, PasswordInput, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { keysOf } from '../../../contract/keys-of.ts';
import type { ModelServers } from '../../../contract/models/local-model.ts';
import type {
  ModelProvider,
  ModelTest,
  ProviderKind,
  SavedProvider,
} from '../../../contract/models/models.ts';
import { call } from '../../client.ts';
import { Dialog, Done, FormDialog } from '../../components/dialogs.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { duration, countText } from '../../components/format.ts';
import { IconCheck } from '../../components/icons.tsx';
import { Hint, PlainText } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.models;
const kinds: readonly ProviderKind[] = ['openai', 'anthropic', 'google', 'compatible', 'agent'];
const ownNames: Partial<Record<ProviderKind, string>> = { compatible: 'my-server', agent: 'my-agent' };
/**
 * Base URLs of services that offer OpenAI's API for many models. A person chooses one like a kind of provider; stored is
 * a compatible server. The word in capitals must be replaced.
 */
const services = {
  azure: 'https://RESOURCE.openai.azure.com/openai/v1',
  bedrock: 'https://bedrock-mantle.REGION.api.aws/v1',
} as const;
type Service = keyof typeof services;
const placeholder = /RESOURCE|REGION/;

const choices: readonly (ProviderKind | Service)[] = [
  ...kinds.slice(0, 3),
  ...keysOf(services),
  ...kinds.slice(3),
];
const isService = (choice: ProviderKind | Service): choice is Service => choice in services;

interface Draft extends Record<string, unknown> {
  choice: ProviderKind | Service;
  kind: ProviderKind;
  name: string;
  base_url: string;
  api_key: string;
  models: string[];
}

/** @returns the name; if a provider of the organization has it, the name with the first free number from 2 */
function freeName(name: string, known: readonly ModelProvider[]): string {
  const taken = (one: string) => known.some((provider) => provider.id !== null && provider.name === one);
  if (!taken(name)) return name;
  for (let n = 2; ; n += 1) if (!taken(`${name}-${String(n)}`)) return `${name}-${String(n)}`;
}

/** A model server that was found on this computer. */
export type FoundServer = ModelServers['data'][number];

/**
 * Edits `provider` or, if it is undefined, adds a provider.
 * @param props.found fills in the form of a new provider
 * @param props.known the existing providers, whose names are taken; needed only without `provider`
 */
export function EditProvider(props: {
  provider?: ModelProvider;
  found?: FoundServer;
  known?: readonly ModelProvider[];
  close: () => void;
}) {
  const { provider, found, known = [], close } = props;
  const kindAtFirst = provider?.kind ?? (found === undefined ? 'openai' : 'compatible');
  const values: Draft = {
    choice: kindAtFirst,
    kind: kindAtFirst,
    name: provider?.name ?? freeName(found?.name ?? 'openai', known),
    base_url: provider?.base_url ?? found?.base_url ?? '',
    api_key: '',
    models: provider?.models ?? found?.models ?? t.suggested.openai.slice(0, 1),
  };
  const saving = useServerForm({
    values,
    check: {
      name: required,
      base_url: (url) => {
        const [word] = placeholder.exec(String(url)) ?? [];
        return word === undefined ? null : t.replaceWord(word);
      },
      models: (models) => (Array.isArray(models) && models.length === 0 ? texts.common.required : null),
    },
    send: (draft) => save(provider, draft),
    meta: { refetches: [['models'], ['agents']] },
  });
  const { form } = saving;
  const field = fieldsWith(t, form.getInputProps);
  const { kind, choice } = form.values;
  if (saving.answer !== undefined) {
    return (
      <Dialog onClose={close} title={saving.answer.provider.name}>
        <Stack>
          <TestResult test={saving.answer.test} />
          <Done close={close} />
        </Stack>
      </Dialog>
    );
  }
  const isOwn = kind === 'compatible' || kind === 'agent';
  return (
    <FormDialog
      title={provider === undefined ? t.add : t.editTitle(provider.name)}
      action={t.save}
      of={saving}
      close={close}
    >
      {provider === undefined && (
        <Select
          label={t.kind}
          data={choices.map((value) => ({
            value,
            label: isService(value) ? t.services[value].name : t.kinds[value],
          }))}
          value={choice}
          onChange={(picked) => {
            const next = choices.find((one) => one === picked);
            if (next === undefined) return;
            const nextKind = isService(next) ? 'compatible' : next;
            saving.forget();
            form.clearErrors();
            form.setValues({
              choice: next,
              kind: nextKind,
              name: freeName(isService(next) ? next : (ownNames[next] ?? next), known),
              base_url: isService(next) ? services[next] : '',
              models: t.suggested[nextKind].slice(0, 1),
            });
          }}
        />
      )}
      {provider === undefined && (isOwn || form.values.name !== kind) && (
        <TextInput required {...field('name')} />
      )}
      {(isOwn || form.values.base_url !== '') && (
        <TextInput
          required={isOwn}
          {...field(kind === 'agent' ? 'agentUrl' : 'baseUrl', 'base_url')}
          {...(isService(choice) && { description: t.services[choice].help })}
        />
      )}
      <PasswordInput
        label={t.apiKey}
        description={
          provider?.has_key === true ? t.apiKeyKept : isOwn ? t.apiKeyOptional : t.apiKeyHelp(t.kinds[kind])
        }
        autoComplete="off"
        required={!isOwn && provider === undefined}
        {...form.getInputProps('api_key')}
      />
      <TagsInput
        {...field('models')}
        {...(kind === 'agent' && { description: t.agentModelsHelp })}
        data={[...t.suggested[kind]]}
      />
      {saving.trying.isPending && <Hint role="status">{t.testing}</Hint>}
    </FormDialog>
  );
}

function save(provider: ModelProvider | undefined, draft: Draft): Promise<SavedProvider> {
  const { kind, name, models } = draft;
  const api_key = draft.api_key.trim();
  const base_url = draft.base_url.trim();
  const key = api_key !== '' && { api_key };
  if (provider !== undefined) {
    const body = { models, base_url: base_url === '' ? null : base_url, ...key };
    return call('PATCH', `/model-providers/${String(provider.id)}`, { body });
  }
  const body = { kind, name: name.trim(), models, ...(base_url !== '' && { base_url }), ...key };
  return call('POST', '/model-providers', { body });
}

export function TestProvider({ provider, close }: { provider: ModelProvider; close: () => void }) {
  const client = useQueryClient();
  // The page shows the outcome of the last test, also if it has failed.
  const closeAndRead = () => {
    void client.invalidateQueries({ queryKey: ['models'] });
    close();
  };
  const testing = useServerForm({
    values: { model: provider.models[0] ?? '' },
    send: ({ model }) =>
      call<ModelTest>('POST', `/model-providers/${String(provider.id)}/test`, { body: { model } }),
  });
  return (
    <FormDialog title={t.testTitle(provider.name)} action={t.run} of={testing} close={closeAndRead}>
      <Select
        label={t.testModel}
        data={[...provider.models]}
        data-autofocus
        {...testing.form.getInputProps('model')}
      />
      {testing.answer !== undefined && !testing.trying.isPending && <TestResult test={testing.answer} />}
    </FormDialog>
  );
}

function TestResult({ test }: { test: ModelTest }) {
  const { model, duration_ms, input_tokens, output_tokens, sample, abilities } = test;
  const tokens = countText(input_tokens + output_tokens);
  return (
    <Alert color="green" role="status" icon={<IconCheck size={20} />} title={t.works}>
      <Stack gap="xs">
        <Text size="sm">{t.answered(model, duration(duration_ms), tokens)}</Text>
        {abilities !== null && (
          <Group
            component="ul"
            gap="xs"
            aria-label={t.abilities.title}
            style={{ listStyle: 'none', margin: 0, padding: 0 }}
          >
            {keysOf(t.abilities.names).map((ability) => {
              const { [ability]: has } = abilities;
              return (
                <Badge key={ability} component="li" variant="light" color={has === true ? 'green' : 'gray'}>
                  {has === null
                    ? t.abilities.unknown(t.abilities.names[ability])
                    : has
                      ? t.abilities.names[ability]
                      : t.abilities.lacks[ability]}
                </Badge>
              );
            })}
          </Group>
        )}
        <Hint size="xs">{t.sample}</Hint>
        <PlainText text={sample} label={t.sample} mah={160} />
      </Stack>
    </Alert>
  );
}
