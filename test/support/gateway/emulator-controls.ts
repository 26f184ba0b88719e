/** The emulator's page, what its buttons do, and the files that a download link names. */
import type { ServerResponse } from 'node:http';
import { emulatorPage } from './emulator-page.ts';
import type { SessionState } from './emulator-state.ts';
import type { GatewayEmulator } from './start-gateway-emulator.ts';

type Asked = {
  method: string;
  pathname: string;
  searchParams: URLSearchParams;
  body: Record<string, unknown>;
};

/** @returns false if the path is not one of these. */
export async function servePage(
  emulator: GatewayEmulator,
  asked: Asked,
  response: ServerResponse,
): Promise<boolean> {
  const { state } = emulator;
  const json = (body: unknown): true => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };
  const field = (name: string): string => {
    const value = asked.body[name];
    return typeof value === 'string' ? value : '';
  };
  const said = { from: field('number').replace(/\D/g, ''), name: field('name'), text: field('text') };
  switch (`${asked.method} ${asked.pathname}`) {
    case 'GET /':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(emulatorPage);
      return true;
    case 'GET /emulator/chat': {
      const number = (asked.searchParams.get('number') ?? '').replace(/\D/g, '');
      const typing = (state.typingUntil.get(number) ?? 0) > Date.now();
      const lines = state.lines.filter((line) => line.number === number);
      return json({ session: state.session, typing, lines });
    }
    case 'POST /emulator/say':
      return json((await emulator.deliverInbound(said)).answers);
    case 'POST /emulator/phone':
      return json((await emulator.typeOnPhone(said)).answers);
    case 'POST /emulator/session':
      emulator.setSession(field('session') as SessionState);
      return json({ session: state.session });
    default: {
      const file = asked.pathname.startsWith('/files/')
        ? state.files.get(asked.pathname.slice(7))
        : undefined;
      if (file === undefined) return false;
      response.writeHead(200, { 'content-type': file.contentType }).end(file.bytes);
      return true;
    }
  }
}
