/** Components for the states of a page or a part of it: loading, failed, empty. */
import {
  Alert,
  Button,
  Center,
  Group,
  Loader,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
  type ButtonProps,
} from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { MouseEvent, ReactNode } from 'react';
import { ApiProblem } from '../client.ts';
import { texts } from '../messages.ts';
import type { Icon } from './icons.tsx';
import { Hint, Multiline } from './text.tsx';

/** A loading indicator in the middle of the window, shown while the console loads. */
export function Waiting() {
  return (
    <Center mih="100vh">
      <Loader aria-label={texts.common.loading} role="status" />
    </Center>
  );
}

/** Renders a query: its data, its error, or that it is loading. Loaded data stays if a later fetch fails. */
export function Loaded<T>(props: {
  query: UseQueryResult<T>;
  /** The placeholder while the data loads; by default, three lines. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, loading, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return loading ?? <Loading />;
}

/** Placeholders in the shape of lines, shown while something loads. */
export function Loading() {
  return (
    <Stack role="status" aria-label={texts.common.loading} gap="sm">
      <Skeleton height={44} radius="md" />
      <Skeleton height={44} radius="md" />
      <Skeleton height={44} radius="md" width="70%" />
    </Stack>
  );
}

export function Failure({ error, retry }: { error: Error | null; retry: () => void }) {
  return (
    <Alert color="red" title={texts.common.couldNotLoad} role="alert">
      <Stack align="start" gap="sm">
        <Text size="sm">{error?.message}</Text>
        <Button variant="default" size="xs" onClick={retry}>
          {texts.common.retry}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Shows an error, with the server's details about fields if it has any. Renders nothing if the error is null. */
export function Problem({ of: { error } }: { of: { error: Error | null } }) {
  if (error === null) return null;
  const details = error instanceof ApiProblem ? error.details : [];
  const lines = [error.message, ...details.map(({ path, message }) => `${path}: ${message}`)];
  return (
    <Alert color="red" role="alert">
      <Multiline>{lines.join('\n')}</Multiline>
    </Alert>
  );
}

/**
 * Properties of a submit button while there is nothing to submit. Does not use `disabled`, because a disabled button loses
 * the focus after a keyboard user has saved.
 */
export const idle = {
  'data-disabled': true,
  'aria-disabled': true,
  onClick: (event: MouseEvent) => event.preventDefault(),
} as const;

/** The end of a form: the error of the last attempt, and the submit button. */
export function Submit(
  props: Pick<ButtonProps, 'fullWidth' | 'size'> & {
    of: { error: Error | null; isPending: boolean };
    label: string;
    /** The button's name for screen readers, if the label alone is ambiguous. */
    'aria-label'?: string;
    /** True while there is nothing to submit. */
    isIdle?: boolean;
  },
) {
  const { of, label, isIdle = false, ...look } = props;
  return (
    <>
      <Problem of={of} />
      <Group>
        <Button type="submit" loading={of.isPending} {...look} {...(isIdle && idle)}>
          {label}
        </Button>
      </Group>
    </>
  );
}

/**
 * An empty state: explains why there is no content, and what to do.
 * @param props.isPage true if there is nothing else on the page: the title is then the page's heading
 */
export function Empty(props: {
  icon: Icon;
  title: string;
  text?: string;
  isPage?: boolean;
  children?: ReactNode;
}) {
  const { icon: Icon, title, text, isPage = false, children } = props;
  return (
    <Stack
      align="center"
      gap="xs"
      py={48}
      px="md"
      className={isPage ? 'empty-page' : 'panel empty'}
      ta="center"
    >
      <ThemeIcon size={48} radius="xl" variant="light" color="indigo">
        <Icon size={24} stroke={1.6} />
      </ThemeIcon>
      {isPage ? (
        <Title order={1} size="h2">
          {title}
        </Title>
      ) : (
        <Text fw={600}>{title}</Text>
      )}
      {text !== undefined && <Hint maw={460}>{text}</Hint>}
      {children}
    </Stack>
  );
}
