/** The signed-in user's menu: organizations, appearance, account, sign-out. */
import { Group, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useLocation } from 'wouter';
import { call } from '../client.ts';
import { IconBuilding, IconCheck, IconLogout, IconSelector, IconUser } from '../components/icons.tsx';
import { forgetKept } from '../components/kept.ts';
import { NameAvatar } from '../components/name-avatar.tsx';
import { chooseLanguage, isLanguage, language, languages } from '../language.ts';
import { texts } from '../messages.ts';
import { colorSchemes } from './color-schemes.ts';
import { useSession, useSessionChanged } from './session.ts';
import { useLeave } from './unsaved.tsx';

const t = texts.nav;

export function AccountMenu() {
  const session = useSession();
  const changed = useSessionChanged();
  const [, navigate] = useLocation();
  const leave = useLeave();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { user, organization, organizations } = session;

  const switchTo = async (id: string) => {
    if (id === organization.id) return;
    await call('POST', '/organization', { body: { organization_id: id } });
    // Opens the start page, because the current page may show an object of the previous organization.
    navigate('/');
    await changed();
  };

  const signOut = async () => {
    await call('POST', '/sign-out');
    forgetKept();
    navigate('/');
    await changed();
  };
  return (
    // Without a portal, because a portal would put the menu outside every landmark, where screen readers can miss it.
    <Menu
      position="top-start"
      width={240}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton w="100%" p={6} style={{ borderRadius: 8 }}>
          <Group wrap="nowrap" gap="sm">
            <NameAvatar name={user.name} size={34} />
            <div style={{ minWidth: 0, flex: 1 }}>
              <Text size="sm" fw={600} truncate>
                {organization.name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {user.email}
              </Text>
            </div>
            <IconSelector />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {organizations.length > 1 && (
          <>
            <Menu.Label>{t.organizations}</Menu.Label>
            {organizations.map(({ id, name }) => (
              <Menu.Item
                key={id}
                leftSection={<IconBuilding />}
                rightSection={id === organization.id ? <IconCheck /> : null}
                aria-current={id === organization.id ? 'true' : undefined}
                onClick={() => leave({ go: () => void switchTo(id), keepsDraft: true })}
              >
                {name}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        )}
        <Menu.Label>{t.theme}</Menu.Label>
        {colorSchemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon />}
            rightSection={colorScheme === value ? <IconCheck /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t.language}</Menu.Label>
        {Object.keys(languages)
          .filter(isLanguage)
          .map((one) => (
            <Menu.Item
              key={one}
              lang={one}
              rightSection={one === language ? <IconCheck /> : null}
              aria-current={one === language ? 'true' : undefined}
              onClick={() => leave({ go: () => chooseLanguage(one), keepsDraft: true })}
            >
              {languages[one]}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser />} onClick={() => navigate('/account')}>
          {t.account}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout />}
          onClick={() => leave({ go: () => void signOut(), keepsDraft: false })}
        >
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
