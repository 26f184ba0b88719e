/** `npm run emulator:gateway -- [port] [token]`: a gateway to connect a channel to, with a page to chat as the customer. */
import { startGatewayEmulator } from './start-gateway-emulator.ts';

const [port = '4100', token = 'emulator-token'] = process.argv.slice(2);
const emulator = await startGatewayEmulator({ port: Number(port), instanceToken: token });
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
