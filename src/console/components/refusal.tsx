/** Explains why Parley does not call an address, and how to allow or correct the address. */
import { Code } from '@mantine/core';
import { texts } from '../messages.ts';
import { Copy } from './copy.tsx';
import { useLoopbackReceiver } from './loopback-receiver.ts';

const t = texts.refusals;

/**
 * @param reason the reason that the API reports, for example `internal_name`. An unknown reason is shown unchanged.
 * @param url the address
 * @param host host of the address, with its port if it has one
 * @param copies true to show a button that copies the setting that allows the address
 */
export function Refusal({ reason, ...address }: { reason: string } & Address) {
  if (reason === 'internal_name' || reason === 'private_address') return <Private {...address} />;
  if (reason === 'the name does not resolve') return t.unresolved;
  if (isKnown(reason)) return t[reason];
  return reason;
}

interface Address {
  url: string;
  host: string;
  copies?: boolean;
}

/** Names the setting that allows the address, unless a member has allowed it in the console since. */
function Private({ url, host, copies = false }: Address) {
  const isAllowed = useLoopbackReceiver(url)?.isAllowed === true;
  const setting = t.allow(host);
  return (
    <>
      {t.private(host)}
      {!isAllowed && (
        <>
          {' '}
          {t.toAllow} <Code>{setting}</Code>.{copies && <Copy text={setting} label={t.copyAllow} />}
        </>
      )}
    </>
  );
}

/** Returns the reason from the error of a blocked delivery: the text without the prefix `blocked: `. */
export const reasonOf = (error: string): string => error.replace(/^blocked: /, '');

/** @returns a short explanation of the reason, for lists; an unknown reason unchanged */
export function briefRefusal(reason: string): string {
  const brief: Readonly<Record<string, string | undefined>> = t.brief;
  return brief[reason] ?? reason;
}

const known = ['malformed_url', 'scheme_not_allowed', 'credentials_in_url', 'odd_host'] as const;
function isKnown(reason: string): reason is (typeof known)[number] {
  return known.some((one) => one === reason);
}
