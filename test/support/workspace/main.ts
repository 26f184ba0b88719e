/**
 * `npm run emulator:workspace -- [port] [--redirect URL]`: the emulator beside `npm start`, with a small workspace to
 * try the actions on.
 */
import { emulatorArguments, startOn } from '../emulator-command.ts';
import { defaultClient, startWorkspaceEmulator } from './emulator.ts';
import { demoWorkspace } from './demo.ts';

const { port, values } = emulatorArguments(
  'npm run emulator:workspace -- [port] [--redirect URL]…',
  3999,
  // Address at Parley to which the browser returns; may be given several times.
  { options: { redirect: { type: 'string', multiple: true } }, maxPositionals: 1 },
);
const emulator = await startOn(port, () =>
  startWorkspaceEmulator({
    port,
    oauthClients: [{ ...defaultClient, redirectUris: values.redirect ?? defaultClient.redirectUris }],
  }),
);
const demo = await demoWorkspace(emulator);
process.stdout.write(`The workspace emulator answers at ${emulator.url}

  start Parley against it   DOCS_API_URL=${emulator.url} npm start
  token to paste            ${emulator.tokens.main}
  page to try               ${demo.page}   (${demo.pageTitle})
  database to try           ${demo.database}   (${demo.databaseTitle})
  OAuth client              ${emulator.oauth.clientId} / ${emulator.oauth.clientSecret}
  OAuth redirect            ${emulator.oauth.redirectUris.join(', ')}

Everything is kept in memory and gone when it stops (Ctrl+C).
`);
const stop = (): void => {
  void emulator.stop().then(() => process.exit(0));
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
