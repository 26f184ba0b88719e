/** Warns that no AI model is set up, with a link to the page that adds one. */
import { Alert, Text } from '@mantine/core';
import { IconSparkles } from '../../components/icons.tsx';
import { useModels } from '../../components/queries.ts';
import { TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.models.missing;

/** A banner that is shown if neither the organization nor the installation has a default model. */
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

/** A link to the page of models or, for users who may not manage models, a text that refers to an administrator. */
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
