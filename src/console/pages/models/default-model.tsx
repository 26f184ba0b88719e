/** The panel that chooses the organization's default model. */
import { Select, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ModelSettings } from '../../../contract/models/models.ts';
import { call } from '../../client.ts';
import { Row, Rows } from '../../components/rows.tsx';
import { texts } from '../../messages.ts';
import { modelIds } from './model-ids.ts';

const t = texts.models;

const save = (model: string | null) => call<ModelSettings>('PUT', '/default-model', { body: { model } });

/** Value of the option for the installation's default. No model has this id, because the id of a model has a slash. */
const installation = 'installation';

export function DefaultModel({ settings }: { settings: ModelSettings }) {
  const { default_model, default_of, installation_default, providers } = settings;
  const saving = useMutation({
    mutationFn: save,
    meta: { done: t.defaultSaved, refetches: [['models'], ['agents']], notifiesError: true },
  });
  const own = default_of === 'organization' ? [default_model] : [];
  const ids = [...new Set([...own, ...modelIds(providers)])];
  return (
    <section aria-label={t.defaultTitle}>
      <Rows>
        <Row
          field="default-model"
          name={t.defaultTitle}
          help={
            <>
              {t.defaultHelp}
              {default_of === 'none' && (
                <Text size="sm" c="var(--mantine-color-text)">
                  {t.missing.text}
                </Text>
              )}
            </>
          }
        >
          <Select
            id="default-model"
            className="row-field is-wide"
            readOnly={saving.isPending}
            data={[
              {
                value: installation,
                label: installation_default === null ? t.noDefault : t.installation(installation_default),
              },
              ...ids.map((id) => ({ value: id, label: id })),
            ]}
            value={default_of === 'organization' ? default_model : installation}
            onChange={(picked) => {
              if (picked !== null) saving.mutate(picked === installation ? null : picked);
            }}
          />
        </Row>
      </Rows>
    </section>
  );
}
