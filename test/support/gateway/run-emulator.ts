/**
 * `npm run emulator:gateway -- [port] [token]`: a gateway to connect a channel to, with a page to chat as the customer.
 */
import { emulatorArguments, startOn } from '../emulator-command.ts';
import { startGatewayEmulator } from './start-gateway-emulator.ts';

const { port, rest } = emulatorArguments('npm run emulator:gateway -- [port] [token]', 4100, {
  options: {},
  maxPositionals: 2,
});
const [instanceToken = 'emulator-token'] = rest;
const emulator = await startOn(port, () => startGatewayEmulator({ port, instanceToken }));
const host = new URL(emulator.url).host;
process.stdout.write(`Gateway emulator
  Base URL        ${emulator.url}   (start Parley with GATEWAY_ALLOW=${host})
  Instance token  ${emulator.instanceToken}
  Chat page       ${emulator.url}/
Connect an agent's channel with these two values, set the webhook, then chat on the page. Ctrl+C ends it.
`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void emulator.stop());
}
