/** The page of the organization's usage, limits and retention, and of the export and erasure of its data. */
import { Tabs } from '@mantine/core';
import type { Usage } from '../../../contract/data/usage.ts';
import { useFilter } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { texts } from '../../messages.ts';
import { Keeping } from './keeping-tab.tsx';
import { Limits } from './limits-tab.tsx';
import { UsageTab } from './usage-tab.tsx';

const t = texts.data;
const tabs = ['usage', 'limits', 'keeping'] as const;

export function Data() {
  const usage = useRead<Usage>(['usage'], '/usage');
  const [wanted, setTab] = useFilter('tab');
  const tab = tabs.find((one) => one === wanted) ?? 'usage';
  return (
    <Page title={t.title} lead={t.lead}>
      <Tabs value={tab} onChange={(next) => setTab(next ?? undefined)}>
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* The charts measure their place, which a hidden tab does not have. The forms keep what the user typed. */}
        <Tabs.Panel value="usage" pt="lg">
          {tab === 'usage' && <UsageTab />}
        </Tabs.Panel>
        <Tabs.Panel value="limits" pt="lg">
          <Loaded query={usage}>{(loaded) => <Limits usage={loaded} />}</Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="keeping" pt="lg">
          <Keeping />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
