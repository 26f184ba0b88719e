/** Warns that no AI model is set up, and says where to add one. */
import { Alert, Text } from '@mantine/core';
import { IconSparkles } from '../../components/icons.tsx';
import { useModels } from '../../components/queries.ts';
import { TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.models.missing;

/** A banner that is shown if there is no default model. */
export function NoModelBanner() {
  const { data } = useModels();
  if (data?.default_of !== 'none') return null;
  return (
    <Alert color="yellow" role="note" icon={<IconSparkles size={20} />} title={t.title}>
      <Text size="sm">
        {t.text} <AddModel />
      </Text>
    </Alert>
  );
}

/** A link to the page that adds a model. For users who may not open it, a text that says whom to ask. */
export function AddModel() {
  const can = useCan();
  return can('models.manage') ? (
    <TextLink to="/models" inherit>
      {t.add}
    </TextLink>
  ) : (
    t.ask
  );
}
