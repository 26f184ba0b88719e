/** Page layouts: a page with a title and actions, its sections, and a page without navigation, for example sign-in. */
import { Group, Paper, Stack, Text, Title, type StackProps } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { texts } from '../messages.ts';
import { cappedCount } from './format.ts';
import { LanguageSelect } from './language-select.tsx';
import { Hint } from './text.tsx';
import { useWaitingConversations } from './waiting-conversations.ts';

/** Sets the title of the browser's tab, which begins with the number of conversations that wait for a person. */
export function usePageTitle(title: string): void {
  const count = useWaitingConversations().data?.count ?? 0;
  useDocumentTitle(`${count > 0 ? `(${cappedCount(count)}) ` : ''}${title} · ${texts.product}`);
}

export function Page(props: {
  title: string;
  /** Shown beside the title, for example a badge. */
  mark?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
  children: ReactNode;
}) {
  const { title, mark, lead, actions, above, children } = props;
  usePageTitle(title);
  return (
    <Stack gap="lg">
      <div>
        {above}
        <Group justify="space-between" align={lead === undefined ? 'center' : 'flex-start'} gap="md">
          <div style={{ minWidth: 0, flex: '1 1 280px' }}>
            <Group gap="sm">
              <Title order={1} size="h2">
                {title}
              </Title>
              {mark}
            </Group>
            {lead !== undefined && (
              <Text c="dimmed" mt={4} maw={680}>
                {lead}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="sm">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  );
}

/** The heading of a part of a page. */
export function Heading(props: { children: ReactNode }) {
  return <Title order={2} size="h4" {...props} />;
}

/** @param props.label the section's name for screen readers */
export function Section(
  props: Pick<StackProps, 'className' | 'p' | 'gap'> & {
    title: string;
    label?: string;
    lead?: ReactNode;
    /** Shown at the right of the heading, for example a button. */
    actions?: ReactNode;
    children: ReactNode;
  },
) {
  const { title, label, lead, actions, children, ...look } = props;
  return (
    <Stack component="section" aria-label={label} gap="sm" {...look}>
      <Group justify="space-between" align="end" gap="sm">
        <div>
          <Heading>{title}</Heading>
          {lead !== undefined && <Hint>{lead}</Hint>}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

/** A panel with a large figure. @param props.children shown below the figure */
export function Tile(props: { label: ReactNode; figure: ReactNode; children: ReactNode }) {
  return (
    <div className="panel tile">
      <Hint>{props.label}</Hint>
      <Text fz={28} fw={700} lh={1.3}>
        {props.figure}
      </Text>
      {props.children}
    </div>
  );
}

/** The product's mark and name. */
export function ProductName() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/favicon.svg" width={28} height={28} alt="" />
      <Text component="span" fw={700} size="lg" lh={1} style={{ letterSpacing: '-0.01em' }}>
        {texts.product}
      </Text>
    </Group>
  );
}

/**
 * A page without navigation, with the product's mark and a title above a form. If the title changes, it gets the focus,
 * so that screen readers read the next step.
 */
export function SignedOut(props: {
  title: string;
  lead: string;
  submit?: (event: SyntheticEvent<HTMLFormElement>) => void;
  children: ReactNode;
}) {
  const { title, lead, submit, children } = props;
  useDocumentTitle(`${title} · ${texts.product}`);
  const [firstTitle] = useState(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (title !== firstTitle) heading.current?.focus();
  }, [title, firstTitle]);
  return (
    <main className="signed-out">
      <Paper className="panel" p={{ base: 24, xs: 36 }} w="100%" maw={420} shadow="md">
        <form noValidate {...(submit && { onSubmit: submit })}>
          <Stack gap="lg">
            <div>
              <ProductName />
              <Title ref={heading} tabIndex={-1} style={{ outline: 'none' }} order={1} size="h2" mt="lg">
                {title}
              </Title>
              <Text c="dimmed" size="sm" mt={4}>
                {lead}
              </Text>
            </div>
            {children}
          </Stack>
        </form>
      </Paper>
      <LanguageSelect />
    </main>
  );
}
