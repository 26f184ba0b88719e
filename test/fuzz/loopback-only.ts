/**
 * Loaded before the API and the worker while they are fuzzed: their JavaScript connects to nothing but this machine and
 * resolves no name but its own. On Linux a network namespace already enforces this; elsewhere only this module does.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const own = /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

const dial = Reflect.get(net.Socket.prototype, 'connect') as (...args: unknown[]) => net.Socket;
Object.assign(net.Socket.prototype, {
  connect(this: net.Socket, ...args: unknown[]): net.Socket {
    // As net.connect gives them, or as a caller does.
    const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    const host = typeof first === 'object' && first !== null ? (first as { host?: unknown }).host : second;
    if (typeof host !== 'string' || own.test(host)) return Reflect.apply(dial, this, args);
    const refused = Object.assign(new Error(`${host} is not of this machine`), { code: 'ENETUNREACH' });
    process.nextTick(() => this.destroy(refused));
    return this;
  },
});

const unknown = (name: string) =>
  Object.assign(new Error(`${name} is not of this machine`), { code: 'ENOTFOUND' });
const look = dns.promises.lookup;
dns.promises.lookup = (async (name: string, ...rest: unknown[]) => {
  if (!own.test(name)) throw unknown(name);
  return await (Reflect.apply(look, dns.promises, [name, ...rest]) as Promise<unknown>);
}) as typeof look;
const lookBack = dns.lookup;
dns.lookup = Object.assign(
  (name: string, ...rest: unknown[]) => {
    const back = rest.at(-1) as (error: Error) => void;
    if (own.test(name)) Reflect.apply(lookBack, dns, [name, ...rest]);
    else process.nextTick(back, unknown(name));
  },
  { __promisify__: dns.lookup.__promisify__ },
);
syncBuiltinESMExports();
