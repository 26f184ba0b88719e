/** Identity providers (OpenID Connect) through which people sign in to the console. */
import { z } from 'zod';
import { text } from '../text.ts';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** A provider in the form in which the operator configures it (OIDC_PROVIDERS). */
export const identityProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/, 'must have 1 to 32 letters, digits and hyphens'),
  label: text(40).trim().min(1),
  issuer: z.url().refine((url) => {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname));
  }, 'must be an https:// URL'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  email_domains: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^(?:\*|[a-z0-9.-]+\.[a-z0-9-]+)$/, 'must be a domain, or *'),
    )
    .min(1)
    .describe('Domains of the emails that the provider may vouch for; * for all'),
});
export type IdentityProvider = Readonly<z.output<typeof identityProvider>>;

export const identityProviders = z
  .array(identityProvider)
  .max(20)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two providers have the same id')
  .refine(
    (all) => new Set(all.map(({ issuer }) => issuer)).size === all.length,
    'two providers have the same issuer',
  );

/** The data of a provider that the sign-in page gets. It contains no secrets. */
const offeredProvider = z.object({ id: z.string(), label: z.string() });

/** What the sign-in page offers. */
export const signInOffer = z.object({
  data: z.array(offeredProvider),
  mails_resets: z.boolean().describe('Whether a person can ask for a reset link, which is then sent by mail'),
});
export type SignInOffer = z.infer<typeof signInOffer>;

export const beginForm = z.strictObject({
  invitation: text(200).min(1).optional().describe('To accept: the part of its link after #'),
});
/** The response that begins a sign-in. `url` is the provider's sign-in page, which the browser must open. */
export const begunSignIn = z.object({ url: z.string() });

export const finishForm = z.strictObject({
  parameters: text(8000).describe('The query with which the provider sent the browser back'),
});
