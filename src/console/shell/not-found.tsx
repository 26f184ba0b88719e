/** The page of an address that no page has. */
import { Button, Code, Group } from '@mantine/core';
import { use } from 'react';
import { Link, useLocation } from 'wouter';
import { IconMapOff, IconSearch } from '../components/icons.tsx';
import { usePageTitle } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { texts } from '../messages.ts';
import { OpenSearch } from './open-search.ts';

const t = texts.common;

export function NotFound() {
  const [path] = useLocation();
  const openSearch = use(OpenSearch);
  usePageTitle(t.notFound);
  return (
    <Empty icon={IconMapOff} title={t.notFound} isPage text={t.notFoundText}>
      <Code className="address" title={path}>
        {path}
      </Code>
      <Group justify="center" gap="sm" mt="sm">
        <Button component={Link} href="/">
          {t.toOverview}
        </Button>
        <Button
          variant="default"
          leftSection={<IconSearch size={16} />}
          onClick={openSearch}
          aria-haspopup="dialog"
        >
          {texts.palette.button}
        </Button>
      </Group>
    </Empty>
  );
}
