/**
 * The second factor on the account page: its state, and the dialogs that set it up, renew the recovery codes, or
 * remove it.
 */
import { Button, Code, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { encode } from 'uqr';
import type {
  Account,
  OfferedSecondFactor,
  RecoveryCodes,
} from '../../../contract/accounts/second-factor.ts';
import { call } from '../../client.ts';
import { codeInput } from '../../components/code-input.ts';
import { Copy } from '../../components/copy.tsx';
import { destructive, Done, FormDialog, LockedDialog } from '../../components/dialogs.tsx';
import { Row } from '../../components/rows.tsx';
import { Marked } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';

const t = texts.secondFactor;
const refetches = [['account']];

export function SecondFactor({ account }: { account: Account }) {
  const [open, setOpen] = useState<'set-up' | 'renew' | 'remove'>();
  const dialog = { hasPassword: account.has_password, close: () => setOpen(undefined) };
  const factor = account.second_factor;
  return (
    <>
      <Row
        label={t.title}
        name={<Marked name={t.title} mark={factor === null ? t.off : t.on} />}
        help={factor === null ? t.offText : t.onText(factor.recovery_codes_left)}
      >
        <Group gap="xs">
          {factor === null ? (
            <Button onClick={() => setOpen('set-up')}>{t.setUp}</Button>
          ) : (
            <>
              <Button variant="default" onClick={() => setOpen('renew')}>
                {t.renew}
              </Button>
              <Button {...destructive} onClick={() => setOpen('remove')}>
                {t.remove}
              </Button>
            </>
          )}
        </Group>
      </Row>
      {open === 'set-up' && <SetUp {...dialog} />}
      {open === 'renew' && <Renew {...dialog} />}
      {open === 'remove' && <Remove {...dialog} />}
    </>
  );
}

interface DialogProps {
  hasPassword: boolean;
  close: () => void;
}

/** Asks for the password if the account has one. Then shows the secret, asks for a code, and shows recovery codes. */
function SetUp({ hasPassword, close }: DialogProps) {
  const [offer, setOffer] = useState<OfferedSecondFactor>();
  const beginning = useServerForm({
    values: { password: '' },
    check: hasPassword ? { password: required } : {},
    send: ({ password }) =>
      call<OfferedSecondFactor>('POST', '/second-factor', { body: hasPassword ? { password } : {} }),
    sent: setOffer,
    secret: true,
  });
  if (offer !== undefined) return <Confirm offer={offer} close={close} />;
  return (
    <FormDialog title={t.setUpTitle} action={t.next} of={beginning} close={close}>
      <Text size="sm">{t.setUpText}</Text>
      {hasPassword && <Password {...beginning.form.getInputProps('password')} />}
    </FormDialog>
  );
}

function Confirm({ offer, close }: { offer: OfferedSecondFactor; close: () => void }) {
  const confirming = useServerForm({
    values: { code: '' },
    check: { code: required },
    send: (body) => call<RecoveryCodes>('POST', '/second-factor/confirm', { body }),
    meta: { refetches },
    secret: true,
  });
  if (confirming.answer !== undefined)
    return <Codes title={t.done} codes={confirming.answer.recovery_codes} close={close} />;
  return (
    <FormDialog title={t.scanTitle} action={t.confirm} of={confirming} close={close}>
      <Text size="sm">{t.scan}</Text>
      <QrCode text={offer.uri} label={t.qrCode} />
      <Stack gap={4}>
        <Text size="sm">{t.typeIn}</Text>
        <Group gap="sm" className="panel secret" p="sm" justify="space-between">
          <Code bg="transparent" fz="sm" aria-label={t.secret} style={{ wordBreak: 'normal' }}>
            {offer.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </Code>
          <Copy text={offer.secret} />
        </Group>
      </Stack>
      <TextInput
        required
        label={t.code}
        description={t.codeHelp}
        inputMode="numeric"
        data-autofocus
        {...codeInput}
        {...confirming.form.getInputProps('code')}
      />
    </FormDialog>
  );
}

/** Asks for the password or, if the account has none, for a code. Then shows the new recovery codes. */
function Renew({ hasPassword, close }: DialogProps) {
  const renewing = useServerForm({
    ...proofOf(hasPassword),
    send: (values) =>
      call<RecoveryCodes>('POST', '/second-factor/recovery-codes', { body: bodyOf(values, hasPassword) }),
    meta: { refetches },
    secret: true,
  });
  if (renewing.answer !== undefined)
    return <Codes title={t.renewed} codes={renewing.answer.recovery_codes} close={close} />;
  return (
    <FormDialog title={t.renew} action={t.renewSubmit} of={renewing} close={close}>
      <Text size="sm">{t.renewText}</Text>
      <Proof hasPassword={hasPassword} propsOf={renewing.form.getInputProps} />
    </FormDialog>
  );
}

function Remove({ hasPassword, close }: DialogProps) {
  const removing = useServerForm({
    ...proofOf(hasPassword),
    send: (values) => call('POST', '/second-factor/remove', { body: bodyOf(values, hasPassword) }),
    meta: { refetches, done: t.removed },
    sent: close,
  });
  return (
    <FormDialog title={t.removeTitle} action={t.remove} of={removing} close={close}>
      <Text size="sm">{t.removeText}</Text>
      <Proof hasPassword={hasPassword} propsOf={removing.form.getInputProps} />
    </FormDialog>
  );
}

type ProofValues = { password: string; code: string };

const proofOf = (hasPassword: boolean) => ({
  values: { password: '', code: '' },
  check: hasPassword ? { password: required } : { code: required },
});

const bodyOf = ({ password, code }: ProofValues, hasPassword: boolean) =>
  hasPassword ? { password } : { code };

/** The field that proves the user's identity: the password or, if the account has no password, a code. */
function Proof(props: { hasPassword: boolean; propsOf: (field: 'password' | 'code') => object }) {
  const { hasPassword, propsOf } = props;
  if (hasPassword) return <Password {...propsOf('password')} />;
  return (
    <TextInput required label={t.code} description={t.anyCodeHelp} {...codeInput} {...propsOf('code')} />
  );
}

function Password(props: object) {
  return (
    <PasswordInput required label={t.password} autoComplete="current-password" data-autofocus {...props} />
  );
}

/** Shows recovery codes once. Only the Done button closes the dialog, so that the codes are not lost by accident. */
function Codes({ title, codes, close }: { title: string; codes: readonly string[]; close: () => void }) {
  return (
    <LockedDialog onClose={close} title={title}>
      <Stack>
        <Text size="sm" role="status">
          {t.codesText}
        </Text>
        <SimpleGrid cols={2} spacing="xs" className="panel" p="sm" role="list" aria-label={t.codes}>
          {codes.map((code) => (
            <Code key={code} bg="transparent" fz="sm" role="listitem">
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group justify="space-between">
          <Copy text={codes.join('\n')} label={t.copyCodes} />
          <Done close={close} />
        </Group>
      </Stack>
    </LockedDialog>
  );
}

const qrCodePixels = 196;
/** Width of the light margin around the QR code, in modules. Scanners need the margin to find the code. Chosen. */
const quietZone = 2;

/** A QR code, dark on light in both colour schemes, because some scanners cannot read light on dark. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: quietZone });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={qrCodePixels}
      height={qrCodePixels}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      style={{ alignSelf: 'center', borderRadius: 8, maxWidth: '100%' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
