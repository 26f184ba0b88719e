/** Adds to better-auth a sign-in without a password, for example after a sign-in at an identity provider. */
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { generateRandomString } from 'better-auth/crypto';
import { z } from 'zod';
import { challengeSeconds } from './second-factor-plugin.ts';

/**
 * Prefix of the identifier under which a sign-in's identity is stored while the sign-in waits for the code of the
 * second factor.
 */
export const identityOfChallenge = 'identity-of-';

/**
 * Returns the plug-in. Its function `signInIdentified` checks no password, so its caller must have verified who the
 * user is.
 * @throws Error, from `signInIdentified`, if there is no such user
 */
export function identifiedSignIn() {
  return {
    id: 'identified-sign-in',
    endpoints: {
      signInIdentified: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ userId: z.string(), identity: z.string() }) },
        async (ctx) => {
          const { internalAdapter } = ctx.context;
          const user = await internalAdapter.findUserById(ctx.body.userId);
          if (user === null) throw new Error('there is no such user');
          // Creates the same challenge as better-auth's plug-in for second factors does after a correct password.
          if ('twoFactorEnabled' in user && user.twoFactorEnabled === true) {
            const identifier = `2fa-${generateRandomString(20)}`;
            const expiresAt = new Date(Date.now() + challengeSeconds * 1000);
            await internalAdapter.createVerificationValue({ value: user.id, identifier, expiresAt });
            const attempts = `2fa-attempts-${identifier}`;
            await internalAdapter.createVerificationValue({ value: '0', identifier: attempts, expiresAt });
            await internalAdapter.createVerificationValue({
              value: ctx.body.identity,
              identifier: `${identityOfChallenge}${identifier}`,
              expiresAt,
            });
            const { name, attributes } = ctx.context.createAuthCookie('two_factor', {
              maxAge: challengeSeconds,
            });
            await ctx.setSignedCookie(name, identifier, ctx.context.secret, attributes);
            return { needsCode: true, name: user.name, email: user.email };
          }
          const session = await internalAdapter.createSession(user.id, false);
          await setSessionCookie(ctx, { session, user });
          return { needsCode: false, name: user.name, email: user.email };
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
