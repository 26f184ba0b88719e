/**
 * A browser of the console without pages: calls at a network address of its own, with the cookies that it was given.
 */
import { ApiClient, type ApiAnswer } from './api-client.ts';

let hosts = 0;
/** An address that no other caller of this test file has; for a stack with TRUST_PROXY=1. */
const newAddress = () => `203.0.113.${(hosts += 1)}`;

export type ConsoleBrowser = {
  jar: Map<string, string>;
  /** @param path below /console/api */
  call: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;
  isIn: () => Promise<boolean>;
};

export function consoleBrowser({ apiUrl }: { apiUrl: string }): ConsoleBrowser {
  const address = newAddress();
  const door = new ApiClient(new URL('/console/api', apiUrl).href, '');
  const jar = new Map<string, string>();
  const call = async (method: string, path: string, body?: unknown) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'x-forwarded-for': address, ...(cookie !== '' && { cookie }) };
    const answer = await door.call(method, path, { token: null, headers, body });
    for (const one of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (/max-age=0/i.test(one)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  return { jar, call, isIn: async () => (await call('GET', '/members')).status === 200 };
}
